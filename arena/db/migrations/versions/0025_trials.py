"""Index tournaments by format, and let ladders wait for trials."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index, which finds the trials of the last day and old ones."""
    op.create_index("ix_tournaments_format", "tournaments", ["format", "created"])
    op.execute("UPDATE tournaments SET priority = -2 WHERE format = 'ladder' AND priority = -1")
    waiting = "state = 'queued' AND tournament_id IN (SELECT id FROM tournaments WHERE format = 'ladder')"
    op.execute(f"UPDATE tables SET priority = -2 WHERE priority = -1 AND {waiting}")  # noqa: S608 -- no input
