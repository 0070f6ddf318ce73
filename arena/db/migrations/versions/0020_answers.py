"""Add the course of each seat's answers: when it answered, how long it took, and how much it printed."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty: earlier matches have no course."""
    empty = {"sqlite": "x''"}.get(op.get_context().dialect.name, "'\\x'::bytea")
    op.add_column("match_seats", sa.Column("answers", sa.LargeBinary(), nullable=False, server_default=sa.text(empty)))
