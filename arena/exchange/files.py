"""Files of an export: each appears complete under its name, or not at all."""

import gzip
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.exchange.lines import File

LEVEL: Final = 6
"""Level of gzip. Level 9 takes three times as long for 1 % less."""
CHUNK: Final = 1 << 20


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """Yield a temporary path. What is written there appears under `path` at the end, and survives a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)  # it could be a link
    yield part
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.rename(path)
    _sync_folder(path.parent)


@contextmanager
def compressed(path: Path) -> Iterator[gzip.GzipFile]:
    """Open a file for gzip. Equal content gives equal bytes."""
    with path.open("wb") as file, gzip.GzipFile("", "wb", LEVEL, file, mtime=0) as packed:
        yield packed


def described(folder: Path, path: Path, rows: int) -> File:
    """Return a file's row of the manifest."""
    return File(path.relative_to(folder).as_posix(), rows, path.stat().st_size, digest(path))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
