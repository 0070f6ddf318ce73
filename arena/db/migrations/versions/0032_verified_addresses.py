"""Let links verify e-mail addresses as well as reset passwords."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KEPT = "user_id, token, created, ends"


def upgrade() -> None:
    """Replace the table of links, and keep those that are open.

    Addresses of members stay and count as verified: links and notices have been sent to them, and members who lost
    their passwords after the upgrade could not get in otherwise.
    """
    op.create_table(
        "account_links",
        sa.Column("id", INTEGER, nullable=False),
        sa.Column("user_id", INTEGER, nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_account_links_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_links")),
        sa.UniqueConstraint("token", name=op.f("uq_account_links_token")),
    )
    op.execute(f"INSERT INTO account_links ({KEPT}) SELECT {KEPT} FROM reset_links ORDER BY id")  # noqa: S608 -- constants
    op.drop_table("reset_links")
    op.create_index("ix_account_links_user_id", "account_links", ["user_id"])
    op.create_index("ix_account_links_ends", "account_links", ["ends"])
