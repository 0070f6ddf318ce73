"""Add organisers, groups of members, and the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the role, and create the tables, empty."""
    op.add_column("users", sa.Column("is_organiser", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "groups",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_groups")),
        sa.UniqueConstraint("name_key", name=op.f("uq_groups_name_key")),
    )
    op.create_table(
        "group_members",
        sa.Column("group_id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("real_name", sa.String(), nullable=False),
        sa.Column("joined", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_group_members_group_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_group_members_user_id")),
        sa.PrimaryKeyConstraint("group_id", "user_id", name=op.f("pk_group_members")),
    )
    op.create_index("ix_group_members_user_id", "group_members", ["user_id"])
    op.create_table(
        "audit",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("actor_id", INTEGER, nullable=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name=op.f("fk_audit_actor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
