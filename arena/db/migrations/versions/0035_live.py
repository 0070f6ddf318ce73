"""Keep the tables at which people and programs outside the arena play with bots."""

from pathlib import Path

from alembic import op

from arena.db.statements import run

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Create the tables, and let every bot play with people, in the division of the bots that were uploaded."""
    run(op.get_bind(), Path(__file__).with_suffix(".sql").read_text())
