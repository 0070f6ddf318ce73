"""Matches worth a look: narrow wins, wins against the odds, and more points than others with the same cards.

Points of different variants are compared as multiples of the variant's usual difference between two bots.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple


class Seat(NamedTuple):
    """A seat of a match and its result."""

    seat: int
    version: int
    """ID of the version that sat there."""
    score: int
    rank: int


class Played(NamedTuple):
    """A finished match."""

    id: int
    table: int
    """ID of its table."""
    boards: int
    """Number of its set of boards within the table."""
    variant: str
    seats: Sequence[Seat]


class Mark(NamedTuple):
    """Reason why a match is remarkable."""

    match: int
    """ID of the match."""
    seat: Seat | None
    """Seat of the bot that stands out; None if none does."""
    other: Seat | None
    """Seat of the bot that it is compared with; None if that is all others with the same cards."""
    value: float
    """Points by which it won, rating that it lacked, or points more than the others."""


def closest(matches: Iterable[Played]) -> list[Mark]:
    """Return the matches by the winner's lead, the smallest first; equal ones are ordered by the range of scores."""
    found = [(match, _margin(match)) for match in matches if _bots(match) > 1]
    usual = _usual(match for match, _ in found)
    found.sort(key=lambda one: (one[1].value / usual[one[0].variant], _range(one[0]) / usual[one[0].variant]))
    return [mark for _, mark in found]


def upsets(matches: Iterable[Played], before: Mapping[tuple[int, int], float]) -> list[Mark]:
    """Return the matches that a bot won against a higher rated one, by the difference of their ratings.

    `before` has the rating of a version before a table, by the IDs of table and version.
    """
    found = [mark for match in matches if (mark := _upset(match, before)) and mark.value > 0]
    return sorted(found, key=lambda mark: -mark.value)


def best(matches: Sequence[Played]) -> list[Mark]:
    """Return results by their points above the mean of the other bots that held the same cards, the most first."""
    usual = _usual(matches)
    variants = {match.id: match.variant for match in matches}
    return sorted(_leads(matches), key=lambda mark: -mark.value / usual[variants[mark.match]])


def _bots(match: Played) -> int:
    return len({seat.version for seat in match.seats})


def _margin(match: Played) -> Mark:
    first, *others = sorted(match.seats, key=lambda seat: seat.rank)
    second = next(seat for seat in others if seat.version != first.version)
    return Mark(match.id, first, second, abs(first.score - second.score))


def _upset(match: Played, before: Mapping[tuple[int, int], float]) -> Mark | None:
    """Return the largest difference between the rating of a bot and that of a winner; None if none are rated."""
    rated = [(seat, before[match.table, seat.version]) for seat in match.seats if (match.table, seat.version) in before]
    pairs = [
        Mark(match.id, winner, beaten, higher - lower)
        for winner, lower in rated
        for beaten, higher in rated
        if winner.rank == 1 < beaten.rank
    ]
    return max(pairs, key=lambda mark: mark.value, default=None)


def _leads(matches: Iterable[Played]) -> Iterable[Mark]:
    """Yield the points of each result above the mean of the others that held the same cards."""
    same: defaultdict[tuple[int, int, int], list[tuple[int, Seat]]] = defaultdict(list)
    for match in matches:
        for seat in match.seats:
            same[match.table, match.boards, seat.seat].append((match.id, seat))
    for held in same.values():
        for match_id, seat in held:
            others = [other.score for _, other in held if other.version != seat.version]
            if others:
                yield Mark(match_id, seat, None, seat.score - sum(others) / len(others))


def _usual(matches: Iterable[Played]) -> dict[str, float]:
    """Return the mean difference between the scores of two seats by variant, or 1 if there is none."""
    return _means(matches, lambda match: [abs(a.score - b.score) for a, b in combinations(match.seats, 2)])


def _means(matches: Iterable[Played], values: Callable[[Played], Iterable[float]]) -> dict[str, float]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for match in matches:
        found[match.variant].extend(values(match))
    return {variant: (fmean(differences) if differences else 0.0) or 1.0 for variant, differences in found.items()}


def _range(match: Played) -> float:
    scores = [seat.score for seat in match.seats]
    return max(scores) - min(scores)
