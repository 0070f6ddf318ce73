"""Location of the bot among the files of an archive, and which files are modules.

The bot is in ``bot.py``, or in a package (a folder with ``__init__.py``), there in the module ``bot`` if it has one. If
one folder encloses everything, as in archives of whole folders, it is removed from all names unless it is the package.
"""

import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from arena.games.errors import Refused
from arena.sdk.archive import shown
from arena.words import N_, _

TAKEN: Final = sys.stdlib_module_names | {"arena", "numpy"}
"""Names that a bot's own modules cannot have: imports of them find the arena's or the standard library's modules."""
_INIT: Final = "__init__"
_NEITHER: Final = N_(
    "The archive needs a bot.py, or one package (a folder with __init__.py), at its top; it has neither."
)
_SEVERAL: Final = N_(
    "The archive needs a bot.py, or one package (a folder with __init__.py), at its top; it has several packages "
    "(%(packages)s)."
)
_TAKEN: Final = {
    "arena": N_("%(file)s cannot be imported, because %(top)s is the arena's name; please rename it."),
    "numpy": N_("%(file)s cannot be imported, because %(top)s is numpy's name; please rename it."),
}
_OF_PYTHON: Final = N_("%(file)s cannot be imported, because %(top)s is the standard library's name; please rename it.")


class Layout(NamedTuple):
    """Arrangement of the files of a bot."""

    root: str
    """Enclosing folder that is removed from all names, with its slash; empty if there is none."""
    main: str
    """Name of the module with the bot."""
    modules: Mapping[str, str]
    """File of each module by dotted name; empty for a folder without ``__init__.py``."""


def layout_of(names: Sequence[str]) -> Layout:
    """Return the layout of the files of one archive. Raises `Refused` unless there is exactly one bot."""
    root = ""
    while not (main := _main(modules := _modules(name.removeprefix(root) for name in names))):
        root = _deeper(names, root, modules)
    _check_free(modules)
    return Layout(root, main, modules)


def _modules(names: Iterable[str]) -> dict[str, str]:
    """Return the modules among these files; as in Python, a package precedes a module of the same name."""
    modules: dict[str, str] = {}
    for name in sorted(names, key=lambda name: name.endswith(f"/{_INIT}.py")):
        *folders, last = unicodedata.normalize("NFKC", name.removesuffix(".py")).split("/")
        parts = folders if last == _INIT else [*folders, last]
        if name.endswith(".py") and parts and all(map(str.isidentifier, parts)):
            modules[".".join(parts)] = name
            for depth in range(1, len(parts)):
                modules.setdefault(".".join(parts[:depth]), "")
    modules.pop("__main__", None)
    return modules


def _main(modules: Mapping[str, str]) -> str:
    """Return the module with the bot; empty if there is none, or if it is ambiguous."""
    if modules.get("bot") == "bot.py":
        return "bot"
    packages = _packages(modules)
    if len(packages) != 1:
        return ""
    return f"{packages[0]}.bot" if modules.get(f"{packages[0]}.bot") else packages[0]


def _packages(modules: Mapping[str, str]) -> list[str]:
    return [name for name, file in modules.items() if "." not in name and file.endswith(f"/{_INIT}.py")]


def _deeper(names: Sequence[str], root: str, modules: Mapping[str, str]) -> str:
    """Return the folder that contains everything below `root`. Raises `Refused` if there is none."""
    top, slash, _rest = names[0].removeprefix(root).partition("/") if names else ("", "", "")
    folder = f"{root}{top}/"
    if slash and all(name.startswith(folder) for name in names):
        return folder
    several = _packages(modules)
    raise Refused(_(_SEVERAL if several else _NEITHER, packages=", ".join(several)))


def _check_free(modules: Mapping[str, str]) -> None:
    for name, file in modules.items():
        top = name.partition(".")[0]
        if file and top in TAKEN:
            raise Refused(_(_TAKEN.get(top, _OF_PYTHON), file=shown(file), top=top))
