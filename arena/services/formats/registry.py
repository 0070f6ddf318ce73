"""The tournament formats, found in the modules of this package that have the name of a module of arithmetic.

A new format is a class in such a module: it is listed nowhere.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from inspect import isabstract
from operator import attrgetter
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final

from arena.services.formats.base import Format
from arena.tournament import formats


def _found() -> Iterator[Format]:
    """Yield one object of each format."""
    for arithmetic in iter_modules(formats.__path__):
        name = f"{__package__}.{arithmetic.name}"
        if find_spec(name):
            yield from (kind() for kind in vars(import_module(name)).values() if _is_format(kind, name))


def _is_format(kind: object, module: str) -> bool:
    """Return whether this is a format that is defined in the module, not a base class or an import."""
    return isinstance(kind, type) and issubclass(kind, Format) and kind.__module__ == module and not isabstract(kind)


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {one.id: one for one in sorted(_found(), key=attrgetter("order", "id"))}
)
"""All formats by ID, in the order in which pages list them."""

PLANNED: Final[Mapping[str, Format]] = MappingProxyType(
    {id: one for id, one in FORMATS.items() if one.own_page is None}
)
"""The formats that the planning form offers."""
