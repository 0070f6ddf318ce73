"""Import of what the parts need, before they are forked from the supervisor, so that they share its memory.

Nothing may be open then that two processes must not use: no thread, no connection to the database or the broker.
"""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Final

from arena.cli.processes import Part

LIBRARIES: Final = (
    "celery.apps.worker",
    "celery.concurrency.prefork",
    "gunicorn.arbiter",
    "web.app",
    "web.serving.reader",
)
"""Modules that need no settings, by name, because they are imported late."""
PROGRAMS: Final = ("workers.tasks", "workers.live", "web.app.wsgi")
"""Modules that read the settings when they are imported."""
UNNEEDED: Final = ("attr", "cffi", "opentelemetry", "psutil", "pygments", "rich.traceback", "valkey", "yaml")
"""Modules that libraries import only because they are installed."""


def libraries() -> None:
    """Import what needs no settings."""
    if not sys.flags.safe_path:
        del sys.path[0]  # no modules from the working directory, as PYTHONSAFEPATH has it
    _import(LIBRARIES)


def programs(parts: Sequence[Part]) -> None:
    """Import the rest in the environment of these parts, and prepare the memory for sharing."""
    for part in parts:
        os.environ.update(part.environ)
    _import(PROGRAMS)
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # of glibc
        trim(0)
    gc.freeze()  # collections would write to every object and so copy its page


def _import(modules: Sequence[str]) -> None:
    with _hidden(UNNEEDED):
        for module in modules:
            import_module(module)


@contextmanager
def _hidden(modules: Sequence[str]) -> Iterator[None]:
    """Make imports of these modules fail in this block, unless they have been imported."""
    hidden = [name for name in modules if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
