"""Keep what this release writes, with tables in play: ``python -m tests.homes``."""

import gzip
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from arena.cli.migrate import prepare
from arena.exchange.exports import export
from arena.exchange.lines import Scope
from arena.services.base.context import Arena, open_arena
from arena.services.exchange.sources import DatabaseSource
from arena.services.tournaments import seeds
from arena.services.upkeep import backups
from bots import HOUSE, STARTERS
from tests.factories import settings_in
from tests.homes import API, BACKUP, BOTS, EXPORT, HOME, NAMES, SEED, SMALL, own
from tests.homes.names import names
from tests.sdk.zips import packed
from tests.services.integrity.conftest import CUP, fill
from tests.web.api.kept import FILE


def main() -> None:
    """Fill an arena and write its files; refuse to overwrite those of a release."""
    folder = own()
    if folder.exists():
        sys.exit(f"{folder} exists. Until the release is tagged, delete the folder to keep it again; then never.")
    with TemporaryDirectory() as home:
        settings = settings_in(Path(home), ARENA_LEASE="3600")
        prepare(settings)
        with closing(open_arena(settings)) as arena:
            fill(arena)
            folder.mkdir()
            keep(arena, folder)
        (folder / HOME).write_bytes(dump(Path(home) / "arena.db"))
    print(f"wrote {', '.join(sorted(path.name for path in folder.iterdir()))} to {folder}")


def keep(arena: Arena, folder: Path) -> None:
    """Write a backup, an export, the evidence of a finished tournament, bots, the description of the API, and names."""
    backups.backup(arena, folder / BACKUP)
    (folder / SEED).write_bytes(b"".join(seeds.evidence(arena, CUP)))
    with ZipFile(folder / BOTS, "w", ZIP_DEFLATED) as archive:
        for name, upload in uploads().items():
            archive.writestr(name, upload)
    (folder / API).write_bytes(gzip.compress(FILE.read_bytes(), mtime=0))
    (folder / NAMES).write_text("".join(f"{name}\n" for name in names()))
    exported = arena.settings.home / "export"
    export(DatabaseSource(arena, Scope()), exported)
    shutil.make_archive(str(folder / EXPORT.removesuffix(".zip")), "zip", exported)


def uploads() -> dict[str, bytes]:
    """Return the bots to keep, each as it is uploaded, by name."""
    files = [*HOUSE.values(), *STARTERS.values(), *SMALL.glob("*.py")]
    several = SMALL / "several"
    parts = {path.relative_to(several).as_posix(): path.read_bytes() for path in sorted(several.rglob("*.*"))}
    return {path.name: path.read_bytes() for path in files} | {"several.zip": packed(parts)}


def dump(database: Path) -> bytes:
    """Return a SQLite database as compressed SQL."""
    with closing(sqlite3.connect(database)) as connection:
        return gzip.compress("\n".join(connection.iterdump()).encode(), mtime=0)


if __name__ == "__main__":
    main()
