"""Connect platforms for learning by LTI 1.3."""

from pathlib import Path

from alembic import op

from arena.db.statements import run

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    """Create the tables."""
    run(op.get_bind(), Path(__file__).with_suffix(".sql").read_text())
