"""Let the database refuse rows that the arena never writes."""

from pathlib import Path

from alembic import op

from arena.db.statements import run

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Add the constraints. Raises `ArenaError` if a row violates one."""
    run(op.get_bind(), Path(__file__).with_suffix(".sql").read_text())
