"""Keep which files an uploaded archive has."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    """Keep which files an uploaded archive has."""
    op.add_column("versions", sa.Column("files", JSON, nullable=True))
