"""Add the processes of the arena and their signs of life, and an index of tournaments with given-up tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0012"
down_revision = "0009"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    """Create the table, empty: every process reports itself within seconds."""
    op.create_table(
        "processes",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("release", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("started", sa.Double(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.Column("active", sa.Double(), nullable=True),
        sa.Column("held", sa.Double(), nullable=True),
        sa.Column("samples", JSON, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_processes")),
    )
    failed = sa.text("tables_failed > 0")
    op.create_index("ix_tournaments_failed", "tournaments", ["id"], sqlite_where=failed, postgresql_where=failed)
