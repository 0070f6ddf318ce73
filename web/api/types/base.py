"""Parts that all responses share: times, uncertain numbers, and structs made from views."""

from collections.abc import Iterable
from typing import Annotated, Any, Final, Protocol, TypeVar

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


class Estimate(Protocol):
    """A value with an interval, which may be unknown."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> tuple[float, float] | None: ...


def made(kind: type[T], /, *views: object, **more: Any) -> T:
    """Return a struct with the attributes of views that have the same names, and with the fields `more`.

    Each attribute is that of the first view that has it. Its parts are converted to the types of the struct, field by
    field, so that nothing else is published.
    """
    names = (name for name in kind.__struct_fields__ if name not in more)
    return msgspec.convert({name: _attribute(name, views) for name in names} | more, kind, from_attributes=True)


def each(kind: type[T], views: Iterable[object]) -> tuple[T, ...]:
    """Return a struct for each of these views."""
    return tuple(made(kind, view) for view in views)


def uncertain(value: float | None, interval: tuple[float, float] | None) -> Uncertain | None:
    """Return a value with its 95 % interval; None without a value."""
    return None if value is None else measured(value, interval)


def measured(value: float, interval: tuple[float, float] | None) -> Uncertain:
    """Return a value with its 95 % interval."""
    low, high = interval or (None, None)
    return Uncertain(value, low, high, 0.95)


def estimated(found: Estimate | None) -> Uncertain | None:
    """Return an estimate; None if there is none."""
    return None if found is None else uncertain(found.value, found.interval)


def normal(mean: float, sigma: float) -> Uncertain:
    """Return the mean of a normal distribution with its 95 % interval."""
    reach = PRECISION * sigma
    return Uncertain(value=mean, low=mean - reach, high=mean + reach, confidence=0.95)


def _attribute(name: str, views: Iterable[object]) -> Any:
    *others, last = views
    return getattr(next((view for view in others if hasattr(view, name)), last), name)
