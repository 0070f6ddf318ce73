"""Index tournaments by format."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index, which finds the trials of the last day and old ones."""
    op.create_index("ix_tournaments_format", "tournaments", ["format", "created"])
