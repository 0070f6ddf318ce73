"""Orders of blocks in which every prefix contains all points about equally often."""

from collections.abc import Iterator
from math import gcd
from typing import TypeVar

T = TypeVar("T")


def scattered(size: int) -> Iterator[int]:
    """Return 0 to `size` - 1 in steps of about the golden section, so that every prefix is spread evenly."""
    step = next(step for step in range(round(size * 0.618), size + 1) if gcd(step, size) == 1) if size > 1 else 1
    return (number * step % size for number in range(size))


def evenly(many: Iterator[T], length: int, others: Iterator[T], other_length: int) -> Iterator[T]:
    """Merge two iterators of known lengths so that every prefix has its share of both."""
    owed = 0
    for one in many:
        yield one
        owed += other_length
        while owed >= length:
            owed -= length
            yield next(others)
    yield from others
