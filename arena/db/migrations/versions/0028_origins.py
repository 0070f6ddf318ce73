"""Note where imported tournaments were played."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Tournaments so far were played here."""
    op.add_column("tournaments", sa.Column("origin", sa.String(), nullable=True))
