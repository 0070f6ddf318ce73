"""Check of uploads: Python source, or a zip of several files, recognised by content and not by name.

`check` runs nothing: source is neither compiled nor unpacked here, but in the cage.
"""

from dataclasses import dataclass
from typing import Final

from arena.games.errors import Refused
from arena.sdk.archive import Member, find_end, is_archive, read_directory
from arena.sdk.layout import layout_of
from arena.words import N_, _, number

MIB: Final = 1024 * 1024

_OTHERS: Final = {
    b"\x1f\x8b": N_("a gzip archive"),
    b"BZh": N_("a bzip2 archive"),
    b"\xfd7zXZ\0": N_("an xz archive"),
    b"\x28\xb5\x2f\xfd": N_("a Zstandard archive"),
    b"7z\xbc\xaf\x27\x1c": N_("a 7z archive"),
    b"Rar!\x1a\7": N_("a RAR archive"),
    b"PK\7\x08": N_("one part of a zip archive"),
    b"\x7fELF": N_("a program"),
    b"MZ": N_("a Windows program"),
    b"\xff\xfe": N_("text in UTF-16"),
    b"\xfe\xff": N_("text in UTF-16"),
    b"%PDF": N_("a PDF document"),
    b"\x89PNG": N_("an image"),
}
"""First bytes of files that are not bots, and their descriptions, to be translated."""


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
        values = {"size": number(len(upload)), "most": number(bounds.packed)}
        raise Refused(_("The file has %(size)s bytes; a bot may have %(most)s.", **values))
    if not upload.strip():
        raise Refused(_("The file is empty; a bot is a Python module with a class that derives from Bot, or with act."))
    if is_archive(upload):
        return _check_archive(upload, bounds)
    _check_text(upload)
    return None


def _check_archive(upload: bytes, bounds: UploadBounds) -> list[Member]:
    entries = read_directory(upload, bounds.files)
    unpacked = sum(entry.size for entry in entries)
    if unpacked > bounds.unpacked:
        values = {"size": number(unpacked), "most": number(bounds.unpacked)}
        raise Refused(_("The archive unpacks to %(size)s bytes; a bot may have %(most)s.", **values))
    layout_of([entry.name for entry in entries])
    return entries


def _check_text(upload: bytes) -> None:
    try:
        text = upload.decode("utf-8")
    except UnicodeDecodeError as error:
        _check_content(upload)
        line = upload.count(b"\n", 0, error.start) + 1
        values = {"byte": error.start, "line": line}
        raise Refused(_("The file is not UTF-8 text: byte %(byte)s, in line %(line)s, is invalid.", **values)) from None
    if "\0" in text:
        _check_content(upload)
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Refused(
            _("The file has a NUL character in line %(line)s; a bot is Python source, plain text.", line=line)
        )


def _check_content(upload: bytes) -> None:
    """Refuse content that is not text, naming its format if it is known."""
    what = next((what for beginning, what in _OTHERS.items() if upload.startswith(beginning)), "")
    if not what and upload[257:262] == b"ustar":
        what = N_("a tar archive")
    if not what and find_end(upload) >= 0:
        what = N_("a zip archive with something before it")
    if what:
        raise Refused(
            _("The file is %(what)s; a bot is Python source in UTF-8, or a zip of several files.", what=_(what))
        )
