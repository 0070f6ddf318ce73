"""Add teams of bots, former names, the archive, and the quotas of members."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DISPOSABLE = sa.text("state = 'invalid' AND length(source) > 0")


def upgrade() -> None:
    """Add the columns, and create the tables, empty."""
    op.add_column("users", sa.Column("quota_factor", sa.Double(), nullable=False, server_default="1"))
    op.add_column("bots", sa.Column("archived", sa.Double(), nullable=True))
    op.create_index(
        "ix_versions_disposable", "versions", ["state", "created"], sqlite_where=DISPOSABLE, postgresql_where=DISPOSABLE
    )
    op.create_table(
        "bot_members",
        sa.Column("bot_id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("invited", sa.Double(), nullable=False),
        sa.Column("accepted", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_bot_members_bot_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_bot_members_user_id")),
        sa.PrimaryKeyConstraint("bot_id", "user_id", name=op.f("pk_bot_members")),
    )
    op.create_index("ix_bot_members_user_id", "bot_members", ["user_id"])
    op.create_table(
        "former_names",
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("bot_id", INTEGER, nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_former_names_bot_id")),
        sa.PrimaryKeyConstraint("name_key", name=op.f("pk_former_names")),
    )
    op.create_index("ix_former_names_bot_id", "former_names", ["bot_id"])
    op.create_table(
        "validation_requests",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_validation_requests_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_validation_requests")),
    )
    op.create_index("ix_validation_requests_user_id_at", "validation_requests", ["user_id", "at"])
