"""Compact histograms of times on a logarithmic scale, four bins per octave from 1 µs up."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby, zip_longest
from math import floor, log2
from typing import Final, NamedTuple

START: Final = 1e-6
"""Lower end of the first bin in seconds; shorter times count in it, too."""
PER_OCTAVE: Final = 4
"""Number of bins per octave."""
MORE: Final = 8
"""Flag of a nibble that is not the last of its number. A lone flag at the end is padding."""
_NIBBLES: Final = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))
"""Translation of hexadecimal digits to their values."""


class Histogram(NamedTuple):
    """Number of times in each bin, up to the last bin that is not empty."""

    bins: tuple[int, ...] = ()

    @classmethod
    def of(cls, times: Iterable[float]) -> "Histogram":
        """Count times in seconds."""
        found = [bin_of(seconds) for seconds in times]
        return cls(tuple(found.count(bin) for bin in range(max(found, default=-1) + 1)))

    @property
    def times(self) -> int:
        """Number of times."""
        return sum(self.bins)

    def percentile(self, part: float) -> float | None:
        """Return the time in seconds that a fraction `part` (0 to 1) of all times do not exceed; None without times.

        It is the geometric middle of its bin.
        """
        wanted, seen = part * self.times, 0
        for bin, count in enumerate(self.bins):
            seen += count
            if count and seen >= wanted:
                return START * 2 ** ((bin + 0.5) / PER_OCTAVE)
        return None

    def encode(self) -> bytes:
        """Encode the counts, three bits per nibble, lowest first; a run of empty bins is a zero and its length."""
        numbers: list[int] = []
        for filled, run in groupby(self.bins, key=bool):
            counts = list(run)
            numbers += counts if filled else [0, len(counts)]
        nibbles = [nibble for number in numbers for nibble in _write(number)]
        return bytes(high << 4 | low for high, low in zip_longest(nibbles[::2], nibbles[1::2], fillvalue=MORE))

    @classmethod
    def decode(cls, data: bytes) -> "Histogram":
        """Decode the result of `encode`. Raises `ValueError` if it is damaged."""
        return merged([data])


def bin_of(seconds: float) -> int:
    """Return the bin of a time."""
    return floor(PER_OCTAVE * log2(max(seconds, START) / START))


def merged(encoded: Iterable[bytes]) -> Histogram:
    """Return one histogram of all times of encoded histograms. Raises `ValueError` if one is damaged."""
    counts: defaultdict[int, int] = defaultdict(int)
    for data in encoded:
        _add(data, counts)
    return Histogram(tuple(counts.get(bin, 0) for bin in range(max(counts, default=-1) + 1)))


def _write(number: int) -> list[int]:
    low, rest = number & 7, number >> 3
    return [low | MORE, *_write(rest)] if rest else [low]


def _add(data: bytes, counts: defaultdict[int, int]) -> None:
    """Add an encoded histogram to counts by bin. A single loop, because statistics add those of thousands of seats."""
    bin = number = shift = 0
    is_run = False
    for nibble in data.hex().encode().translate(_NIBBLES):
        if nibble >= MORE:
            number |= (nibble & 7) << shift
            shift += 3
            continue
        if shift:
            nibble, number, shift = number | nibble << shift, 0, 0
        if is_run:
            bin, is_run = bin + nibble, False
        elif nibble:
            counts[bin] += nibble
            bin += 1
        else:
            is_run = True
    if is_run:
        raise ValueError("the histogram ends within a run of empty bins")
