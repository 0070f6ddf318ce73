"""Room for results: workers take no more work before the disk of a SQLite database is full."""

import shutil
from pathlib import Path

from sqlalchemy import make_url

from arena.settings import MIB, Settings


def shortage(settings: Settings) -> str:
    """Return the reason why there is no room for more results; empty if there is. PostgreSQL watches its own disk.

    Raises `OSError` if the folder of the database is gone.
    """
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite":
        return ""
    folder = Path(url.database or "").absolute().parent
    free = shutil.disk_usage(folder).free // MIB
    if free >= settings.disk_reserve:
        return ""
    return f"{folder} has {free} MiB of free space, and ARENA_DISK_RESERVE is {settings.disk_reserve} MiB"
