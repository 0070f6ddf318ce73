"""Keep what language models were asked and answered for moves at live tables, and the number of deals of a match."""

from pathlib import Path

from alembic import op

from arena.db.statements import run

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Create the table, and add the column."""
    run(op.get_bind(), Path(__file__).with_suffix(".sql").read_text())
