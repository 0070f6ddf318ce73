"""Compilation of an upload to an image, which a bot's process loads.

An image is compiled by a process that never runs the bot, and loaded by processes that run nothing else. It is laid out
for mapping: the bytes of all files, the code of all modules, a table of their positions and, at the end, the position
of that table. Only the table is read in advance.
"""

import marshal
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import decode_source
from struct import Struct
from types import CodeType
from typing import Final, NamedTuple

from arena.games.errors import Refused
from arena.sdk.archive import unpack
from arena.sdk.blame import fault_of
from arena.sdk.faults import Fault
from arena.sdk.layout import layout_of
from arena.sdk.upload import MIB, UploadBounds, check

Buffer = bytes | bytearray | memoryview

CEILING: Final = UploadBounds(packed=64 * MIB, unpacked=100 * MIB, files=1000)
"""Highest limits that an operator may set; images are kept in memory."""
_FOOT: Final = Struct("<Q")


class Place(NamedTuple):
    """Position of an item in an image."""

    start: int
    size: int


class Program(NamedTuple):
    """An upload before compilation."""

    main: str
    """Name of the module with the bot."""
    modules: Mapping[str, str]
    """File of each module by dotted name; empty for a folder without ``__init__.py``."""
    files: Iterator[tuple[str, Iterable[bytes]]]
    """Name and bytes of each file, in pieces."""


def build(upload: bytes, filename: str = "bot.py") -> Iterator[bytes]:
    """Yield the image of an upload in pieces. A single module is called `filename`. Raises `Fault`."""
    try:
        program = _program(upload, filename)
        yield from _image(program)
    except Refused as refused:
        raise Fault("error", str(refused), stage="parse") from None
    except MemoryError as error:
        raise fault_of(error, (), "parse") from None


def _program(upload: bytes, filename: str) -> Program:
    entries = check(upload, CEILING)
    if entries is None:
        return Program("bot", {"bot": filename}, iter([(filename, [upload])]))
    layout = layout_of([entry.name for entry in entries])
    whole = memoryview(upload)
    files = ((entry.name.removeprefix(layout.root), unpack(whole, entry)) for entry in entries)
    return Program(layout.main, layout.modules, files)


def _image(program: Program) -> Iterator[bytes]:
    at = 0
    files: dict[str, tuple[int, int]] = {}
    compiled: dict[str, tuple[int, int]] = {"": (0, 0)}
    sources = {file for file in program.modules.values() if file}
    for name, pieces in program.files:
        start = at
        source = b"".join(pieces) if name in sources else b""
        for piece in [source] if source else pieces:
            yield piece
            at += len(piece)
        files[name] = (start, at - start)
        if name in sources:
            code = _compile(name, source, sources)
            yield code
            compiled[name] = (at, len(code))
            at += len(code)
    modules = {name: (file, *compiled[file]) for name, file in program.modules.items()}
    yield marshal.dumps((program.main, files, modules))
    yield _FOOT.pack(at)


def _compile(name: str, source: bytes, sources: set[str]) -> bytes:
    try:
        return marshal.dumps(compile(source, name, "exec", dont_inherit=True))
    except BaseException as error:
        raise fault_of(error, sources, "parse") from None


class Image:
    """A compiled program. Use it only in the process that runs the bot: an image is as untrusted as its bot."""

    def __init__(self, buffer: Buffer) -> None:
        self._view = memoryview(buffer)
        end = len(self._view) - _FOOT.size
        [table] = _FOOT.unpack_from(self._view, end)
        self.main: str
        """Name of the module with the bot."""
        self.files: dict[str, tuple[int, int]]
        """Offset and length of the bytes of each file."""
        self.modules: dict[str, tuple[str, int, int]]
        """File of each module, and the position of its code."""
        self.main, self.files, self.modules = marshal.loads(self._view[table:end])  # noqa: S302

    def data(self, file: str) -> bytes:
        """Return the bytes of a file. Raises `KeyError`."""
        start, size = self.files[file]
        return bytes(self._view[start : start + size])

    def source(self, file: str) -> str:
        """Return the text of a module's file. Raises `KeyError`."""
        return decode_source(self.data(file))

    def code(self, module: str) -> CodeType | None:
        """Return the code of a module; None for a folder without ``__init__.py``. Raises `KeyError`."""
        _, start, size = self.modules[module]
        code: CodeType | None = marshal.loads(self._view[start : start + size]) if size else None  # noqa: S302
        return code
