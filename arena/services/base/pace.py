"""The pace of sweeps, which leave work to the next one rather than keep other work waiting."""

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Final, TypeVar

PATIENCE: Final = 0.5
"""Seconds that a sweep spends on one kind of work."""

Item = TypeVar("Item")


def in_time(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items for up to `PATIENCE` seconds, and at least the first. The caller works on each before the next."""
    end = monotonic() + PATIENCE
    for number, item in enumerate(items):
        if number and monotonic() > end:
            return
        yield item
