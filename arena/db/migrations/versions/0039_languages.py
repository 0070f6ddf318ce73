"""Keep the language that each member chose."""

from pathlib import Path

from alembic import op

from arena.db.statements import run

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Add the column."""
    run(op.get_bind(), Path(__file__).with_suffix(".sql").read_text())
