"""What the zygote imports before it forks: all that a bot can ever import, because in the cage there are no files."""

import gc
import importlib
import importlib.util
import json
import linecache
import os
import pkgutil
import signal
import socket
import sys
import time
from typing import Final

_ENCODINGS: Final = (
    "ascii", "cp1252", "idna", "latin_1", "raw_unicode_escape", "unicode_escape", "utf_16", "utf_8_sig",
)  # fmt: skip

_SAMPLE: Final = b"""
from arena.sdk import Bot, View

class Sample(Bot):
    def act(self, view: View) -> str:
        return view.legal[0]
"""


_NUMPY: Final = ("numpy", "numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random")
"""With the parts that numpy itself imports only when they are asked for, which is too late in the cage."""

_LATE: Final = ("_strptime", "_pylong")
"""What the interpreter imports only when it is needed: for reading dates, and from 3.12 on for large integers."""

_MATCH: Final = (
    {"op": "load", "setup": ("suitability", {"players": 4}, 0, ("a", "b", "c", "d"), 1)},
    {"op": "act", "view": {"seat": 0, "phase": "", "legal": ["a"]}, "events": [], "time": 1.0},
    {"op": "end", "events": [], "scores": [0], "ranks": [1]},
)
_ROUNDS: Final = 16
"""The interpreter adapts a function to its arguments after eight calls or so."""


def preload(root: str, packages: str) -> None:
    """Import the standard library's usual modules, and of `root` exactly arena, arena.games and arena.sdk.

    Of `packages`, numpy's folder, numpy alone; nothing where that is empty.
    """
    sys.path.append(root)
    vars(os)["register_at_fork"] = _ignore
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # it comes from outside: it ends a bot, and raises nothing in it
    for room in ("games", "sdk"):
        _import_all(f"arena.{room}")
    for name in importlib.import_module("arena.sdk.blame").MODULES:
        importlib.import_module(name)
    for name in _ENCODINGS:
        importlib.import_module(f"encodings.{name}")
    for name in filter(importlib.util.find_spec, _LATE):
        importlib.import_module(name)
    if packages:
        sys.path.append(packages)
        for name in _NUMPY:
            importlib.import_module(name)
    for name, module in sys.modules.items():
        if name.partition(".")[0] == "arena" and hasattr(module, "__path__"):
            module.__path__ = []
    time.localtime()
    _warm_up()
    _forget_files()
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - pathlib would make every fork dearer
        raise RuntimeError("a module that is imported for bots has started a thread")


def _ignore(**handlers: object) -> None:
    """Handlers of `random`, `threading` and `logging` cost each child more than most layers; one thread needs none."""


def _warm_up() -> None:
    """Serve a bot of our own, again and again: what changes with use has changed here, and not in every child."""
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


def _import_all(package: str) -> None:
    path = importlib.import_module(package).__path__
    for module in pkgutil.walk_packages(path, f"{package}."):
        importlib.import_module(module.name)


def _forget_files() -> None:
    """Nothing is looked for on a disk from here on, and what runs here is not for bots."""
    sys.path.clear()
    sys.path_importer_cache.clear()
    linecache.clearcache()
    for name in [name for name in sys.modules if name.partition(".")[0] == "inside"]:
        del sys.modules[name]
    gc.collect()
    gc.freeze()
