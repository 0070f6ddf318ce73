"""What may be uploaded as a bot: Python source, or a zip of several files. Its content decides, not its name.

`check` looks and runs nothing: no source is compiled and nothing is unpacked. That is done in the cage.
"""

from dataclasses import dataclass
from typing import Final

from arena.games.errors import Refused
from arena.sdk.archive import Entry, find_end, is_archive, read_directory
from arena.sdk.layout import layout_of

MIB: Final = 1024 * 1024

_OTHERS: Final = {
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ\0": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\7": "a RAR archive",
    b"PK\7\x08": "one part of a zip archive",
    b"\x7fELF": "a program",
    b"MZ": "a program of Windows",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
}
"""How files begin that are no bots, and what they are."""


@dataclass(frozen=True)
class Bounds:
    """How large an upload may be."""

    packed: int = 10 * MIB
    """Bytes, as it is uploaded."""
    unpacked: int = 50 * MIB
    """Bytes of all files of an archive together."""
    files: int = 200
    """Of an archive; neither folders nor hidden files count."""


DEFAULT_BOUNDS: Final = Bounds()


def check(upload: bytes, bounds: Bounds = DEFAULT_BOUNDS) -> list[Entry] | None:
    """The files of an archive; None for a single module. Raises Refused, with a sentence for the author."""
    if len(upload) > bounds.packed:
        raise Refused(f"The file has {len(upload):,} bytes; a bot may have {bounds.packed:,}.")
    if not upload.strip():
        raise Refused("The file is empty; a bot is a Python module with a class that derives from Bot, or with act.")
    if is_archive(upload):
        return _check_archive(upload, bounds)
    _check_text(upload)
    return None


def _check_archive(upload: bytes, bounds: Bounds) -> list[Entry]:
    entries = read_directory(upload, bounds.files)
    unpacked = sum(entry.size for entry in entries)
    if unpacked > bounds.unpacked:
        raise Refused(f"The archive unpacks to {unpacked:,} bytes; a bot may have {bounds.unpacked:,}.")
    layout_of([entry.name for entry in entries])
    return entries


def _check_text(upload: bytes) -> None:
    try:
        text = upload.decode("utf-8")
    except UnicodeDecodeError as error:
        _check_content(upload)
        line = upload.count(b"\n", 0, error.start) + 1
        raise Refused(f"The file is not UTF-8 text: byte {error.start}, in line {line}, is wrong.") from None
    if "\0" in text:
        _check_content(upload)
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Refused(f"The file has a NUL character in line {line}; a bot is Python source, plain text.")


def _check_content(upload: bytes) -> None:
    """Refuse what is not text by the name of what it is, where that can be told."""
    what = next((what for beginning, what in _OTHERS.items() if upload.startswith(beginning)), "")
    if not what and upload[257:262] == b"ustar":
        what = "a tar archive"
    if not what and find_end(upload) >= 0:
        what = "a zip archive with something before it"
    if what:
        raise Refused(f"The file is {what}; a bot is Python source in UTF-8, or a zip of several files.")
