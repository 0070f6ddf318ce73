"""From an upload to the image of a program, which a bot's process loads.

An image is compiled by a process that never runs the bot, and it is loaded by processes that run nothing else. It is
made for being mapped: the bytes of all files, the code of all modules, a table of where they are, and at last where
that table begins. Nothing but the table is read before it is wanted.
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
from arena.sdk.upload import MIB, Bounds, check

Buffer = bytes | bytearray | memoryview

CEILING: Final = Bounds(packed=64 * MIB, unpacked=100 * MIB, files=1000)
"""What nobody may allow more than: images are kept in memory."""
_FOOT: Final = Struct("<Q")


class Place(NamedTuple):
    """Where something is in an image."""

    start: int
    size: int


class Program(NamedTuple):
    """What is uploaded, before it is compiled."""

    main: str
    """The name of the module with the bot."""
    modules: Mapping[str, str]
    """The file of each module, by dotted name; an empty text for a folder without ``__init__.py``."""
    files: Iterator[tuple[str, Iterable[bytes]]]
    """Name and bytes of each file, in pieces."""


def build(upload: bytes, filename: str = "bot.py") -> Iterator[bytes]:
    """The image of an upload, piece by piece. A single module is called `filename`. Raises Fault."""
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
    """A program as it was built. Only for the process that runs the bot: it is as trustworthy as the bot."""

    def __init__(self, buffer: Buffer) -> None:
        self._view = memoryview(buffer)
        end = len(self._view) - _FOOT.size
        [table] = _FOOT.unpack_from(self._view, end)
        self.main: str
        """The name of the module with the bot."""
        self.files: dict[str, tuple[int, int]]
        """Where the bytes of each file are: first and number."""
        self.modules: dict[str, tuple[str, int, int]]
        """The file of each module, and where its code is."""
        self.main, self.files, self.modules = marshal.loads(self._view[table:end])  # noqa: S302

    def data(self, file: str) -> bytes:
        """The bytes of a file. Raises KeyError."""
        start, size = self.files[file]
        return bytes(self._view[start : start + size])

    def source(self, file: str) -> str:
        """The text of a module's file. Raises KeyError."""
        return decode_source(self.data(file))

    def code(self, module: str) -> CodeType | None:
        """What runs when the module is imported; None for a folder without ``__init__.py``. Raises KeyError."""
        _, start, size = self.modules[module]
        code: CodeType | None = marshal.loads(self._view[start : start + size]) if size else None  # noqa: S302
        return code
