"""Upload of a path: the bytes of a file or an archive, or of a folder packed into an archive."""

import io
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from arena.games.errors import Refused
from arena.sdk.archive import hidden
from arena.sdk.upload import UploadBounds

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Fixed time stamp for all files, so that equal files make equal archives."""


def read(path: Path, bounds: UploadBounds) -> bytes:
    """Return the bytes that an upload would have. Raises `Refused` if they are too many, and `OSError`."""
    if path.is_dir():
        return _pack(path, bounds)
    _check_size(path.stat().st_size, bounds.packed)
    return path.read_bytes()


def _pack(folder: Path, bounds: UploadBounds) -> bytes:
    files = sorted(islice(_files(folder), bounds.files + 1))
    if len(files) > bounds.files:
        raise Refused(f"The folder has more than {bounds.files:,} files, the limit for a bot.")
    _check_size(sum(file.stat().st_size for file in files), bounds.unpacked)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _EPOCH)
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files that a bot can see."""
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
    if size > limit:  # checked before the file is read
        raise Refused(f"It has {size:,} bytes; the limit for a bot is {limit:,}.")
