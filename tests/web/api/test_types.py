"""Parts of responses are made from views, and all types have a name of their own."""

import importlib
import pkgutil
from collections import Counter
from dataclasses import dataclass

import msgspec
import pytest

from arena.services.base.views import View
from arena.services.ratings.views import GamePoints
from web.api import types
from web.api.document import document
from web.api.types.base import Part, estimated, made, normal, uncertain
from web.app.resources import RESOURCES


class Seat(View, frozen=True):
    """A part of a view that is published."""

    number: int


class OwnSeat(Seat, frozen=True):
    """The same for pages."""

    output: str


@dataclass
class Page:
    """A view of a service."""

    row: Seat
    seats: tuple[OwnSeat, ...]
    hidden: str = "not part of the API"


class Answer(Part):
    """A part of a response."""

    number: int
    seats: tuple[Seat, ...]
    more: str


def kinds() -> list[type]:
    """Return all types of responses."""
    modules = [importlib.import_module(f"{types.__name__}.{one.name}") for one in pkgutil.iter_modules(types.__path__)]
    found = (one for module in modules for one in vars(module).values() if isinstance(one, type))
    return [one for one in dict.fromkeys(found) if issubclass(one, msgspec.Struct)]


def test_struct_has_the_fields_of_its_type_alone() -> None:
    """A struct takes the attributes with the names of its fields, and so do its parts: what pages add is left out."""
    page = Page(Seat(7), (OwnSeat(number=1, output="secret"),))

    found = msgspec.json.encode(made(Answer, page, page.row, more="said"))

    assert found == b'{"number":7,"seats":[{"number":1}],"more":"said"}'


def test_attribute_that_a_view_lost_is_missed() -> None:
    """A view that no longer has an attribute of the API fails instead of changing the API."""
    with pytest.raises(AttributeError):
        made(Answer, Page(Seat(7), ()), Seat(7))


def test_estimates_have_intervals() -> None:
    """An uncertain number says its interval and its confidence, and null where it is not known."""
    assert uncertain(None, None) is None
    assert estimated(None) is None
    assert msgspec.to_builtins(estimated(GamePoints(2.0, None))) == {
        "value": 2.0, "low": None, "high": None, "confidence": 0.95,
    }  # fmt: skip
    assert msgspec.to_builtins(normal(25.0, 1.0)) == {"value": 25.0, "low": 23.04, "high": 26.96, "confidence": 0.95}


def test_types_have_names_and_descriptions_of_their_own() -> None:
    """Each type of a response has its own name in the OpenAPI document, and a description."""
    names = Counter(one.__name__ for one in kinds())

    assert len(names) > 80
    assert [name for name, count in names.items() if count > 1] == []
    assert [one.__name__ for one in kinds() if not one.__doc__] == []


def test_all_times_are_in_utc() -> None:
    """Each time in a schema has the format of RFC 3339."""
    schemas = document(RESOURCES)["components"]["schemas"]

    times = [
        (name, field)
        for name, schema in schemas.items()
        for field, kind in schema.get("properties", {}).items()
        if field in ("created", "finished", "started", "at", "until", "deadline", "uploaded")
        for one in kind.get("anyOf", [kind])
        if one.get("type") == "string" and one.get("format") != "date-time"
    ]
    assert times == []
