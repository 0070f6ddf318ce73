"""The modules of one bot, imported from its image: there are no files in the cage."""

import linecache
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, Self
from unicodedata import normalize

from arena.sdk.bundle import Image, build

_NAMED: Final = 20
"""How many names of files an error tells."""


class Modules:
    """Finds and loads the modules of an image, while it is entered.

    In the cage a process enters the modules of its only bot and never leaves them. Outside bots take turns in one
    process: each enters before it runs and leaves after, so that every bot has modules of its own under any names.
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        self._own: dict[str, ModuleType] = {}
        self._others: dict[str, ModuleType] = {}
        self._outer: Modules | None = None

    def __enter__(self) -> Self:
        self.enter()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def enter(self) -> None:
        """Let imports in this process find these modules, before all others."""
        global _entered
        self._others = _take(self.image)
        sys.modules.update(self._own)
        for file, _, _ in self.image.modules.values():
            linecache.cache.pop(file, None)  # of a bot whose files have the same names
        sys.meta_path.insert(0, self)
        self._outer, _entered = _entered, self

    def leave(self) -> None:
        """Leave `sys.modules` as it was found. What was imported is kept for the next time."""
        global _entered
        _entered = self._outer
        sys.meta_path.remove(self)
        self._own = _take(self.image)
        sys.modules.update(self._others)

    def main(self) -> ModuleType:
        """The module with the bot, imported. Raises whatever it raises.

        What `import` does to find a module is left out: that would be a twentieth of the time until a bot is ready.
        """
        name = self.image.main
        file = self.image.modules[name][0]
        sys.modules[name] = module = ModuleType(name)
        module.__spec__ = spec = self._spec(name, file)
        module.__loader__, module.__package__ = spec.loader, spec.parent
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        self.exec_module(module)
        return module

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """How to import a module; None where it is not the bot's."""
        return self._spec(name, self.image.modules[name][0]) if name in self.image.modules else None

    def _spec(self, name: str, file: str) -> ModuleSpec:
        package = not file or file.endswith("/__init__.py")
        loader: Any = self  # it has what a loader has
        return ModuleSpec(name, loader, origin=file or None, is_package=package)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Python's own kind of module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code."""
        if code := self.image.code(module.__name__):
            module.__file__ = self.image.modules[module.__name__][0]
            exec(code, module.__dict__)  # noqa: S102 - this is what a cage is for

    def get_source(self, name: str) -> str:
        """The text of a module: this is how tracebacks find their lines."""
        return self.image.source(self.image.modules[name][0])


_entered: Modules | None = None


def of_upload(upload: bytes, filename: str = "bot.py") -> Modules:
    """The modules of a bot that is built in this process. Raises Fault."""
    return Modules(Image(b"".join(build(upload, filename))))


def _take(image: Image) -> dict[str, ModuleType]:
    """Take out of `sys.modules` what stands there under the names of this image."""
    return {name: sys.modules.pop(name) for name in image.modules if name in sys.modules}


def resource(name: str) -> bytes:
    """The bytes of a file of this bot's archive, by its name there: ``resource("data/openings.json")``.

    Raises FileNotFoundError, which says what is there, where there is no such file.
    """
    files = _entered.image.files if _entered else {}
    file = normalize("NFC", name)
    if _entered is None or file not in files:
        there = ", ".join(sorted(files)[:_NAMED]) + (", …" if len(files) > _NAMED else "")
        raise FileNotFoundError(f"this bot's archive has no {name[:200]!r}; it has {there or 'no files'}")
    return _entered.image.data(file)
