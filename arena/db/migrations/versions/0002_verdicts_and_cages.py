"""Store the move and view of a failure, and the strictness of the cage."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Store the move and view of a failure, and the strictness of the cage."""
    op.add_column("match_seats", sa.Column("move", INTEGER, nullable=True))
    op.add_column("match_seats", sa.Column("view", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("matches", sa.Column("cage", sa.String(), nullable=True))
    op.add_column("tournaments", sa.Column("tables_insecure", INTEGER, nullable=False, server_default="0"))
