"""Files to import: single ones, and those of folders and archives. Nothing in them is trusted, or written to disk.

A file is known by its content, not by its name. No link is followed, and at most `LARGEST` bytes of a file are read.
"""

import gzip
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, NamedTuple, Protocol, cast

from arena.games.errors import ArenaError
from arena.services.exchange.reading import Complaint

LARGEST: Final = 4 << 20
"""Largest record that is read, in bytes. Those of the longest matches have a fiftieth of it."""
HEADERS: Final = 1 << 20
"""Number of bytes of an unpacked tar archive, beside a file of the largest size, that may come before its next file."""
LONGEST_NAME: Final = 200
DAMAGE: Final = (
    OSError, EOFError, zlib.error, tarfile.TarError, zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError,
    OverflowError,
)  # fmt: skip
"""Errors that reading a damaged, encrypted or hostile archive may raise."""


class Found(NamedTuple):
    """A file."""

    where: str
    """Its path, for messages; after the path of its archive, if it is in one."""
    data: bytes


def found(path: Path, complain: Complaint) -> Iterator[Found]:
    """Yield a file, or the files of a folder or of a .zip, .tar or .tar.gz archive, in order, with numbers as numbers.

    Files of a tar archive come in its order. `complain` is called for each file that cannot be read.
    """
    for file in [path] if path.is_file() else _files(path):
        where = printable(file)
        try:
            if not stat.S_ISREG(file.lstat().st_mode) and file != path:
                complain(f"{where}: it is neither a file nor a folder, and links are not followed")
            else:
                yield from _contents(file, where, complain)
        except DAMAGE as error:
            complain(f"{where}: it cannot be read: {printable(getattr(error, 'strerror', None) or error)}")
        except ArenaError as error:
            complain(f"{where}: {error}")


def printable(name: object) -> str:
    """Return a foreign name without control characters, in at most `LONGEST_NAME` characters."""
    text = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in str(name))
    return text if len(text) <= LONGEST_NAME else f"…{text[1 - LONGEST_NAME :]}"


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, and whatever else there is but folders."""
    for parent, folders, names in os.walk(folder):
        folders.sort(key=_order)
        links = [name for name in folders if Path(parent, name).is_symlink()]
        yield from (Path(parent, name) for name in sorted([*names, *links], key=_order))


def _order(name: str) -> list[tuple[str, int]]:
    """Return the key that sorts match-9 before match-10."""
    parts = re.split(r"(\d{1,18})", name)
    return [(text, int(number or 0)) for text, number in zip(parts[::2], [*parts[1::2], ""], strict=True)]


def _contents(path: Path, where: str, complain: Complaint) -> Iterator[Found]:
    with path.open("rb") as file:
        head = file.read(tarfile.BLOCKSIZE)
        file.seek(0)
        if head[:4] == b"PK\x03\x04":
            yield from _zipped(file, where, complain)
        elif head[:2] == b"\x1f\x8b":
            with gzip.open(file) as unpacked:
                yield from _tarred(unpacked, where, complain)
        elif head[257:262] == b"ustar":
            yield from _tarred(file, where, complain)
        elif (data := _read(file, where, complain)) is not None:
            yield Found(where, data)


def _read(file: IO[bytes], where: str, complain: Complaint) -> bytes | None:
    data = file.read(LARGEST + 1)
    if len(data) <= LARGEST:
        return data
    complain(f"{where}: it is larger than {LARGEST} bytes")
    return None


def _zipped(file: IO[bytes], where: str, complain: Complaint) -> Iterator[Found]:
    with zipfile.ZipFile(file) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: _order(entry.filename)):
            inside = f"{where}: {printable(entry.filename)}"
            if entry.is_dir():
                continue
            try:
                with archive.open(entry) as unpacked:
                    data = _read(unpacked, inside, complain)
            except DAMAGE as error:
                complain(f"{inside}: it cannot be unpacked: {printable(error)}")
                continue
            if data is not None:
                yield Found(inside, data)


class _Readable(Protocol):
    """File that can be read."""

    def read(self, size: int = -1, /) -> bytes: ...


class _Limited:
    """Unpacked tar archive that ends with an error if one file of it, or its headers, are too large."""

    def __init__(self, file: _Readable) -> None:
        self._file = file
        self.left = LARGEST + HEADERS

    def read(self, size: int) -> bytes:
        """Return the next bytes. Raises `ArenaError` if too many came since the last file."""
        data = self._file.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise ArenaError(f"it has a file larger than {LARGEST} bytes; that file and all after it are left out")
        return data


def _tarred(file: _Readable, where: str, complain: Complaint) -> Iterator[Found]:
    limited = _Limited(file)
    with tarfile.open(fileobj=limited, mode="r|") as archive:  # type: ignore[call-overload]
        for entry in archive:
            archive.members = []  # which would keep the headers of all files in memory
            inside = f"{where}: {printable(entry.name)}"
            if entry.isreg():
                unpacked = cast(IO[bytes], archive.extractfile(entry))
                if (data := _read(unpacked, inside, complain)) is not None:
                    yield Found(inside, data)
            elif not entry.isdir():
                complain(f"{inside}: it is neither a file nor a folder, and links are not followed")
            limited.left = LARGEST + HEADERS
