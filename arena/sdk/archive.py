"""Reader for untrusted zip archives: the directory first, and the bytes of a file only on request.

Programs that read a zip's directory and programs that read its files may see different contents, and most attacks use
that gap. Here every byte of the archive belongs to exactly one thing: the files lie end to end from the first byte,
each with a header that agrees with the directory; then come the directory and its end record, then nothing. Features
that no bot needs (encryption, several disks, zip64, rare compression) are refused. Python's own zipfile is more lenient
by design, and its imports would make every fork of the zygote more expensive.

`read_directory` inflates nothing. `unpack` inflates one file, up to its declared size. Both raise `Refused` with a
sentence for the author that names the file.
"""

import stat
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final, NamedTuple

from arena.games.errors import Refused
from arena.words import N_, _, number

END: Final = b"PK\5\6"
BEGINNINGS: Final = (b"PK\3\4", END)
"""First bytes of a zip: its first file or, if empty, its end record."""
NAME_LIMIT: Final = 200
"""Maximum length of a file name with its folders, in characters."""

_END: Final = Struct("<4sHHHHLLH")
_CENTRAL: Final = Struct("<4s4xHH4xLLLHHHHHLL")
_LOCAL: Final = Struct("<4s2xHH4xLLLHH")
_COMMENT_LIMIT: Final = 0xFFFF
_LARGE: Final = 0xFFFFFFFF
"""Placeholder for a number that is stored in zip64 records."""
_STORED, _DEFLATED = 0, 8
_METHODS: Final = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 98: "PPMd"}
_ENCRYPTED: Final = 0x2041
_STREAMED: Final = 0x8
"""Flag: sizes and checksum of the file follow its bytes."""
_KNOWN: Final = 0x80E
_COMPARED: Final = 0x808
_RATIO: Final = 1032
"""Maximum ratio of unpacked to packed bytes with deflate."""
_CROWD: Final = 10
"""Maximum number of entries per allowed file; leaves room for folders and hidden files, which are not counted."""
_PIECE: Final = 1024 * 1024
_HIDDEN: Final = ("__MACOSX", "__pycache__")
_OVERLAP: Final = N_("The archive is damaged: %(name)s overlaps another file.")
_GAP: Final = N_("The archive is damaged: %(name)s comes after bytes that belong to no file.")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


class Member(NamedTuple):
    """One file of an archive."""

    name: str
    """Path with folders, separated by slashes, in Unicode normal form NFC."""
    size: int
    """Unpacked size in bytes, as declared; enforced by `unpack`."""
    packed: int
    method: int
    crc: int
    start: int
    """Offset of its packed bytes."""


class _Raw(NamedTuple):
    """One record of the directory, unchanged."""

    name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    attributes: int
    offset: int


def is_archive(upload: bytes) -> bool:
    """Return whether these bytes begin like a zip."""
    return upload.startswith(BEGINNINGS)


def read_directory(archive: bytes, files: int) -> list[Member]:
    """Return the files of an archive in order, at most `files`, without folders and hidden files. Raises `Refused`."""
    end = find_end(archive)
    if end < 0:
        raise Refused(_("The archive is cut off, or something follows its end; please pack it again."))
    records = list(_records(archive, end, files))
    starts = _starts(archive, records, end)
    entries = [_entry(record, start) for record, start in zip(records, starts, strict=True)]
    wanted = [entry for entry in entries if not entry.name.endswith("/") and not hidden(entry.name)]
    if len(wanted) > files:
        values = {"count": number(len(wanted)), "most": number(files)}
        raise Refused(_("The archive has %(count)s files; a bot may have %(most)s.", **values))
    _check_apart(entry.name for entry in wanted)
    return wanted


def hidden(name: str) -> bool:
    """Return whether a file is ignored: dot files, Python caches, and files added by the macOS Finder."""
    return any(part.startswith(".") or part in _HIDDEN for part in name.split("/"))


def unpack(archive: memoryview, entry: Member) -> Iterator[bytes]:
    """Yield the bytes of a file, in pieces of at most one mebibyte. Raises `Refused`."""
    packed = archive[entry.start : entry.start + entry.packed]
    crc = 0
    for piece in _slices(packed) if entry.method == _STORED else _inflate(packed, entry):
        crc = zlib.crc32(piece, crc)
        yield piece
    if crc != entry.crc:
        raise Refused(_("%(name)s is damaged: its checksum is wrong.", name=shown(entry.name)))


def find_end(archive: bytes) -> int:
    """Return the offset of the end record that ends exactly at the last byte; negative if there is none."""
    at = len(archive)
    lowest = at - _END.size - _COMMENT_LIMIT
    while (at := archive.rfind(END, max(0, lowest), at + 3)) >= 0:
        if at + _END.size <= len(archive) and at + _END.size + _END.unpack_from(archive, at)[7] == len(archive):
            break
    return at


def shown(name: str) -> str:
    """Quote a name for a message: short and printable, whatever it contains."""
    return name if len(name) <= NAME_LIMIT and name.isprintable() and name.isascii() else repr(name[:NAME_LIMIT])


def _records(archive: bytes, end: int, files: int) -> Iterator[_Raw]:
    _signature, disk, first_disk, here, count, size, start, _comment = _END.unpack_from(archive, end)
    if disk or first_disk or here != count:
        raise Refused(_("The archive is one part of several; a bot must be a single file."))
    if _LARGE in (size, start) or count == 0xFFFF:
        raise Refused(_("The archive is in the zip64 format, which is for archives too large for a bot."))
    if start + size != end:
        raise Refused(_("The archive is damaged, or bytes that belong to no file stand before it."))
    if count > _CROWD * files:
        values = {"count": number(count), "most": number(files)}
        raise Refused(_("The archive has %(count)s entries; a bot may have %(most)s files.", **values))
    at = start
    for _record_number in range(count):
        record, at = _record(archive, at, end)
        yield record
    if at != end:
        raise _damaged()


def _record(archive: bytes, at: int, end: int) -> tuple[_Raw, int]:
    """Return the record at this offset, and the offset of the next one."""
    if at + _CENTRAL.size > end:
        raise _damaged()
    fields = _CENTRAL.unpack_from(archive, at)
    signature, flags, method, crc, packed, size, name, extra, comment, disk, _internal, attributes, offset = fields
    at += _CENTRAL.size
    after = at + name + extra + comment
    if signature != b"PK\1\2" or disk or after > end:
        raise _damaged()
    return _Raw(archive[at : at + name], flags, method, crc, packed, size, attributes, offset), after


def _starts(archive: bytes, records: list[_Raw], end: int) -> list[int]:
    """Return the offset of the packed bytes of each record. Files must lie end to end up to the directory."""
    starts = dict.fromkeys(records, 0)
    at = 0
    for record in sorted(records, key=lambda record: record.offset):
        if record.offset != at:
            raise Refused(_(_OVERLAP if record.offset < at else _GAP, name=_quoted(record.name)))
        starts[record] = _start(archive, record)
        at = _after(archive, record, starts[record])
    if at != _END.unpack_from(archive, end)[6]:
        raise Refused(_("The archive is damaged: bytes that belong to no file stand before its directory."))
    return list(starts.values())


def _start(archive: bytes, record: _Raw) -> int:
    """Return the offset of a file's packed bytes, after a header that must agree with the directory."""
    name: int
    extra: int
    if record.offset + _LOCAL.size > len(archive):
        raise _damaged()
    signature, flags, method, *sums, name, extra = _LOCAL.unpack_from(archive, record.offset)
    at = record.offset + _LOCAL.size
    same = (flags ^ record.flags) & _COMPARED == 0 and method == record.method
    if not record.flags & _STREAMED:
        same = same and sums == [record.crc, record.packed, record.size]
    if signature != b"PK\3\4" or not same or archive[at : at + name] != record.name:
        raise _contradictory(record)
    return at + name + extra


def _after(archive: bytes, record: _Raw, start: int) -> int:
    """Return the end offset of a file: its bytes, and its repeated sizes if it was written as a stream."""
    at = start + record.packed
    if not record.flags & _STREAMED:
        return at
    sums = (record.crc, record.packed, record.size)
    for layout in ("<4sLLL", "<4sLQQ", "<LLL", "<LQQ"):
        sums_record = Struct(layout).pack(*([b"PK\7\x08"] if layout.startswith("<4s") else []), *sums)
        if archive.startswith(sums_record, at):
            return at + len(sums_record)
    raise _contradictory(record)


def _entry(record: _Raw, start: int) -> Member:
    name = _name(record.name)
    if not hidden(name):
        _check_kind(name, record)
        _check_packing(name, record)
    return Member(name, record.size, record.packed, record.method, record.crc, start)


def _name(raw: bytes) -> str:
    """Return the name of an entry; folders end with a slash. It cannot lead upwards."""
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        refusal = _("The name %(name)s is not UTF-8; please rename the file with plain letters.", name=_quoted(raw))
        raise Refused(refusal) from None
    if wrong := _wrong(name):
        raise Refused(_(wrong, name=shown(name), most=NAME_LIMIT))
    return unicodedata.normalize("NFC", name)


def _wrong(name: str) -> str:
    """Return the refusal of a name, to be translated; empty if it is valid."""
    if len(name) > NAME_LIMIT:
        return N_("The name %(name)s is longer than %(most)s characters.")
    if not name or any(unicodedata.category(letter) in _UNSEEN for letter in name):
        return N_("The name %(name)s is empty or has invisible characters.")
    if "\\" in name:
        return N_("The name %(name)s has a backslash; folders are separated by /.")
    if name.startswith("/") or (name[1:2] == ":" and name[0].isalpha()):
        return N_("The name %(name)s is absolute; names must be relative to the archive.")
    if any(part in ("", ".", "..") for part in name.removesuffix("/").split("/")):
        return N_("The name %(name)s has parts that are empty or only dots.")
    return ""


def _check_kind(name: str, record: _Raw) -> None:
    kind = stat.S_IFMT(record.attributes >> 16)
    folder = name.endswith("/")
    if kind == stat.S_IFLNK:
        raise Refused(_("%(name)s is a link; put the file itself into the archive.", name=shown(name)))
    if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG) or (folder and record.size):
        raise Refused(_("%(name)s is neither a plain file nor a folder.", name=shown(name)))


def _check_packing(name: str, record: _Raw) -> None:
    if record.flags & _ENCRYPTED:
        raise Refused(_("%(name)s is encrypted; pack the archive without a password.", name=shown(name)))
    if record.method not in (_STORED, _DEFLATED):
        method = _METHODS.get(record.method) or _("method %(number)s", number=record.method)
        values = {"name": shown(name), "method": method}
        raise Refused(_("%(name)s is packed with %(method)s; a bot's files are stored or deflated.", **values))
    if record.flags & ~_KNOWN or _LARGE in (record.size, record.packed):
        raise Refused(_("%(name)s uses a zip feature that bots may not use (zip64 or patches).", name=shown(name)))
    least = record.size if record.method == _STORED else record.size // _RATIO
    if record.packed < least or (record.method == _STORED and record.packed > record.size):
        values = {"name": shown(name), "size": number(record.size), "packed": number(record.packed)}
        raise Refused(_("%(name)s declares %(size)s bytes, but %(packed)s packed bytes cannot hold them.", **values))


def _check_apart(names: Iterable[str]) -> None:
    """Refuse names that are identical on some file systems, by case or by Unicode normalisation."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(_folded(name), name)
        if twin is not name:
            values = {"first": shown(twin), "second": shown(name)}
            raise Refused(_("%(first)s and %(second)s have the same name on some computers.", **values))
    for name in seen.values():
        parts = name.split("/")
        for depth in range(1, len(parts)):
            folder = seen.get(_folded("/".join(parts[:depth])))
            if folder:
                values = {"folder": shown(folder), "name": shown(name)}
                raise Refused(_("%(folder)s is both a file and the folder of %(name)s.", **values))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _slices(packed: memoryview) -> Iterator[bytes]:
    for at in range(0, len(packed), _PIECE):
        yield bytes(packed[at : at + _PIECE])


def _inflate(packed: memoryview, entry: Member) -> Iterator[bytes]:
    size = 0
    try:
        for piece in _inflated(packed):
            size += len(piece)
            if size > entry.size:
                break
            yield piece
    except (zlib.error, EOFError):
        raise Refused(_("%(name)s is damaged: it cannot be unpacked.", name=shown(entry.name))) from None
    if size != entry.size:
        values = {"name": shown(entry.name), "size": number(entry.size)}
        raise Refused(_("%(name)s does not unpack to the %(size)s bytes that it declares.", **values))


def _inflated(packed: memoryview) -> Iterator[bytes]:
    """Yield the contents of a stream. Raises `zlib.error`, and `EOFError` if it ends too early or too late."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    for part in _slices(packed):
        if stream.eof:
            raise EOFError
        while piece := stream.decompress(part, _PIECE):
            yield piece
            part = stream.unconsumed_tail
    if not stream.eof or stream.unused_data:
        raise EOFError


def _damaged() -> Refused:
    return Refused(_("The archive is damaged; please pack it again."))


def _contradictory(record: _Raw) -> Refused:
    name = _quoted(record.name)
    return Refused(_("The archive is damaged: its directory and headers disagree about %(name)s.", name=name))


def _quoted(raw: bytes) -> str:
    return shown(raw.decode("utf-8", "backslashreplace"))
