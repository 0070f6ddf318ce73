"""Accepted and refused uploads, with reasons. The check runs and unpacks nothing."""

import io
import random
import stat
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.errors import Refused
from arena.sdk.archive import Member, unpack
from arena.sdk.upload import UploadBounds, check
from tests.sdk.zips import BOT, directory, packed, patched, renamed

HELPED = packed({"bot.py": b"import helper\n" + BOT, "helper.py": "ANSWER = 42\n", "data/table.json": "{}" * 500})


def names(archive: bytes, bounds: UploadBounds = UploadBounds()) -> list[str]:  # noqa: B008 - it is frozen
    """Return the names of the accepted files."""
    entries = check(archive, bounds)
    assert entries is not None
    return [entry.name for entry in entries]


def unpacked(archive: bytes, entry: Member) -> bytes:
    """Return a file in one piece."""
    return b"".join(unpack(memoryview(archive), entry))


def contents(archive: bytes) -> dict[str, bytes]:
    """Return the accepted files, unpacked."""
    return {entry.name: unpacked(archive, entry) for entry in check(archive) or ()}


def special(name: str, kind: int) -> bytes:
    """Return an archive with a file of this kind next to the bot."""
    info = zipfile.ZipInfo(name)
    info.external_attr = kind << 16
    buffer = io.BytesIO(packed({"bot.py": BOT}))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


class Unseekable(io.RawIOBase):
    """A target to which a zip must be written as a stream, like a pipe."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.data += bytes(data)
        return len(data)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_valid_archive_is_accepted(method: int) -> None:
    """Files may be stored or deflated, with entries for folders, an archive comment, and names in any script."""
    files = {"bot.py": BOT, "data/": b"", "data/größe-数.txt": b"x" * 5000, "empty": b""}
    buffer = io.BytesIO(packed(files, method))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.comment = b"9d2b0228fa74c55f9e3a4a1e"

    assert contents(buffer.getvalue()) == {name: data for name, data in files.items() if name != "data/"}


def test_streamed_archive_is_accepted() -> None:
    """Its sizes follow each file."""
    stream = Unseekable()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", BOT)
        archive.writestr("more.bin", b"y" * 1000)

    assert contents(stream.data) == {"bot.py": BOT, "more.bin": b"y" * 1000}


def test_upload_may_have_the_allowed_size_and_no_byte_more() -> None:
    """The limit is on the packed size."""
    assert check(BOT, UploadBounds(packed=len(BOT))) is None
    with pytest.raises(Refused, match=f"a bot may have {len(BOT) - 1:,}"):
        check(BOT, UploadBounds(packed=len(BOT) - 1))


def test_system_files_are_ignored() -> None:
    """Hidden files, caches and Finder files do not count towards the limit."""
    extra = ["__MACOSX/._bot.py", ".DS_Store", "lib/__pycache__/a.pyc", ".git/HEAD", "lib/.hidden"]

    assert names(packed({"bot.py": BOT, **dict.fromkeys(extra, b"?")}), UploadBounds(files=1)) == ["bot.py"]


def test_content_decides_and_not_the_name() -> None:
    """Source is not an archive, and an archive is one under any name."""
    assert check(BOT) is None
    assert check("# ünïcode\n".encode() + BOT) is None
    assert names(HELPED) == ["bot.py", "helper.py", "data/table.json"]


@pytest.mark.parametrize(
    ("upload", "says"),
    [
        (b"", "The file is empty"),
        (b" \n\t\n", "The file is empty"),
        (b"x" * (10 * 2**20 + 1), "10,485,761 bytes; a bot may have 10,485,760"),
        (b"x = 1\ny = '\xff'\n", "not UTF-8 text: byte 11, in line 2"),
        (b"x = 1\n\0", "NUL character in line 2"),
        (b"\x1f\x8b\x08\0\0\xff", "is a gzip archive; a bot is Python source in UTF-8, or a zip"),
        (b"Rar!\x1a\x07\x01\0\xff", "is a RAR archive"),
        (b"MZ\x90\0\x03", "is a Windows program"),
        (b"\x7fELF\2\1\1\0", "is a program"),
        ("def act(view): ...".encode("utf-16"), "is text in UTF-16"),
        (b"bot.py".ljust(257, b"\0") + b"ustar\x0000", "is a tar archive"),
        (b"#!/bin/sh\n" + HELPED, "is a zip archive with something before it"),
    ],
)
def test_other_formats_are_named(upload: bytes, says: str) -> None:
    """The author learns what was picked by mistake."""
    with pytest.raises(Refused, match=says):
        check(upload)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../../x.py", "The name ../../x.py has parts that are empty or only dots"),
        ("lib/../x.py", "has parts that are empty or only dots"),
        ("lib/./../x", "has parts that are"),
        ("a//////b.py", "has parts that are"),
        ("/etc/passwd", "The name /etc/passwd is absolute"),
        ("C:/evil.txt", "The name C:/evil.txt is absolute"),
        ("..\\evil.txt", "has a backslash"),
        ("a\nb.txt", "is empty or has invisible characters"),
        ("a\u202etxt.py", "is empty or has invisible characters"),
        ("d/" * 100 + "x", "is longer than 200 characters"),
        ("bot.py/x.txt", "bot.py is both a file and the folder of bot.py/x.txt"),
        ("BOT.py", "bot.py and BOT.py have the same name on some computers"),
        ("ｂot.py", "have the same name on some computers"),
    ],
)
def test_unsafe_name_is_refused(name: str, says: str) -> None:
    """Names that lead elsewhere, are ambiguous or cannot be displayed are refused."""
    archive = packed({"bot.py": BOT, "x" * len(name.encode()): b"data"})

    with pytest.raises(Refused, match=says.replace("(", r"\(")):
        check(renamed(archive, "x" * len(name.encode()), name))


def test_name_that_is_not_utf_8_is_refused() -> None:
    """Its meaning depends on the computer that packed it."""
    with pytest.raises(Refused, match=r"gr.x94.xe1e.txt is not UTF-8; please rename"):
        check(renamed(packed({"bot.py": BOT, "grXXe.txt": b""}), b"grXXe.txt", b"gr\x94\xe1e.txt"))


def test_name_in_two_unicode_forms_is_one_name() -> None:
    """macOS and Linux write the same name differently."""
    with pytest.raises(Refused, match="have the same name"):
        check(packed({"bot.py": BOT, "n\u00e9.txt": b"", "ne\u0301.txt": b""}))
    assert names(packed({"bot.py": BOT, "ne\u0301.txt": b""})) == ["bot.py", "n\u00e9.txt"]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (stat.S_IFLNK, "passwd is a link; put the file itself into the archive"),
        (stat.S_IFIFO, "passwd is neither a plain file nor a folder"),
        (stat.S_IFCHR, "passwd is neither"),
        (stat.S_IFSOCK, "passwd is neither"),
        (stat.S_IFDIR, "passwd is neither"),
    ],
)
def test_links_and_special_files_are_refused(kind: int, says: str) -> None:
    """An archive may hold only plain files and folders."""
    with pytest.raises(Refused, match=says):
        check(special("passwd", kind | 0o777))


def flags(mask: int) -> Callable[[bytes], bytes]:
    """Set flags of the first file, in both places."""
    return lambda one: patched(
        patched(one, 6, mask.to_bytes(2, "little")), directory(one) + 8, mask.to_bytes(2, "little")
    )


def method(number: int) -> Callable[[bytes], bytes]:
    """Set the compression of the first file, in both places."""
    two = number.to_bytes(2, "little")
    return lambda one: patched(patched(one, 8, two), directory(one) + 10, two)


def size(number: int) -> Callable[[bytes], bytes]:
    """Set the unpacked size of the first file, in both places."""
    four = number.to_bytes(4, "little")
    return lambda one: patched(patched(one, 22, four), directory(one) + 24, four)


def end(at: int, number: int, width: int = 2) -> Callable[[bytes], bytes]:
    """Set a field of the end record."""
    return lambda one: patched(one, len(one) - 22 + at, number.to_bytes(width, "little"))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (flags(0x1), "bot.py is encrypted; pack the archive without a password"),
        (flags(0x40), "bot.py is encrypted"),
        (flags(0x2000), "bot.py is encrypted"),
        (flags(0x20), "bot.py uses a zip feature that bots may not use"),
        (method(9), "bot.py is packed with Deflate64"),
        (method(14), "bot.py is packed with LZMA"),
        (method(99), "bot.py is packed with method 99"),
        (size(0xFFFFFFFF), "bot.py uses a zip feature that bots may not use"),
        (size(50 * 2**20), "bot.py declares 52,428,800 bytes, but .* packed bytes cannot hold them"),
        (end(4, 1), "one part of several"),
        (end(8, 9), "one part of several"),
        (end(16, 0xFFFFFFFF, 4), "in the zip64 format"),
        (end(16, 7, 4), "bytes that belong to no file stand before it"),
        (end(12, 45, 4), "bytes that belong to no file stand before it"),
        (lambda one: one[:-1], "cut off, or something follows its end"),
        (lambda one: one[: len(one) // 2], "cut off"),
        (lambda one: one + b"\0", "cut off, or something follows its end"),
        (lambda one: one[:4] + one, "stand before it"),
        (lambda one: patched(one, 30, b"BOT"), "its directory and headers disagree about bot.py"),
        (lambda one: patched(one, 14, b"\0\0\0\0"), "its directory and headers disagree about bot.py"),
        (lambda one: patched(one, directory(one), b"PK\3\4"), "The archive is damaged"),
        (lambda one: patched(one, directory(one) + 28, b"\xff\xff"), "The archive is damaged"),
        (lambda one: patched(one, directory(one) + 42, b"\1\0\0\0"), "bot.py comes after bytes that belong to no file"),
    ],
)
def test_damaged_archive_is_refused_with_a_reason(spoil: Callable[[bytes], bytes], says: str) -> None:
    """Encrypted, unsupported, truncated or contradictory archives are refused."""
    with pytest.raises(Refused, match=says):
        check(spoil(HELPED))


def test_overlapping_files_are_refused() -> None:
    """A bomb of overlapping files stays small with any number of them."""
    archive = packed({"bot.py": BOT, "a.bin": b"0" * 10000, "b.bin": b"0" * 10000})
    second = directory(archive) + 46 + len("bot.py") + 46 + len("a.bin")
    first = archive[second - 46 - 5 + 42 : second - 46 - 5 + 46]

    with pytest.raises(Refused, match=r"b.bin overlaps another file"):
        check(patched(archive, second + 42, first))


def test_numbers_of_files_and_bytes_are_limited() -> None:
    """Declared sizes count; unpacking enforces them."""
    many = packed({"bot.py": BOT, **{f"{number}.txt": b"" for number in range(20)}})
    large = packed({"bot.py": BOT, "zeros": bytes(2**20)})

    with pytest.raises(Refused, match="has 21 files; a bot may have 20"):
        check(many, UploadBounds(files=20))
    with pytest.raises(Refused, match="has 21 entries; a bot may have 2 files"):
        check(many, UploadBounds(files=2))
    with pytest.raises(Refused, match=r"unpacks to 1,048,616 bytes; a bot may have 1,048,615"):
        check(large, UploadBounds(unpacked=2**20 + len(BOT) - 1))
    assert len(names(large, UploadBounds(unpacked=2**20 + len(BOT)))) == 2


def test_large_files_are_unpacked_in_pieces() -> None:
    """The ratio and the layout of the packed bytes do not matter."""
    noise = random.Random(1).randbytes(3 * 2**20 + 17)
    archive = packed({"bot.py": BOT, "noise": noise, "zeros": bytes(5 * 2**20), "empty": b""})
    archive = packed({"inner.zip": archive, "bot.py": BOT}, zipfile.ZIP_STORED)

    [inner, _] = check(archive) or []
    pieces = list(unpack(memoryview(archive), inner))
    assert max(map(len, pieces)) == 2**20
    assert contents(b"".join(pieces)) == {"bot.py": BOT, "noise": noise, "zeros": bytes(5 * 2**20), "empty": b""}


def test_file_is_unpacked_to_its_declared_size() -> None:
    """A stream that holds more or less, or another checksum, is refused."""
    archive = packed({"bot.py": BOT, "zeros": bytes(2**20)})
    zeros = (check(archive) or [])[1]

    for lie in (zeros._replace(size=1000), zeros._replace(size=2**21)):
        with pytest.raises(Refused, match=r"zeros does not unpack to the .* bytes that it declares"):
            unpacked(archive, lie)
    with pytest.raises(Refused, match="zeros is damaged: its checksum is wrong"):
        unpacked(archive, zeros._replace(crc=1))
    for lie in (
        zeros._replace(start=zeros.start + 1),
        zeros._replace(packed=zeros.packed - 5),
        zeros._replace(packed=zeros.packed + 5),
    ):
        with pytest.raises(Refused, match="zeros is damaged: it cannot be unpacked"):
            unpacked(archive, lie)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([], "needs a bot.py, or one package .* at its top; it has neither"),
        (["readme.md"], "it has neither"),
        (["src/thing.py", "readme.md"], "it has neither"),
        (["one/__init__.py", "two/__init__.py"], r"it has several packages \(one, two\)"),
        (["bot.py", "random.py"], "random.py cannot be imported, because random is the standard library's name"),
        (["bot.py", "json/tables.py"], "json/tables.py cannot be imported, because json is the standard"),
        (["bot.py", "arena/sdk/__init__.py"], "because arena is the arena's name; please rename it"),
        (["numpy/__init__.py"], "because numpy is numpy's name"),
    ],
)
def test_archive_without_a_bot_is_refused(files: list[str], says: str) -> None:
    """An archive whose modules cannot be imported is refused, too."""
    with pytest.raises(Refused, match=says):
        check(packed(dict.fromkeys(files, b"")))


ANY_ARCHIVE = st.sampled_from(
    [
        HELPED,
        packed({"bot.py": BOT, "data.bin": bytes(range(256))}, zipfile.ZIP_STORED),
        packed({"me/__init__.py": BOT}),
    ]
)
CUTS = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 40), st.binary(max_size=40)), min_size=1, max_size=3)


def read(upload: bytes) -> list[tuple[Member, bytes]] | Refused:
    """Return the accepted files, unpacked, or the refusal; any other error fails the test."""
    try:
        return [(entry, unpacked(upload, entry)) for entry in check(upload) or ()]
    except Refused as refused:
        return refused


@given(ANY_ARCHIVE, CUTS)
@settings(max_examples=400, deadline=None)
def test_any_archive_is_read_or_refused(archive: bytes, cuts: list[tuple[int, int, bytes]]) -> None:
    """A modified archive raises no other error, and `zipfile` reads accepted archives with the same result."""
    for at, length, put in cuts:
        archive = archive[:at] + put + archive[at + length :]
    got = read(archive)
    if isinstance(got, Refused):
        assert str(got).isprintable()
    elif got:
        with zipfile.ZipFile(io.BytesIO(archive)) as other:
            assert all(data == other.read(entry.name) for entry, data in got)


@given(st.binary(max_size=200), st.integers(0, 30), st.binary(max_size=8))
@settings(max_examples=300, deadline=None)
def test_any_upload_is_accepted_or_refused(upload: bytes, at: int, put: bytes) -> None:
    """Uploads that begin or end like an archive raise no other error."""
    end = HELPED[-22:]
    for candidate in (upload, b"PK\3\4" + upload, upload + end, end[:at] + put + end[at:]):
        got = read(candidate)
        assert got == [] or isinstance(got, Refused)
