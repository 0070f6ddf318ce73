"""Add past places on leaderboards."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0022"
down_revision = "0020"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    """Create the table, empty."""
    op.create_table(
        "past_places",
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("day", INTEGER, autoincrement=False, nullable=False),
        sa.Column("noted", sa.Double(), nullable=False),
        sa.Column("places", JSON, nullable=False),
        sa.PrimaryKeyConstraint("variant", "day", name=op.f("pk_past_places")),
    )
