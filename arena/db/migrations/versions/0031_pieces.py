"""Validate uploads in pieces: keep what a piece has found, and how long it took."""

import sqlalchemy as sa
from alembic import op

from arena.db.base import JSON_TYPE

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. Earlier validations count as quick."""
    op.add_column("versions", sa.Column("spent", sa.Double(), nullable=False, server_default=sa.text("0")))
    op.add_column("versions", sa.Column("passed", JSON_TYPE, nullable=True))
