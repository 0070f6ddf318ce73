"""Worth of each decision of a match to its seat, and points lost against the best action.

Only what the seat knew counts: worlds are drawn that its view allows, each equally likely, and random games show how
good an action is there (`arena.match.estimate`). So an estimate is worth what that model of the others is worth.

The best of several uncertain numbers is usually overestimated. Therefore one half of the rounds says which action is
best, and the other half how much better it is than the one chosen, both ways round.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

from arena.games.base import Game, Variant
from arena.games.registry import VARIANTS
from arena.games.remarks import LOSES
from arena.match import estimate
from arena.match.estimate import Estimate, endless, summary, width
from arena.match.record import game_of
from arena.match.views import failed_from, positions
from arena.words import ENGLISH, speaking

VERSION: Final = 2
"""Number of this way to analyse. Results of different numbers cannot be compared."""
MARKS: Final = ("best", "good", "inaccuracy", "mistake", "blunder")
LIMITS: Final[Mapping[str, tuple[float, float, float]]] = {
    "suitability-4": (2.4, 4.0, 7.8),
    "suitability-4-partners": (2.8, 5.0, 8.5),
    "suitability-4-250": (2.4, 4.0, 7.8),
    "suitability-2": (3.5, 5.8, 13.0),
    "suitability-3": (2.9, 5.0, 9.3),
    "suitability-5": (2.2, 4.5, 7.8),
    "suit-yourself": (2.1, 3.0, 4.9),
    "suits-barnhart-4": (0.27, 0.49, 0.93),
    "suits-barnhart-solitaire": (0.05, 0.17, 0.46),
    "suits-steere-3": (0.33, 0.58, 0.88),
    "suits-steere-6": (0.33, 0.58, 0.88),
    "separate-suits-4": (0.074, 0.12, 0.15),
    "separate-suits-2": (0.53, 0.57, 0.59),
    "separate-suits-8": (0.14, 0.22, 0.3),
    "separate-suits-4-hands": (0.074, 0.12, 0.15),
    "separate-suits-4-cancel": (0.05, 0.063, 0.18),
    "separate-suits-4-split": (0.052, 0.1, 0.15),
}
"""Points lost from which a decision is an inaccuracy, a mistake and a blunder, by variant: what 10 %, 5 % and 2 % of
the decisions of house bots lose. `make bench ARGS=limits` computes them again."""
LEADING, FOLLOWING, DISCARDING = "leading", "following", "discarding"
CANNOT_WIN: Final = LOSES.rstrip(".")
"""Beginning of the remark on a card that cannot win the trick."""
FINE: Final = 4
"""Number of times that the interval of a loss goes into the smallest limit when more rounds would change no mark."""


class Assessment(NamedTuple):
    """A decision and what it was worth."""

    move: int
    """Index of the move in the record."""
    seat: int
    deal: int
    """0-based number of the deal, hand or round."""
    phase: str
    """Phase by the view. In a game with tricks in turn, `play` is `leading`, `discarding` if no legal card can win the
    trick, or else `following`."""
    action: str
    estimates: Sequence[Estimate]
    """Estimates of all legal actions, in order."""
    lost: float
    """Points to the end of the deal by which the best action is better than the chosen one. Below 0 by chance only."""
    margin: float
    """Half-width of its 95 % interval, for chance in the games of the analysis."""

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


def analyse(
    record: Mapping[str, Any], seed: int = 0, seats: Iterable[int] | None = None, rounds: int | None = None
) -> Iterator[Assessment]:
    """Yield the decisions of these seats, by default of all, in order. Moves that the arena made are left out.

    With more `rounds` than `estimate.ROUNDS`, the default, decisions get up to this number of them where the interval
    of the loss is still wide. The record is the arena's own, or was verified. Equal arguments give equal numbers.
    """
    rules, failed = game_of(record), failed_from(record)
    wanted = range(rules.players) if seats is None else frozenset(seats)
    aim = LIMITS[variant_of(record)][0] / FINE
    for move, seat, action, state in positions(record):
        if seat not in wanted or move >= failed.get(seat, move + 1) or len(state.legal(seat)) == 1:
            continue
        view = state.view(seat)
        chosen = view["legal"].index(action)
        drawn = _rounds(endless(rules, view, _seed(seed, view)), chosen, rounds or 0, aim)
        estimates = summary(view["legal"], drawn)
        yield Assessment(move, seat, state.finished, phase_of(rules, view), action, estimates, *lost(drawn, chosen))


def _seed(seed: int, view: Mapping[str, Any]) -> int:
    """Return the seed for a view, so that equal views of several matches have equal estimates."""
    key = seed.to_bytes(8)
    return int.from_bytes(hashlib.blake2b(msgspec.json.encode(view), key=key, digest_size=8).digest())


def _rounds(drawn: Iterator[list[float]], chosen: int, most: int, aim: float) -> list[list[float]]:
    """Draw the usual number of rounds, and as many more, up to `most`, as the loss needs for an interval of ± `aim`.

    The number follows from the spread of the first ones and not from their mean, so it does not bias the loss. Stein: A
    two-sample test for a linear hypothesis whose power is independent of the variance. Annals of Mathematical
    Statistics 16, 1945.
    """
    found = [*islice(drawn, estimate.ROUNDS)]
    needed = math.ceil(len(found) * (lost(found, chosen)[1] / aim) ** 2)
    return [*found, *islice(drawn, max(0, min(most, needed) - len(found)))]


def phase_of(rules: Game, view: Mapping[str, Any]) -> str:
    """Return the phase of a decision by its view; see `Assessment.phase`."""
    phase = str(view["phase"])
    if phase != "play" or "trick" not in view:
        return phase
    if not view["trick"]:
        return LEADING
    with speaking(ENGLISH):
        lose = all(rules.remark(view, token).startswith(CANNOT_WIN) for token in view["legal"])
    return DISCARDING if lose else FOLLOWING


def lost(rounds: Sequence[Sequence[float]], chosen: int) -> tuple[float, float]:
    """Return how much better the best action is than the chosen one, by points in rounds, and the margin of that."""
    found = list[float]()
    for half in (0, 1):
        best = best_of(rounds[half::2])
        found += [one[best] - one[chosen] for one in rounds[1 - half :: 2]]
    return fmean(found), width(len(found)) * stdev(found) / math.sqrt(len(found))


def best_of(rounds: Iterable[Sequence[float]]) -> int:
    """Return the action with the most points in some rounds; of equal ones, the first."""
    means = [fmean(each) for each in zip(*rounds, strict=True)]
    return means.index(max(means))


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


def mark(one: Assessment, variant: str) -> str:
    """Return a decision's mark, one of `MARKS`, in a variant. It is good unless it certainly lost something."""
    if one.best.token == one.action:
        return MARKS[0]
    limits = LIMITS[variant] if one.lost > one.margin else ()
    return MARKS[1 + sum(one.lost >= limit for limit in limits)]


def variant_of(record: Mapping[str, Any]) -> str:
    """Return the variant of a record, or for other options the most similar one, if possible with as many players."""
    options = game_of(record).options
    own = [one for one in VARIANTS.values() if one.game == record["game"]]

    def likeness(one: Variant) -> tuple[bool, int]:
        equal = one.options.items() & options.items()
        return ("players", options.get("players")) in equal, len(equal)

    return max(own, key=likeness).id


def deals_of(record: Mapping[str, Any]) -> int:
    """Return the number of deals, hands or rounds of a match."""
    *_, last = positions(record)
    return last.state.finished
