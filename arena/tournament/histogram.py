"""Times in few bytes: how many fell into each of the bins of a logarithmic scale, four to the octave from 1 µs up."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from math import floor, log2
from typing import Final, NamedTuple

START: Final = 1e-6
"""Seconds at which the first bin begins; what is shorter is in it as well."""
PER_OCTAVE: Final = 4


class Histogram(NamedTuple):
    """How many times fell into each bin, up to the last that is not empty."""

    bins: tuple[int, ...] = ()

    @classmethod
    def of(cls, times: Iterable[float]) -> "Histogram":
        """Of times in seconds."""
        found = [bin_of(seconds) for seconds in times]
        return cls(tuple(found.count(bin) for bin in range(max(found, default=-1) + 1)))

    @property
    def times(self) -> int:
        """How many there are."""
        return sum(self.bins)

    def percentile(self, part: float) -> float | None:
        """The time in seconds that this part of them (0 to 1) does not exceed, as the geometric middle of its bin.

        None where there are no times.
        """
        wanted, seen = part * self.times, 0
        for bin, count in enumerate(self.bins):
            seen += count
            if count and seen >= wanted:
                return START * 2 ** ((bin + 0.5) / PER_OCTAVE)
        return None

    def encode(self) -> bytes:
        """The counts as variable-length numbers of seven bits a byte; a run of empty bins is a zero and its length."""
        numbers: list[int] = []
        for filled, run in groupby(self.bins, key=bool):
            counts = list(run)
            numbers += counts if filled else [0, len(counts)]
        return b"".join(map(_write, numbers))

    @classmethod
    def decode(cls, data: bytes) -> "Histogram":
        """What `encode` made."""
        bins: list[int] = []
        numbers = _read(data)
        for count in numbers:
            bins += [count] if count else [0] * next(numbers)
        return cls(tuple(bins))


def bin_of(seconds: float) -> int:
    """The bin of a time."""
    return floor(PER_OCTAVE * log2(max(seconds, START) / START))


def merged(histograms: Iterable[Histogram]) -> Histogram:
    """All their times in one."""
    return Histogram(tuple(map(sum, zip_longest(*(one.bins for one in histograms), fillvalue=0))))


def _write(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low]) if not rest else bytes([low | 128]) + _write(rest)


def _read(data: Sequence[int]) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
