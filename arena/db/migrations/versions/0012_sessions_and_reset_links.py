"""Add sessions, links that reset a password, members' e-mail addresses, and deleted accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns, and create the tables, empty: members log in again."""
    op.add_column("users", sa.Column("email", sa.String(), nullable=True))
    op.add_column("users", sa.Column("deleted", sa.Double(), nullable=True))
    op.create_table(
        "user_sessions",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_user_sessions_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_sessions")),
        sa.UniqueConstraint("token", name=op.f("uq_user_sessions_token")),
    )
    op.create_index("ix_user_sessions_user_id", "user_sessions", ["user_id"])
    op.create_index("ix_user_sessions_ends", "user_sessions", ["ends"])
    op.create_table(
        "reset_links",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_reset_links_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reset_links")),
        sa.UniqueConstraint("token", name=op.f("uq_reset_links_token")),
    )
    op.create_index("ix_reset_links_user_id", "reset_links", ["user_id"])
    op.create_index("ix_reset_links_ends", "reset_links", ["ends"])
