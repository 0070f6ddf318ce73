"""A newer release of the arena, made of this one and one more migration."""

import shutil
from pathlib import Path
from typing import Final

from arena.db.schema import newest

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("arena", "bots", "web", "workers")
MIGRATION: Final = '''"""Create a table that only the newer release knows."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{previous}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table("novelties", sa.Column("id", sa.Integer, primary_key=True))
'''


def next_release(folder: Path) -> Path:
    """Create the release in a folder, and return the folder for PYTHONPATH."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    add_migration(folder / "arena" / "db" / "migrations")
    return folder


def add_migration(migrations: Path) -> None:
    """Add a migration to a copy of this release's."""
    revision = f"{int(newest()) + 1:04}"
    (migrations / "versions" / f"{revision}_novelties.py").write_text(
        MIGRATION.format(revision=revision, previous=newest())
    )
