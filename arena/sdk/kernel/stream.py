"""Random numbers of the kernel, the same in Python as in `kernel.c`."""

from typing import Final

_ALL: Final = (1 << 64) - 1
_LOW: Final = (1 << 32) - 1


class Stream:
    """PCG32 (O'Neill 2014), seeded by SplitMix64 (Steele, Lea and Flood 2014)."""

    __slots__ = ("state",)

    def __init__(self, seed: int, number: int) -> None:
        mixed = seed + (number + 1) * 0x9E3779B97F4A7C15 & _ALL
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _ALL
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _ALL
        self.state = mixed ^ mixed >> 31

    def next(self) -> int:
        """Return a number of 32 bits."""
        old = self.state
        self.state = old * 6364136223846793005 + 1442695040888963407 & _ALL
        mixed, turn = (old >> 18 ^ old) >> 27 & _LOW, old >> 59
        return (mixed >> turn | mixed << (-turn & 31)) & _LOW

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each equally likely (Lemire 2019)."""
        product = self.next() * n
        if product & _LOW < n:
            least = -n % (1 << 32) % n
            while product & _LOW < least:
                product = self.next() * n
        return product >> 32

    def below_wide(self, n: int) -> int:
        """Return a number from 0 to n - 1, each equally likely; n has at most 128 bits."""
        mask = (1 << (n - 1).bit_length()) - 1
        number = n
        while number >= n:
            number = mask & sum(self.next() << shift for shift in (96, 64, 32, 0))
        return number
