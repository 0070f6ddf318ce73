"""Check of uploads: Python source, or a zip of several files, recognised by content and not by name.

`check` runs nothing: source is neither compiled nor unpacked here, but in the cage.
"""

from dataclasses import dataclass
from typing import Final

from arena.games.errors import Refused
from arena.sdk.archive import Member, find_end, is_archive, read_directory
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
    b"MZ": "a Windows program",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
    b"%PDF": "a PDF document",
    b"\x89PNG": "an image",
}
"""First bytes of files that are not bots, and their descriptions."""


@dataclass(frozen=True)
class UploadBounds:
    """Size limits of an upload."""

    packed: int = 10 * MIB
    """Size of the upload in bytes."""
    unpacked: int = 50 * MIB
    """Total size of all files of an archive in bytes."""
    files: int = 200
    """Number of files in an archive, without folders and hidden files."""


DEFAULT_BOUNDS: Final = UploadBounds()


def check(upload: bytes, bounds: UploadBounds = DEFAULT_BOUNDS) -> list[Member] | None:
    """Return the files of an archive; None for a single module. Raises `Refused` with a sentence for the author."""
    if len(upload) > bounds.packed:
        raise Refused(f"The file has {len(upload):,} bytes; a bot may have {bounds.packed:,}.")
    if not upload.strip():
        raise Refused("The file is empty; a bot is a Python module with a class that derives from Bot, or with act.")
    if is_archive(upload):
        return _check_archive(upload, bounds)
    _check_text(upload)
    return None


def _check_archive(upload: bytes, bounds: UploadBounds) -> list[Member]:
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
        raise Refused(f"The file is not UTF-8 text: byte {error.start}, in line {line}, is invalid.") from None
    if "\0" in text:
        _check_content(upload)
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Refused(f"The file has a NUL character in line {line}; a bot is Python source, plain text.")


def _check_content(upload: bytes) -> None:
    """Refuse content that is not text, naming its format if it is known."""
    what = next((what for beginning, what in _OTHERS.items() if upload.startswith(beginning)), "")
    if not what and upload[257:262] == b"ustar":
        what = "a tar archive"
    if not what and find_end(upload) >= 0:
        what = "a zip archive with something before it"
    if what:
        raise Refused(f"The file is {what}; a bot is Python source in UTF-8, or a zip of several files.")
