"""Add invitations and their uses."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0012"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "invitations",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("group_id", INTEGER, nullable=True),
        sa.Column("real_name", sa.String(), nullable=False),
        sa.Column("uses", INTEGER, nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("created_by_id", INTEGER, nullable=False),
        sa.Column("revoked", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_invitations_group_id")),
        sa.ForeignKeyConstraint(["created_by_id"], ["users.id"], name=op.f("fk_invitations_created_by_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("token", name=op.f("uq_invitations_token")),
    )
    op.create_index("ix_invitations_group_id", "invitations", ["group_id"])
    op.create_table(
        "invitation_uses",
        sa.Column("invitation_id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["invitation_id"], ["invitations.id"], name=op.f("fk_invitation_uses_invitation_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_invitation_uses_user_id")),
        sa.PrimaryKeyConstraint("invitation_id", "user_id", name=op.f("pk_invitation_uses")),
    )
    op.create_index("ix_invitation_uses_user_id", "invitation_uses", ["user_id"])
