"""Bots on an author's own disk: a file, an archive, or a folder, which is packed as its author would pack it."""

import io
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from arena.games.errors import Refused
from arena.sdk.archive import hidden
from arena.sdk.upload import Bounds, check

_ALWAYS: Final = (1980, 1, 1, 0, 0, 0)
"""A time for all files, so that the same files make the same archive."""


def read_bot(path: Path, bounds: Bounds) -> bytes:
    """What would be uploaded. Raises Refused where the arena would not take it, and OSError."""
    if path.is_dir():
        upload = _pack(path, bounds)
    else:
        _check_size(path.stat().st_size, bounds.packed)
        upload = path.read_bytes()
    check(upload, bounds)
    return upload


def _pack(folder: Path, bounds: Bounds) -> bytes:
    files = sorted(islice(_files(folder), bounds.files + 1))
    if len(files) > bounds.files:
        raise Refused(f"The folder has more than the {bounds.files:,} files that a bot may have.")
    _check_size(sum(file.stat().st_size for file in files), bounds.unpacked)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _ALWAYS)
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    """The files that a bot may see."""
    for path in folder.iterdir():
        if hidden(path.name):
            continue
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise Refused(f"{path} is neither a plain file nor a folder.")
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _check_size(size: int, limit: int) -> None:
    if size > limit:  # before it is read
        raise Refused(f"It has {size:,} bytes; a bot may have {limit:,}.")
