"""Parts of responses are made from views, and all types have a name of their own."""

import importlib
import pkgutil
from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import msgspec
import pytest

from arena.services.base.views import View
from arena.services.ratings.views import GamePoints
from web.api import types
from web.api.document import document
from web.api.types.base import Part, Uncertain, made, of
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


class Rating(NamedTuple):
    """A number with its standard deviation."""

    mu: float
    sigma: float


class Share(NamedTuple):
    """A number with its interval."""

    share: float
    interval: tuple[float, float]


class Holder(NamedTuple):
    """A view of an estimate."""

    strength: GamePoints | None


class Strength(Part):
    """An estimate."""

    strength: Uncertain | None


class Estimates(Strength):
    """Uncertain numbers."""

    mu: Uncertain
    share: Uncertain


class Tally(NamedTuple):
    """Counts as a service returns them."""

    names: dict[str, int]
    pairs: tuple[tuple[int, int], ...]
    row: Seat


class Count(Part):
    """A count."""

    name: Any
    count: int


class Counts(Part):
    """Counts as they are published."""

    by_name: Annotated[tuple[Count, ...], of("names")]
    pairs: tuple[Count, ...]
    seat: Annotated[int, of("row.number")]


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
    share, strength = Share(0.5, (0.25, 0.75)), GamePoints(2.0, None)

    assert msgspec.to_builtins(made(Estimates, Rating(25.0, 1.0), share, Page(Seat(7), ()), strength=None)) == {
        "mu": {"value": 25.0, "low": 23.04, "high": 26.96, "confidence": 0.95},
        "share": {"value": 0.5, "low": 0.25, "high": 0.75, "confidence": 0.95},
        "strength": None,
    }
    assert msgspec.to_builtins(made(Strength, Holder(strength))) == {
        "strength": {"value": 2.0, "low": None, "high": None, "confidence": 0.95}
    }
    assert made(Strength, Holder(None)).strength is None


def test_fields_take_attributes_of_other_names_and_pairs() -> None:
    """A field names the attribute that it is, at any depth; pairs and mappings fill structs in order."""
    found = made(Counts, Tally({"a": 1}, ((2, 3),), Seat(7)))

    assert msgspec.to_builtins(found) == {
        "by_name": ({"name": "a", "count": 1},),
        "pairs": ({"name": 2, "count": 3},),
        "seat": 7,
    }


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
