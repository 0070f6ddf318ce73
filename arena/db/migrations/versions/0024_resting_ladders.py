"""Note when a ladder rests, and index the ladders of each variant."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0022"
branch_labels = None
depends_on = None

LADDERS = sa.text("format = 'ladder'")


def upgrade() -> None:
    """Add the column, empty: each running ladder looks for tables to create."""
    op.add_column("tournaments", sa.Column("rest", sa.String(), nullable=True))
    op.create_index(
        "ix_tournaments_ladders", "tournaments", ["variant", "state"],
        sqlite_where=LADDERS, postgresql_where=LADDERS,
    )  # fmt: skip
