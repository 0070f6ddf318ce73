"""Store the real time of a seat's answers."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; it is empty for existing matches."""
    op.add_column("match_seats", sa.Column("wall", sa.Double(), nullable=True))
