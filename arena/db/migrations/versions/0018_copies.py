"""Add the report of bots that are alike, and dismissals of its pairs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "copy_reports",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("finished", sa.Double(), nullable=False),
        sa.Column("bots", INTEGER, nullable=False),
        sa.Column("unread", INTEGER, nullable=False),
        sa.Column("tables", INTEGER, nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_copy_reports")),
    )
    op.create_table(
        "alike_pairs",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("a_id", INTEGER, nullable=False),
        sa.Column("b_id", INTEGER, nullable=False),
        sa.Column("a_version_id", INTEGER, nullable=False),
        sa.Column("b_version_id", INTEGER, nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("share", sa.Double(), nullable=False),
        sa.Column("counted", INTEGER, nullable=False),
        sa.Column("expected", sa.Double(), nullable=True),
        sa.Column("by_chance", sa.Double(), nullable=True),
        sa.Column("lines", JSON, nullable=True),
        *_references("alike_pairs", ("a_id", "bots"), ("b_id", "bots")),
        *_references("alike_pairs", ("a_version_id", "versions"), ("b_version_id", "versions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alike_pairs")),
        sa.UniqueConstraint("a_id", "b_id", "variant", name=op.f("uq_alike_pairs_a_id_b_id_variant")),
    )
    op.create_index("ix_alike_pairs_b_id", "alike_pairs", ["b_id"])
    op.create_table(
        "dismissals",
        sa.Column("a_id", INTEGER, nullable=False),
        sa.Column("b_id", INTEGER, nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        *_references("dismissals", ("a_id", "bots"), ("b_id", "bots")),
        sa.PrimaryKeyConstraint("a_id", "b_id", name=op.f("pk_dismissals")),
    )


def _references(table: str, *columns: tuple[str, str]) -> list[sa.ForeignKeyConstraint]:
    """Return foreign keys of these columns, whose rows go with what they refer to."""
    return [
        sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}"), ondelete="CASCADE")
        for column, to in columns
    ]
