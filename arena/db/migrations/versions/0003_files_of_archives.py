"""Store the list of files of an uploaded archive."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    """Store the list of files of an uploaded archive."""
    op.add_column("versions", sa.Column("files", JSON, nullable=True))
