"""Parts that all responses share: times, uncertain numbers, and structs made from views."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from arena.services.base.views import Time as Time
from arena.services.base.views import says as says

PRECISION: Final = 1.96
"""Half the width of a 95 % interval of a normal distribution, in standard deviations."""


class Part(msgspec.Struct, gc=False):
    """A response or a part of one that is not a view."""


T = TypeVar("T", bound=msgspec.Struct)


class Uncertain(Part):
    """An estimate and its interval."""

    value: float
    low: Annotated[float | None, Meta(description="Lower end of the interval; null if there are too few observations.")]
    high: Annotated[float | None, Meta(description="Upper end of the interval.")]
    confidence: Annotated[float, Meta(description="Probability with which the interval covers the true value.")]


def of(path: str) -> Meta:
    """Mark a field that is an attribute of the view with another name, or an attribute of one, such as ``row.name``."""
    return Meta(extra={"of": path})


def made(kind: type[T], /, *views: object, **more: Any) -> T:
    """Return a struct with the attributes of views that have the same names, and with the fields `more`.

    Each attribute is that of the first view that has it. Its parts are made into the types of the struct, field by
    field, so that nothing else is published. A number becomes `Uncertain` with the interval or sigma beside it. Pairs,
    such as the items of a mapping, fill the fields of a struct in order.
    """
    return kind(**{one.name: more[one.name] if one.name in more else one.take(views) for one in _fields(kind)})


def each(kind: type[T], views: Iterable[object]) -> list[T]:
    """Return a struct for each of these views."""
    return [made(kind, view) for view in views]


def measured(value: float, interval: tuple[float, float] | None) -> Uncertain:
    """Return a value with its 95 % interval."""
    low, high = interval or (None, None)
    return Uncertain(value, low, high, 0.95)


def normal(mean: float, sigma: float) -> Uncertain:
    """Return the mean of a normal distribution with its 95 % interval."""
    reach = PRECISION * sigma
    return Uncertain(value=mean, low=mean - reach, high=mean + reach, confidence=0.95)


Convert = Callable[[Any, object], Any]
"""Converts an attribute of a view."""


class _Field(NamedTuple):
    """A field of a struct."""

    name: str
    path: tuple[str, ...]
    """Attribute of a view, and of that attribute; the field is null if one of them is."""
    convert: Convert | None
    """None if the attribute is taken as it is."""

    def take(self, views: tuple[Any, ...]) -> Any:
        """Return the value of the field in the first of these views that has it."""
        value = view = next((view for view in views[:-1] if hasattr(view, self.path[0])), views[-1])
        for name in self.path:
            view, value = value, getattr(value, name)
            if value is None:
                return None
        return self.convert(value, view) if self.convert else value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(name, hints[name]) for name in kind.__struct_fields__)


def _field(name: str, hint: Any) -> _Field:
    marks = (mark.extra for mark in get_args(hint)[1:] if isinstance(mark, Meta) and mark.extra)
    path = next((str(mark["of"]) for mark in marks), name)
    return _Field(name, tuple(path.split(".")), _converter(hint))


def _converter(hint: Any) -> Convert | None:
    """Return the conversion to a type; None if there is nothing to convert."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _converter(inner[0])
    if origin in (Union, UnionType):
        return next((found for one in inner if (found := _converter(one))), None)
    if origin is tuple and inner[1:] == (...,):
        return _several(_converter(inner[0]))
    if hint is Uncertain:
        return _estimate
    return _part(hint) if isinstance(hint, type) and issubclass(hint, msgspec.Struct) else None


def _several(convert: Convert | None) -> Convert:
    def several(value: Any, view: object) -> tuple[Any, ...]:
        items = value.items() if isinstance(value, Mapping) else value
        return tuple(items) if convert is None else tuple(convert(one, view) for one in items)

    return several


def _part(kind: type[msgspec.Struct]) -> Convert:
    def part(value: Any, _: object) -> msgspec.Struct:
        if type(value) is kind:
            return value
        if type(value) is tuple:
            return made(kind, _Pair(dict(zip(kind.__struct_fields__, value, strict=True))))
        return made(kind, value)

    return part


class _Pair:
    """Values of the fields of a struct, in their order."""

    def __init__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)


def _estimate(value: Any, view: Any) -> Uncertain:
    """Return an estimate, or a number of a view that has its interval or sigma."""
    if not isinstance(value, int | float):
        return measured(value.value, value.interval)
    return measured(value, view.interval) if hasattr(view, "interval") else normal(value, view.sigma)
