"""Files of earlier releases, a folder for each, and the command that keeps what this one writes; see README.md."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from arena.release import release

FOLDER: Final = Path(__file__).parent
BEFORE: Final = FOLDER / "before"
SMALL: Final = FOLDER / "bots"
"""Small bots, which the next release keeps; one uses every public name of the SDK."""
HOME, BACKUP, EXPORT, SEED = "arena.sql.gz", "backup.zip", "export.zip", "seed.json"
"""Files of a release: its database as SQL, a backup, an export of all results, and evidence of a seed."""
BOTS, API, NAMES = "bots.zip", "openapi.json.gz", "names.txt"
"""Bots as they are uploaded (house bots, starters, small ones), the description of the API, and `names.names`."""


def kept(name: str) -> list[Path]:
    """Return the folders of the releases that have a file with this name, in order."""
    return sorted(path.parent for path in FOLDER.glob(f"*/{name}"))


def home_of(kept: Path, folder: Path) -> Path:
    """Create the SQLite database of a kept home in a folder."""
    path = folder / f"{kept.name}.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(gzip.decompress((kept / HOME).read_bytes()).decode())
    return path


def own() -> Path:
    """Return the folder of this release, which need not exist."""
    return FOLDER / release()
