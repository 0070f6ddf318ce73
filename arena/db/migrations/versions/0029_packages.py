"""Note what the bots of a match could import, and what those of a worker can."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. It is not known what bots could import so far."""
    op.add_column("matches", sa.Column("packages", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("processes", sa.Column("packages", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("processes", sa.Column("refused", sa.JSON(none_as_null=True), nullable=True))
