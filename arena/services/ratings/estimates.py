"""Estimation of a variant's rating parameters from its results, on command or as tables are rated.

Automatic estimates depend on results alone. After `FIRST` rated tables, and each time their number doubles, the
parameters are estimated from the tables so far and apply to the tables that follow.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.clock import now
from arena.db.models import RatingCursor, Table, Tournament
from arena.games.registry import LEADERBOARDS, rules_of
from arena.ratings import Estimate, Parameters, Result
from arena.ratings.estimation import MOST_SEATED
from arena.services.base.context import Arena
from arena.services.ratings import fold, parameters
from arena.services.ratings.results import counted, results

AUTO: Final = "auto"
"""Value of the setting that turns automatic estimates on."""
FIRST: Final = 500
"""Number of rated tables at the first automatic estimate."""
LATE: Final = 5_000
"""Maximum number of tables rated since a milestone; with more, its estimate is skipped, as it rates them all again."""
LEASE: Final = 120.0
"""Seconds for which a process has the estimate of a variant to itself."""


class Found(NamedTuple):
    """An estimate of a variant's parameters, beside the parameters in use."""

    before: Parameters
    """Parameters that the variant is rated with now."""
    estimate: Estimate
    edges: tuple[str, ...] = ()
    """Names of the estimated parameters that are the lowest or highest value tried."""

    @property
    def better(self) -> bool:
        """Whether parameters other than those in use predict better."""
        return self.estimate.parameters != self.before


class Milestone(NamedTuple):
    """A number of rated tables after which parameters are estimated."""

    tables: int
    first: int
    """ID of the first table that the estimate reads."""
    last: int
    """ID of the last table that the estimate reads."""


def estimate(arena: Arena, variant: str) -> Found:
    """Return the parameters that best predict the variant's latest results (`arena.ratings.estimation`).

    Takes ten to twenty seconds of computing, and changes nothing. Raises `OptionError` if there is no such variant.
    """
    with arena.reading() as session:
        before = parameters.of(session, variant)
        found = list(results(session, variant, 0))
    return _found(variant, before, found)


def adopt(arena: Arena, variant: str, estimate: Estimate) -> int:
    """Rate all tables of the variant, past and future, with these parameters. Returns the number of tables rated again.

    Tables are rated again in many short transactions, so pages may show ratings from both sets of parameters meanwhile.
    If this process ends before the last of them, the sweep continues.
    """
    with arena.transaction() as session:
        cursor = fold.lock(session, variant)
        parameters.delete_all(session, variant)
        parameters.start_era(session, variant, 0, estimate.parameters, estimate.tables)
        fold.outdate(cursor, 0)
    return fold.catch_up(arena, variant)


def update_due(arena: Arena) -> str | None:
    """Estimate the parameters of one variant at a milestone, if the operator allows it. Returns the variant."""
    if arena.settings.ratings_estimate != AUTO:
        return None
    for variant in LEADERBOARDS:
        milestone = _claim(arena, variant)
        if milestone:
            _update(arena, variant, milestone)
            return variant
    return None


def _update(arena: Arena, variant: str, milestone: Milestone) -> None:
    with arena.reading() as session:
        before = parameters.of(session, variant)
        since = results(session, variant, milestone.first)
        seen = list(takewhile(lambda result: result.table <= milestone.last, since))
    found = _found(variant, before, seen).estimate.parameters
    with arena.transaction() as session:
        cursor = fold.lock(session, variant)
        cursor.estimating = 0.0
        parameters.start_era(session, variant, milestone.last + 1, found, milestone.tables)
        fold.refold(session, cursor, milestone.last + 1)


def _claim(arena: Arena, variant: str) -> Milestone | None:
    """Claim the variant's due milestone; None if none is due, or another process has claimed it."""
    with arena.reading() as session:
        milestone = _due(session, variant)
    if milestone is None:
        return None
    free = (RatingCursor.variant == variant, RatingCursor.estimating < now())
    taken = update(RatingCursor).where(*free).values(estimating=now() + LEASE).returning(RatingCursor.variant)
    with arena.transaction() as session:
        return milestone if session.scalar(taken) else None


def _due(session: Session, variant: str) -> Milestone | None:
    done = select(func.sum(Tournament.tables_done)).where(Tournament.variant == variant, Tournament.rated)
    passed = 2 * parameters.estimated_from(session, variant) or FIRST
    if (session.scalar(done) or 0) < passed:
        return None  # as nearly always, and without counting the rated tables
    rated = session.scalar(select(func.count()).select_from(_rated(variant).subquery())) or 0
    tables = FIRST
    while 2 * tables <= rated:
        tables *= 2
    if not passed <= tables <= rated <= tables + LATE:
        return None
    first = max(0, tables - MOST_SEATED)  # an estimate reads no more than this
    ids = [session.scalars(_rated(variant).offset(place).limit(1)).one() for place in (first, tables - 1)]
    return Milestone(tables, *ids)


def _rated(variant: str) -> Select[int]:
    """Select the IDs of counted tables, in ascending order."""
    return select(Table.id).join(Table.tournament).where(*counted(variant)).order_by(Table.id)


def _found(variant: str, before: Parameters, seen: Sequence[Result]) -> Found:
    places = max((len(result.versions) for result in seen), default=len(rules_of(variant).teams))
    found = ratings.estimate(seen, before, places)
    return Found(before, found, ratings.edges(found.parameters, places))
