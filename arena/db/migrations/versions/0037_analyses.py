"""Keep analyses of matches, and what seats lost by phase."""

from pathlib import Path

from alembic import op

from arena.db.statements import run

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Create the tables."""
    run(op.get_bind(), Path(__file__).with_suffix(".sql").read_text())
