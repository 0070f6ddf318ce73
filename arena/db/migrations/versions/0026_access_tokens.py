"""Add access tokens, requests of devices for one, and answers kept for requests that are sent again."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "access_tokens",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("scopes", JSON, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=True),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_access_tokens_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_tokens")),
        sa.UniqueConstraint("token", name=op.f("uq_access_tokens_token")),
    )
    op.create_index("ix_access_tokens_user_id", "access_tokens", ["user_id"])
    op.create_index("ix_access_tokens_ends", "access_tokens", ["ends"])
    op.create_table(
        "device_requests",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("client", sa.String(), nullable=False),
        sa.Column("scopes", JSON, nullable=False),
        sa.Column("user_id", INTEGER, nullable=True),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.Column("polled", sa.Double(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_device_requests_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device_requests")),
        sa.UniqueConstraint("token", name=op.f("uq_device_requests_token")),
        sa.UniqueConstraint("code", name=op.f("uq_device_requests_code")),
    )
    op.create_index("ix_device_requests_user_id", "device_requests", ["user_id"])
    op.create_index("ix_device_requests_ends", "device_requests", ["ends"])
    op.create_table(
        "repeats",
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("answer", JSON, nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_repeats_user_id")),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_repeats")),
    )
    op.create_index("ix_repeats_created", "repeats", ["created"])
