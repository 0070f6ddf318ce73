"""Rounds without rematches, chosen so that more such rounds can follow.

Finding them is the social golfer problem, for which no fast method is known, and a harmless-looking round can rule out
all others: of 16 bots at tables of four, three quarters of the third rounds leave no fourth. So rounds are searched
depth first with a bounded number of steps. Bots are numbers from 0, and sets of bots are bit masks.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from arena.tournament.formats.base import Table

MOST_ROUNDS: Final = 3000
"""Number of rounds that are compared by price."""
MOST_TRIED: Final = 20
"""Number of rounds, cheapest first, that are tested for rounds that can follow."""
MOST_STEPS: Final = 40_000
"""Number of places filled to find rounds."""
MOST_STEPS_AHEAD: Final = 4000
"""Number of places filled to find out whether rounds can follow one round."""
LOOSE: Final = 2
"""The search is skipped if each bot has at least this many times as many new opponents as the remaining rounds need;
exchanges then find rounds without rematches."""

Round = Sequence[Sequence[int]]
Unmet = Sequence[int]
"""For each bot, the set of bots it has not met."""


def without_rematches(
    unmet: Unmet, places: int, later: int, price: Callable[[Round], int], known: Round
) -> Round | None:
    """Return the cheapest round without rematches, preferably one that `later` more such rounds can follow.

    `known` is a round to compare with, which may have rematches. None if no round was found.
    """
    possible = min(options.bit_count() for options in unmet) // (places - 1)
    fresh = [known] if _left(unmet, known) else []
    if fresh and possible >= LOOSE * (later + 1):
        return known
    found: list[Round] = list(islice(_Search(places, MOST_STEPS).rounds(unmet), MOST_ROUNDS))
    fresh = sorted([*found, *fresh], key=price)
    for ahead in range(min(later, possible - 1), 0, -1):
        for one in fresh[:MOST_TRIED]:
            if _Search(places, MOST_STEPS_AHEAD).can_follow(_left(unmet, one), ahead):
                return one
    return fresh[0] if fresh else None


def _left(unmet: Unmet, played: Round) -> Unmet:
    """Return `unmet` as it is after a round; empty if the round has a rematch."""
    left = list(unmet)
    for table in played:
        for x, y in combinations(table, 2):
            if not left[x] >> y & 1:
                return ()
            left[x] ^= 1 << y
            left[y] ^= 1 << x
    return left


class _Search:
    """Depth-first search for rounds that stops after a number of steps."""

    def __init__(self, places: int, steps: int) -> None:
        self.places, self.steps = places, steps

    def can_follow(self, unmet: Unmet, rounds: int) -> bool:
        """Return whether `rounds` more rounds were found."""
        return not rounds or any(self.can_follow(_left(unmet, one), rounds - 1) for one in self.rounds(unmet))

    def rounds(self, unmet: Unmet) -> Iterator[list[Table]]:
        """Yield all rounds without rematches; each bot is tried with its nearest successors first."""
        return self._seat(unmet, (1 << len(unmet)) - 1)

    def _seat(self, unmet: Unmet, free: int) -> Iterator[list[Table]]:
        if not free:
            yield []
            return
        first = _lowest(free)
        for company in self._companies(unmet, unmet[first] & free, self.places - 1):
            table = (first, *company)
            yield from ([table, *others] for others in self._seat(unmet, free - sum(1 << x for x in table)))

    def _companies(self, unmet: Unmet, among: int, count: int) -> Iterator[Table]:
        """Yield all groups of `count` bots from `among` in which no two have met."""
        if not count:
            yield ()
            return
        while among and self.steps:
            self.steps -= 1
            x = _lowest(among)
            among ^= 1 << x
            yield from ((x, *others) for others in self._companies(unmet, among & unmet[x], count - 1))


def _lowest(bots: int) -> int:
    return (bots & -bots).bit_length() - 1
