"""Import of the modules of one bot from its image: the cage has no files."""

import builtins
import linecache
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, Self
from unicodedata import normalize

from arena.sdk.blame import MODULES
from arena.sdk.bundle import Image, build

_NAMED: Final = 20
"""Maximum number of file names in an error message."""
_ENGINE: Final = ("arena.games", "arena.sdk")
"""The packages of the arena that a bot may import."""


class Modules:
    """Finds and loads the modules of an image while it is entered.

    In the cage a process enters the modules of its only bot and never leaves them. Elsewhere bots take turns in one
    process: each enters before it runs and leaves afterwards, so every bot has its own modules under any names.
    There, `packages` refuses imports that would fail in an arena with these packages; by default nothing is refused.
    """

    def __init__(self, image: Image, packages: Collection[str] | None = None) -> None:
        self.image = image
        self.packages = packages
        self._own: dict[str, ModuleType] = {}
        self._others: dict[str, ModuleType] = {}
        self._outer: Modules | None = None

    def __enter__(self) -> Self:
        self.enter()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def enter(self) -> None:
        """Make these modules importable in this process, ahead of all others."""
        global _entered
        self._others = _take(self.image)
        sys.modules.update(self._own)
        for file, _, _ in self.image.modules.values():
            linecache.cache.pop(file, None)  # entry of another bot with the same file name
        sys.meta_path.insert(0, self)
        self._outer, _entered = _entered, self

    def leave(self) -> None:
        """Restore `sys.modules`. Imported modules are kept for the next time."""
        global _entered
        _entered = self._outer
        sys.meta_path.remove(self)
        self._own = _take(self.image)
        sys.modules.update(self._others)

    def main(self) -> ModuleType:
        """Import and return the module with the bot. Raises whatever it raises.

        Skips the search of `import`, which would take a twentieth of the time until a bot is ready.
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
        """Return the spec of one of the bot's modules; None for any other."""
        return self._spec(name, self.image.modules[name][0]) if name in self.image.modules else None

    def _spec(self, name: str, file: str) -> ModuleSpec:
        package = not file or file.endswith("/__init__.py")
        loader: Any = self  # it has the methods of a loader
        return ModuleSpec(name, loader, origin=file or None, is_package=package)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return None: use Python's default module type."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code."""
        if code := self.image.code(module.__name__):
            module.__file__ = self.image.modules[module.__name__][0]
            if self.packages is not None:
                module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
            exec(code, module.__dict__)  # noqa: S102 - this is what a cage is for

    def _import(
        self, name: str, globals: Mapping[str, object] | None = None, locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (), level: int = 0,
    ) -> ModuleType:  # fmt: skip
        """Import as Python does. Raises `ModuleNotFoundError` for a module that an arena lacks."""
        wanted = [f"arena.{part}" for part in fromlist or ()] if name == "arena" else [name]
        for module in wanted if level == 0 else ():
            if not self._offered(module):
                raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        return __import__(name, globals, locals, fromlist or (), level)

    def _offered(self, module: str) -> bool:
        """Whether a bot can import this module in an arena."""
        top = module.partition(".")[0]
        if top == "arena":
            return f"{module}.".startswith(tuple(f"{name}." for name in _ENGINE))
        return top in (*MODULES, *self.image.modules, *(self.packages or ()))

    def get_source(self, name: str) -> str:
        """Return the text of a module, from which tracebacks take their lines."""
        return self.image.source(self.image.modules[name][0])


_entered: Modules | None = None


def of_upload(upload: bytes, filename: str = "bot.py", packages: Collection[str] | None = None) -> Modules:
    """Return the modules of a bot that is built in this process, for an arena with these packages. Raises `Fault`."""
    return Modules(Image(b"".join(build(upload, filename))), packages)


def _take(image: Image) -> dict[str, ModuleType]:
    """Remove the modules with names of this image from `sys.modules`, and return them."""
    return {name: sys.modules.pop(name) for name in image.modules if name in sys.modules}


def resource(name: str) -> bytes:
    """Return the bytes of a file in this bot's archive, by its name there: ``resource("data/openings.json")``.

    Raises `FileNotFoundError` with the existing names if there is no such file.
    """
    files = _entered.image.files if _entered else {}
    file = normalize("NFC", name)
    if _entered is None or file not in files:
        there = ", ".join(sorted(files)[:_NAMED]) + (", …" if len(files) > _NAMED else "")
        raise FileNotFoundError(f"this bot's archive has no {name[:200]!r}; it has {there or 'no files'}")
    return _entered.image.data(file)
