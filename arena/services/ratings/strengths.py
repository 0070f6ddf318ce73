"""Strengths in game points: the sweep fits them to the tallies, so that pages only read them.

A scope, which is a tournament or a variant, is due when its results have changed since the last fit. While a large
field plays, it waits for more results, because a fit takes longer the more pairs have met. The fit is a function of
integer sums (`arena.tournament.strength`), so it depends neither on the process nor on the order of results; `check`
repeats it.
"""

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, func, select, update
from sqlalchemy.orm import Session

from arena.db.models import RatingCursor, Tournament, TournamentScore, VariantScore
from arena.games.registry import VARIANTS
from arena.services.base.context import Arena
from arena.services.base.pace import in_time
from arena.services.base.states import TournamentState
from arena.services.ratings import tallies
from arena.services.ratings.tallies import Scope
from arena.services.ratings.views import GamePoints
from arena.tournament.strength import Strength, strengths

FITTED_VARIANTS: Final = tuple(variant.id for variant in VARIANTS.values() if variant.points_over)
"""IDs of the variants that have strengths: those whose game points order bots sooner than ranks do."""


PAIRS_PER_RESULT: Final = 1000
"""Number of pairs of bots for which a scope waits for one more result, while its bots play."""


def game_points(variant: str, strength: Strength | None) -> GamePoints | None:
    """Convert a strength per match to game points per deal, hand or match, as the variant declares.

    Returns None if the strength is not fitted, or the variant shows none.
    """
    over = VARIANTS[variant].points_over if variant in VARIANTS else 0
    if strength is None or not over:
        return None
    value, reach = strength
    return GamePoints(value / over, None if reach is None else ((value - reach) / over, (value + reach) / over))


class DueFit(NamedTuple):
    """A scope whose results have changed since its strengths were fitted."""

    scope: Scope
    results: int
    """Number of changes to its results."""
    behind: int
    """Number of changes since the last fit."""


def refit(arena: Arena) -> int:
    """Fit the strengths of due scopes, most changed first. Returns the number of scopes fitted.

    If many are due, some are left to the next sweep.
    """
    with arena.reading() as session:
        due = sorted((one for one in _due(session) if _is_worthwhile(session, one)), key=lambda one: -one.behind)
    return sum(_fit(arena, one.scope) for one in in_time(due))


def check(session: Session) -> list[str]:
    """Return a sentence for each stored strength that differs from a fit to the tallies, in scopes that are not due."""
    return [f"strengths of {scope}: {line}" for scope in settled(session) for line in differences(session, scope)]


def settled(session: Session) -> list[Scope]:
    """Return the scopes whose strengths are fitted to all their results."""
    due = {one.scope for one in _due(session)}
    return [scope for scope in _scopes(session) if scope not in due]


def differences(session: Session, scope: Scope) -> list[str]:
    """Return a sentence for each stored strength of a scope that differs from a fit to its tallies."""
    stored = {version: score.strength for version, score in tallies.scores(session, scope).items()}
    return list(_differences(stored, _fitted(session, scope)))


def fit_again(session: Session, scope: Scope) -> None:
    """Fit the strengths of a scope in this transaction."""
    _store(session, scope, _fitted(session, scope))


def _differences(stored: Mapping[int, Strength | None], fitted: Mapping[int, Strength]) -> Iterator[str]:
    for version, strength in stored.items():
        if strength != fitted.get(version):
            yield f"version {version} has {strength}, the tallies give {fitted.get(version)}"


def _due(session: Session) -> list[DueFit]:
    changed = Tournament.results - Tournament.fitted
    here = (Tournament.variant.in_(FITTED_VARIANTS), changed > 0)
    tournaments = session.execute(select(Tournament.id, Tournament.results, changed).where(*here))
    totals = (
        select(Tournament.variant, func.sum(Tournament.results), func.coalesce(RatingCursor.fitted, 0))
        .outerjoin(RatingCursor, RatingCursor.variant == Tournament.variant)
        .where(Tournament.variant.in_(FITTED_VARIANTS), Tournament.rated)
        .group_by(Tournament.variant, RatingCursor.fitted)
    )
    variants = [DueFit(variant, int(total), int(total) - fitted) for variant, total, fitted in session.execute(totals)]
    return [*(DueFit(*row) for row in tournaments), *(one for one in variants if one.behind)]


def _is_worthwhile(session: Session, one: DueFit) -> bool:
    """Return whether enough results have changed, or no tournament of the scope is running."""
    model: Any = TournamentScore if isinstance(one.scope, int) else VariantScore
    bots = session.scalar(select(func.count()).where(_in_scope(model, one.scope))) or 0
    running = select(Tournament.id).where(_tournaments(one.scope), Tournament.state == TournamentState.RUNNING)
    return one.behind * PAIRS_PER_RESULT >= comb(bots, 2) or session.scalar(running.limit(1)) is None


def _scopes(session: Session) -> list[Scope]:
    tournaments = session.scalars(
        select(Tournament.id).where(Tournament.variant.in_(FITTED_VARIANTS)).order_by(Tournament.id)
    )
    return [*tournaments, *FITTED_VARIANTS]


def _fit(arena: Arena, scope: Scope) -> int:
    # Two transactions, so that results do not wait for the fit.
    with arena.reading() as session:
        results = session.scalar(select(func.sum(Tournament.results)).where(_tournaments(scope))) or 0
        found = _fitted(session, scope)
    with arena.transaction() as session:
        if not _mark(session, scope, results):
            return 0  # another sweep has fitted these results or later ones
        _store(session, scope, found)
    return 1


def _fitted(session: Session, scope: Scope) -> dict[int, Strength]:
    return strengths(*tallies.leads(session, scope))


def _tournaments(scope: Scope) -> Any:
    """Return the condition of the tournaments whose results the scope has."""
    if isinstance(scope, int):
        return Tournament.id == scope
    return and_(Tournament.variant == scope, Tournament.rated)


def _mark(session: Session, scope: Scope, results: int) -> bool:
    """Lock the strengths and note the results that they are fitted to; return False if later results were noted."""
    model: Any = Tournament if isinstance(scope, int) else RatingCursor
    key = Tournament.id if isinstance(scope, int) else RatingCursor.variant
    marked = update(model).where(key == scope, model.fitted < results).values(fitted=results).returning(key)
    return session.scalar(marked.execution_options(synchronize_session=False)) is not None


def _store(session: Session, scope: Scope, found: Mapping[int, Strength]) -> None:
    model: Any = TournamentScore if isinstance(scope, int) else VariantScore
    here = _in_scope(model, scope)
    # In the order of keys, as results lock these rows. Versions without results lose their strength.
    versions = session.scalars(select(model.version_id).where(here).order_by(model.version_id)).all()
    fits = ((version, found.get(version)) for version in versions)
    rows = [{"of": one, "value": fit and fit.value, "reach": fit and fit.reach} for one, fit in fits]
    change = update(model.__table__).where(here, model.version_id == bindparam("of"))
    if rows:
        session.connection().execute(change.values(strength=bindparam("value"), reach=bindparam("reach")), rows)


def _in_scope(model: Any, scope: Scope) -> ColumnElement[bool]:
    """Return the condition of the scope's rows of a model of scores."""
    column: ColumnElement[Any] = model.tournament_id if isinstance(scope, int) else model.variant
    return column == scope
