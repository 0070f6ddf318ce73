"""Keep move and view of a failure, and how well bots were held."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Keep move and view of a failure, and how well bots were held."""
    op.add_column("match_seats", sa.Column("move", INTEGER, nullable=True))
    op.add_column("match_seats", sa.Column("view", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("matches", sa.Column("cage", sa.String(), nullable=True))
    op.add_column("tournaments", sa.Column("tables_insecure", INTEGER, nullable=False, server_default="0"))
