"""What the zygote imports before it forks: all that a bot can ever import, because in the cage there are no files."""

import gc
import importlib
import linecache
import pkgutil
import sys
import time
from typing import Final

_ENCODINGS: Final = ("ascii", "cp1252", "latin_1", "raw_unicode_escape", "unicode_escape", "utf_16", "utf_8_sig")


def preload(root: str) -> None:
    """Import the standard library's usual modules, and of `root` exactly arena, arena.games and arena.sdk."""
    sys.path.append(root)
    for room in ("games", "sdk"):
        _import_all(f"arena.{room}")
    for name in importlib.import_module("arena.sdk.guest").MODULES:
        importlib.import_module(name)
    for name in _ENCODINGS:
        importlib.import_module(f"encodings.{name}")
    for name, module in sys.modules.items():
        if name.partition(".")[0] == "arena" and hasattr(module, "__path__"):
            module.__path__ = []
    time.localtime()
    _forget_files()


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
