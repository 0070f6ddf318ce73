"""In which order blocks come: any beginning of them is to take all points about equally often."""

from collections.abc import Iterator
from math import gcd
from typing import TypeVar

T = TypeVar("T")


def scattered(size: int) -> Iterator[int]:
    """0 to size - 1, so that any beginning of them is spread evenly: steps of about the golden section."""
    step = next(step for step in range(round(size * 0.618), size + 1) if gcd(step, size) == 1) if size > 1 else 1
    return (number * step % size for number in range(size))


def evenly(many: Iterator[T], length: int, others: Iterator[T], other_length: int) -> Iterator[T]:
    """Two sequences of known length in one, so that any beginning has its share of both."""
    owed = 0
    for one in many:
        yield one
        owed += other_length
        while owed >= length:
            owed -= length
            yield next(others)
    yield from others
