"""Prepare the zygote before it forks: import everything that bots can import, because the cage has no files."""

import gc
import importlib
import importlib.util
import json
import linecache
import os
import pkgutil
import re
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

_ENCODINGS: Final = (
    "ascii", "cp1252", "cp437", "idna", "latin_1", "raw_unicode_escape", "unicode_escape", "utf_16", "utf_8_sig",
)  # fmt: skip

_SAMPLE: Final = b"""
from arena.sdk import Bot, View

class Sample(Bot):
    def act(self, view: View) -> str:
        return view.legal[0]
"""


_LATE: Final = ("_strptime", "_pylong", "_ast_unparse", "zipfile")
"""Modules that are imported only on first use.

They parse dates, multiply large integers (3.12), write trees as source (3.14), and serve ``numpy.load``.
"""

_MATCH: Final = (
    {"op": "load", "setup": ("suitability", {"players": 4}, 0, ("a", "b", "c", "d"), 1)},
    {"op": "act", "view": {"seat": 0, "phase": "", "legal": ["a"]}, "events": [], "time": 1.0},
    {"op": "end", "events": [], "scores": [0], "ranks": [1]},
)
_ROUNDS: Final = 16
"""Number of warm-up matches. The interpreter adapts a function to its arguments after about eight calls."""

_POOLS: Final = re.compile(r"^ *\d+ +(\d+) +\d+ +\d+ +(\d+)$", re.MULTILINE)
"""Size of a block and number of free blocks, in the table of CPython's allocator."""
_BYTES: Final = sys.getsizeof(b"")

_EXECUTABLE: Final = re.compile(r"^\S+ (?:rwx\S|r-x\S \S+ \S+ \S+ *(?:/memfd:.*|/dev/zero.*)?$)", re.MULTILINE)
"""Line of a process's memory map: memory that is executable, and writable or without a file of its own."""

_filled: Final[list[object]] = []


class PackageRefused(Exception):
    """A package cannot be offered to bots: its name, and why."""


def preload(root: str, folders: Sequence[str], packages: Sequence[str]) -> dict[str, str]:
    """Import the usual modules of the standard library, the packages, and only arena, arena.games and arena.sdk.

    The arena is in `root`. `packages` are modules in `folders`; only they and what they import are imported from there.
    Returns the versions of packages by name, empty if one does not say. Raises `PackageRefused`.
    """
    sys.path.append(root)
    vars(os)["register_at_fork"] = _ignore
    del os.times  # the filter refuses its system call, which tells the real time, and the C library hides the error
    for room in ("games", "sdk"):
        _import_all(f"arena.{room}")
    for name in importlib.import_module("arena.sdk.blame").MODULES:
        importlib.import_module(name)
    for name in _ENCODINGS:
        importlib.import_module(f"encodings.{name}")
    for name in filter(importlib.util.find_spec, _LATE):
        importlib.import_module(name)
    sys.path += folders
    for name in packages:
        _offer(name)
    for name, module in sys.modules.items():
        if name.partition(".")[0] == "arena" and hasattr(module, "__path__"):
            module.__path__ = []
    time.localtime()
    _warm_up()
    _read_libraries()
    _forget_files()
    tops = dict.fromkeys(name.partition(".")[0] for name in packages)
    return {top: str(getattr(sys.modules[top], "__version__", "")) for top in tops}


def _offer(name: str) -> None:
    """Import a package. Raises `PackageRefused`."""
    try:
        importlib.import_module(name)
    except Exception as error:
        raise PackageRefused(name, f"it cannot be imported ({type(error).__name__}: {error})") from None
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - importing pathlib would slow down every fork
        raise PackageRefused(name, "it starts a thread when it is imported, so that no bot can be forked safely")
    with open("/proc/self/maps") as maps:  # noqa: PTH123
        if _EXECUTABLE.search(maps.read()):
            raise PackageRefused(name, "it makes executable memory when it is imported, which no bot may have")


def _ignore(**handlers: object) -> None:
    """Discard the fork handlers of `random`, `threading` and `logging`.

    They slow down every fork, and one thread needs none.
    """


def _warm_up() -> None:
    """Serve a bot repeatedly, so that caches that adapt with use are filled here and not in every child."""
    bundle, serve = (importlib.import_module(f"arena.sdk.{name}") for name in ("bundle", "serve"))
    image = b"".join(bundle.build(_SAMPLE))
    for _ in range(_ROUNDS):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs:
            for request in _MATCH:
                ours.send(json.dumps({"nonce": "", **request}).encode())
            ours.shutdown(socket.SHUT_WR)
            service = serve.Service(theirs.fileno(), image)
            service.run()
            service.modules.leave()


def _read_libraries() -> None:
    """Read every page of the interpreter and its libraries into memory.

    Bots share these pages. If the first use read a page from the disk, the time would tell later bots whether an
    earlier one had used it.
    """
    with open("/proc/self/maps") as maps:  # noqa: PTH123 - importing pathlib would slow down every fork
        paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in maps if "/" in line}
    for path in paths:
        with suppress(OSError), open(path, "rb", 0) as file:  # noqa: PTH123
            while file.read(1 << 20):
                pass


def _import_all(package: str) -> None:
    path = importlib.import_module(package).__path__
    for module in pkgutil.walk_packages(path, f"{package}."):
        importlib.import_module(module.name)


def _forget_files() -> None:
    """Disable imports from the file system and hide this package from bots."""
    sys.path.clear()
    sys.path_importer_cache.clear()
    linecache.clearcache()
    for name in [name for name in sys.modules if name.partition(".")[0] == "inside"]:
        del sys.modules[name]
    gc.collect()
    gc.freeze()


def fill_heap_gaps() -> None:
    """Allocate every free block in the heap's used pools, so that a child's objects lie together.

    Imports leave free blocks all over the heap. A bot's objects would fill these first, and each would cost the child a
    copied page and a cache line. With full pools a child starts new ones, and a move takes a sixth less CPU time. Does
    nothing if the allocator prints no statistics.
    """
    for size, free in list(_free_blocks()):
        _filled.extend(_block(size, number) for number in range(free))
    gc.freeze()


def _free_blocks() -> Iterator[tuple[int, int]]:
    for size, free in _POOLS.findall(_statistics()):
        yield int(size), int(free)


def _statistics() -> str:
    """Return what `sys._debugmallocstats` writes to standard error."""
    file, before = os.memfd_create("arena-statistics"), os.dup(2)
    os.dup2(file, 2)
    try:
        sys._debugmallocstats()
    finally:
        os.dup2(before, 2)
        os.close(before)
    with os.fdopen(file) as text:
        text.seek(0)
        return text.read()


def _block(size: int, number: int) -> object:
    """Create an object that takes a block of this size."""
    if size > _BYTES:
        return bytes(size - _BYTES)
    return (1 << 29) + number if size == 32 else object()
