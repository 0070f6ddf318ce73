"""Worth of each decision of a match to its seat, and points lost against the best action.

Only what the seat knew counts: worlds are drawn that its view allows, each equally likely, and random games show how
good an action is there (`arena.match.estimate`). So an estimate is worth what that model of the others is worth.

The best of several uncertain numbers is usually overestimated. Therefore one half of the rounds says which action is
best, and the other half how much better it is than the one chosen, both ways round.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

from arena.games.registry import game
from arena.match.estimate import WIDTH, Estimate, rounds_of, summary
from arena.match.views import failed_from, positions

VERSION: Final = 1
"""Number of this way to analyse. Results of different numbers cannot be compared."""
MARKS: Final = ("best", "good", "inaccuracy", "mistake", "blunder")
LIMITS: Final[Mapping[str, tuple[float, float, float]]] = {
    "suitability": (2.0, 4.0, 7.0),
    "suit_yourself": (2.0, 3.0, 5.0),
    "suits_barnhart": (0.2, 0.4, 0.9),
    "suits_steere": (0.25, 0.4, 0.75),
    "separate_suits": (0.07, 0.12, 0.2),
}
"""Points lost from which a decision is an inaccuracy, a mistake and a blunder, by game."""
LEADING, FOLLOWING = "leading", "following"


class Assessment(NamedTuple):
    """A decision and what it was worth."""

    move: int
    """Index of the move in the record."""
    seat: int
    deal: int
    """0-based number of the deal, hand or round."""
    phase: str
    """Phase by the view; of a game with tricks, `leading` or `following` in place of `play`."""
    action: str
    estimates: Sequence[Estimate]
    """Estimates of all legal actions, in order."""
    lost: float
    """Points to the end of the deal by which the best action is better than the chosen one. Below 0 by chance only."""
    margin: float
    """Half-width of its 95 % interval."""

    @property
    def best(self) -> Estimate:
        """The action with the best estimate."""
        return next(one for one in self.estimates if one.best)


class Part(NamedTuple):
    """The decisions of a seat, or those of one phase."""

    decisions: int
    best: int
    """Number of decisions for the action with the best estimate."""
    lost: float
    """Points lost by all decisions."""
    margin: float
    """Half-width of its 95 % interval."""


def analyse(record: Mapping[str, Any], seed: int = 0, seats: Iterable[int] | None = None) -> Iterator[Assessment]:
    """Yield the decisions of these seats, by default of all, in order. Moves that the arena made are left out.

    The record is the arena's own, or was verified. The same record and seed give the same numbers.
    """
    rules, failed = game(record["game"], record["options"]), failed_from(record)
    wanted = range(rules.players) if seats is None else frozenset(seats)
    for move, seat, action, state in positions(record):
        if seat not in wanted or move >= failed.get(seat, move + 1) or len(state.legal(seat)) == 1:
            continue
        view = state.view(seat)
        rounds = rounds_of(rules, view, _seed(seed, view))
        chosen = view["legal"].index(action)
        estimates = summary(view["legal"], rounds)
        yield Assessment(move, seat, state.finished, _phase(view), action, estimates, *_lost(rounds, chosen))


def _seed(seed: int, view: Mapping[str, Any]) -> int:
    """Return the seed for a view, so that equal views of several matches have equal estimates."""
    key = seed.to_bytes(8)
    return int.from_bytes(hashlib.blake2b(msgspec.json.encode(view), key=key, digest_size=8).digest())


def _phase(view: Mapping[str, Any]) -> str:
    phase = str(view["phase"])
    if phase != "play" or "trick" not in view:
        return phase
    return FOLLOWING if view["trick"] else LEADING


def _lost(rounds: Sequence[Sequence[float]], chosen: int) -> tuple[float, float]:
    """Return how much better the best action is than the chosen one, by points in rounds, and the margin of that."""
    lost = list[float]()
    for half in (0, 1):
        means = [fmean(each) for each in zip(*rounds[half::2], strict=True)]
        best = means.index(max(means))
        lost += [one[best] - one[chosen] for one in rounds[1 - half :: 2]]
    return fmean(lost), WIDTH * stdev(lost) / math.sqrt(len(lost))


def part_of(assessments: Iterable[Assessment]) -> Part:
    """Return what some decisions lost together."""
    found = list(assessments)
    best = sum(one.best.token == one.action for one in found)
    margin = math.hypot(*(one.margin for one in found))
    return Part(len(found), best, math.fsum(one.lost for one in found), margin)


def phases(assessments: Iterable[Assessment]) -> dict[str, list[Assessment]]:
    """Return decisions by phase, in the order in which the phases begin."""
    found = dict[str, list[Assessment]]()
    for one in assessments:
        found.setdefault(one.phase, []).append(one)
    return found


def by_phase(assessments: Iterable[Assessment]) -> dict[str, Part]:
    """Return what decisions lost by phase, in the order in which the phases begin."""
    return {phase: part_of(some) for phase, some in phases(assessments).items()}


def mark(one: Assessment, game_id: str) -> str:
    """Return a decision's mark, one of `MARKS`. It is good unless it certainly lost something."""
    if one.best.token == one.action:
        return MARKS[0]
    limits = LIMITS[game_id] if one.lost > one.margin else ()
    return MARKS[1 + sum(one.lost >= limit for limit in limits)]


def deals_of(record: Mapping[str, Any]) -> int:
    """Return the number of deals, hands or rounds of a match."""
    *_, last = positions(record)
    return last.state.finished
