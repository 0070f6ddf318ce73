"""Note the final ranks of tournaments with their entries."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty: `arena.services.tournaments.standings.backfill` computes the ranks of earlier ones."""
    op.add_column("entries", sa.Column("rank", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True))
