"""Reading a zip that nobody trusts: its directory first, and a file's bytes only where they are wanted.

Whoever reads a zip's directory and whoever reads its files may see different things in it, and most attacks live in
that gap. Here every byte of the archive belongs to exactly one thing: the files lie end to end from the first byte on,
each with a header that agrees with the directory; then comes the directory, then its end, then nothing. What no bot
needs (encryption, several disks, zip64, rare compression) is refused. Python's own zipfile reads more than that, on
purpose, and what it imports would make every fork of the zygote dearer.

`read_directory` inflates nothing. `unpack` inflates one file, to its declared size and not a byte further. Both raise
Refused, with a sentence for the author that names the file.
"""

import stat
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final, NamedTuple

from arena.games.errors import Refused

END: Final = b"PK\5\6"
BEGINNINGS: Final = (b"PK\3\4", END)
"""How a zip begins: with its first file, or, empty, with its end."""
NAME_LIMIT: Final = 200
"""The longest name of a file with its folders, in characters."""

_END: Final = Struct("<4sHHHHLLH")
_CENTRAL: Final = Struct("<4s4xHH4xLLLHHHHHLL")
_LOCAL: Final = Struct("<4s2xHH4xLLLHH")
_COMMENT_LIMIT: Final = 0xFFFF
_LARGE: Final = 0xFFFFFFFF
"""What stands in the place of a number that only zip64 can tell."""
_STORED, _DEFLATED = 0, 8
_METHODS: Final = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 98: "PPMd"}
_ENCRYPTED: Final = 0x2041
_STREAMED: Final = 0x8
"""A flag: sizes and checksum of the file follow its bytes."""
_KNOWN: Final = 0x80E
_COMPARED: Final = 0x808
_RATIO: Final = 1032
"""Deflate makes no byte into more."""
_CROWD: Final = 10
"""How many entries an archive may have for each file that is allowed: folders and hidden files are not counted."""
_PIECE: Final = 1024 * 1024
_HIDDEN: Final = ("__MACOSX", "__pycache__")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


class Entry(NamedTuple):
    """One file of an archive."""

    name: str
    """With its folders, separated by slashes; in Unicode's composed form."""
    size: int
    """Bytes, unpacked, as declared; `unpack` holds it to that."""
    packed: int
    method: int
    crc: int
    start: int
    """Where its packed bytes begin."""


class _Raw(NamedTuple):
    """One record of the directory, as it stands there."""

    name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    attributes: int
    offset: int


def is_archive(upload: bytes) -> bool:
    """Whether these bytes begin as a zip does."""
    return upload.startswith(BEGINNINGS)


def read_directory(archive: bytes, files: int) -> list[Entry]:
    """The files of an archive in their order, so many at most, without folders and hidden files. Raises Refused."""
    end = find_end(archive)
    if end < 0:
        raise Refused("The archive is cut off, or something follows its end; please pack it again.")
    records = list(_records(archive, end, files))
    starts = _starts(archive, records, end)
    entries = [_entry(record, start) for record, start in zip(records, starts, strict=True)]
    wanted = [entry for entry in entries if not entry.name.endswith("/") and not hidden(entry.name)]
    if len(wanted) > files:
        raise Refused(f"The archive has {len(wanted):,} files; a bot may have {files:,}.")
    _check_apart(entry.name for entry in wanted)
    return wanted


def hidden(name: str) -> bool:
    """Whether a file is left out: one that begins with a dot, a cache of Python's, or what the Finder adds."""
    return any(part.startswith(".") or part in _HIDDEN for part in name.split("/"))


def unpack(archive: memoryview, entry: Entry) -> Iterator[bytes]:
    """The bytes of a file, in pieces of at most a mebibyte. Raises Refused."""
    packed = archive[entry.start : entry.start + entry.packed]
    crc = 0
    for piece in _slices(packed) if entry.method == _STORED else _inflate(packed, entry):
        crc = zlib.crc32(piece, crc)
        yield piece
    if crc != entry.crc:
        raise Refused(f"{shown(entry.name)} is damaged: its checksum is wrong.")


def find_end(archive: bytes) -> int:
    """Where the record stands that ends the archive with the last of these bytes; below zero where there is none."""
    at = len(archive)
    lowest = at - _END.size - _COMMENT_LIMIT
    while (at := archive.rfind(END, max(0, lowest), at + 3)) >= 0:
        if at + _END.size <= len(archive) and at + _END.size + _END.unpack_from(archive, at)[7] == len(archive):
            break
    return at


def shown(name: str) -> str:
    """A name for a sentence: whatever it holds, it is short and can be read."""
    return name if len(name) <= NAME_LIMIT and name.isprintable() and name.isascii() else repr(name[:NAME_LIMIT])


def _records(archive: bytes, end: int, files: int) -> Iterator[_Raw]:
    _, disk, first_disk, here, count, size, start, _ = _END.unpack_from(archive, end)
    if disk or first_disk or here != count:
        raise Refused("The archive is one part of several; a bot must be in one.")
    if _LARGE in (size, start) or count == 0xFFFF:
        raise Refused("The archive is in the zip64 format, which is for what is too large for a bot.")
    if start + size != end:
        raise Refused("The archive is damaged, or bytes that belong to no file stand before it.")
    if count > _CROWD * files:
        raise Refused(f"The archive has {count:,} entries; a bot may have {files:,} files.")
    at = start
    for _ in range(count):
        record, at = _record(archive, at, end)
        yield record
    if at != end:
        raise _damaged()


def _record(archive: bytes, at: int, end: int) -> tuple[_Raw, int]:
    """The record that stands there, and where the next one begins."""
    if at + _CENTRAL.size > end:
        raise _damaged()
    fields = _CENTRAL.unpack_from(archive, at)
    signature, flags, method, crc, packed, size, name, extra, comment, disk, _, attributes, offset = fields
    at += _CENTRAL.size
    after = at + name + extra + comment
    if signature != b"PK\1\2" or disk or after > end:
        raise _damaged()
    return _Raw(archive[at : at + name], flags, method, crc, packed, size, attributes, offset), after


def _starts(archive: bytes, records: list[_Raw], end: int) -> list[int]:
    """Where the packed bytes of each record begin: they lie end to end, from the first byte to the directory."""
    starts = dict.fromkeys(records, 0)
    at = 0
    for record in sorted(records, key=lambda record: record.offset):
        if record.offset != at:
            how = "overlaps another file" if record.offset < at else "comes after bytes that belong to no file"
            raise Refused(f"The archive is damaged: {_quoted(record.name)} {how}.")
        starts[record] = _start(archive, record)
        at = _after(archive, record, starts[record])
    if at != _END.unpack_from(archive, end)[6]:
        raise Refused("The archive is damaged: bytes that belong to no file stand before its directory.")
    return list(starts.values())


def _start(archive: bytes, record: _Raw) -> int:
    """Where the file's packed bytes begin, behind a header that says what the directory says."""
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
        raise Refused(f"The archive is damaged: it says two things about {_quoted(record.name)}.")
    return at + name + extra


def _after(archive: bytes, record: _Raw, start: int) -> int:
    """Where what belongs to the file ends: its bytes, and its sizes once more where it was written as a stream."""
    at = start + record.packed
    if not record.flags & _STREAMED:
        return at
    sums = (record.crc, record.packed, record.size)
    for layout in ("<4sLLL", "<4sLQQ", "<LLL", "<LQQ"):
        told = Struct(layout).pack(*([b"PK\7\x08"] if layout.startswith("<4s") else []), *sums)
        if archive.startswith(told, at):
            return at + len(told)
    raise Refused(f"The archive is damaged: it says two things about {_quoted(record.name)}.")


def _entry(record: _Raw, start: int) -> Entry:
    name = _name(record.name)
    if not hidden(name):
        _check_kind(name, record)
        _check_packing(name, record)
    return Entry(name, record.size, record.packed, record.method, record.crc, start)


def _name(raw: bytes) -> str:
    """The name of an entry, of a folder with a slash at its end. It can only lead downwards."""
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        raise Refused(f"The name {_quoted(raw)} is not UTF-8; please rename the file with plain letters.") from None
    if wrong := _wrong(name):
        raise Refused(f"The name {shown(name)} {wrong}.")
    return unicodedata.normalize("NFC", name)


def _wrong(name: str) -> str:
    """What is wrong with a name; empty where nothing is."""
    if len(name) > NAME_LIMIT:
        return f"is longer than {NAME_LIMIT} characters"
    if not name or any(unicodedata.category(letter) in _UNSEEN for letter in name):
        return "is empty or has characters that cannot be seen"
    if "\\" in name:
        return "has a backslash; folders are separated by /"
    if name.startswith("/") or (name[1:2] == ":" and name[0].isalpha()):
        return "is absolute; names begin in the archive's own folder"
    if any(part in ("", ".", "..") for part in name.removesuffix("/").split("/")):
        return "has parts that are empty or mere dots"
    return ""


def _check_kind(name: str, record: _Raw) -> None:
    kind = stat.S_IFMT(record.attributes >> 16)
    folder = name.endswith("/")
    if kind == stat.S_IFLNK:
        raise Refused(f"{shown(name)} is a link; put the file itself into the archive.")
    if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG) or (folder and record.size):
        raise Refused(f"{shown(name)} is neither a plain file nor a folder.")


def _check_packing(name: str, record: _Raw) -> None:
    if record.flags & _ENCRYPTED:
        raise Refused(f"{shown(name)} is encrypted; pack the archive without a password.")
    if record.method not in (_STORED, _DEFLATED):
        method = _METHODS.get(record.method, f"method {record.method}")
        raise Refused(f"{shown(name)} is packed with {method}; a bot's files are stored or deflated.")
    if record.flags & ~_KNOWN or _LARGE in (record.size, record.packed):
        raise Refused(f"{shown(name)} is packed in a way that is not for bots (zip64, or patches).")
    least = record.size if record.method == _STORED else record.size // _RATIO
    if record.packed < least or (record.method == _STORED and record.packed > record.size):
        raise Refused(f"{shown(name)} claims {record.size:,} bytes, which its {record.packed:,} packed ones cannot be.")


def _check_apart(names: Iterable[str]) -> None:
    """Refuse names that are one and the same on some computer, by case or by another way to write a letter."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(_folded(name), name)
        if twin is not name:
            raise Refused(f"{shown(twin)} and {shown(name)} have the same name, at least on some computers.")
    for name in seen.values():
        parts = name.split("/")
        for depth in range(1, len(parts)):
            folder = seen.get(_folded("/".join(parts[:depth])))
            if folder:
                raise Refused(f"{shown(folder)} is both a file and the folder of {shown(name)}.")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _slices(packed: memoryview) -> Iterator[bytes]:
    for at in range(0, len(packed), _PIECE):
        yield bytes(packed[at : at + _PIECE])


def _inflate(packed: memoryview, entry: Entry) -> Iterator[bytes]:
    size = 0
    try:
        for piece in _inflated(packed):
            size += len(piece)
            if size > entry.size:
                break
            yield piece
    except (zlib.error, EOFError):
        raise Refused(f"{shown(entry.name)} is damaged: it cannot be unpacked.") from None
    if size != entry.size:
        raise Refused(f"{shown(entry.name)} does not unpack to the {entry.size:,} bytes that it declares.")


def _inflated(packed: memoryview) -> Iterator[bytes]:
    """What a stream holds. Raises zlib.error, and EOFError where it ends too early or too late."""
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
    return Refused("The archive is damaged; please pack it again.")


def _quoted(raw: bytes) -> str:
    return shown(raw.decode("utf-8", "backslashreplace"))
