"""Store the next time of each schedule."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. At 0 a schedule is due, so the first sweep computes its next time."""
    op.add_column("schedules", sa.Column("due_at", sa.Double(), nullable=False, server_default="0"))
    op.create_index("ix_schedules_due", "schedules", ["paused", "due_at"])
