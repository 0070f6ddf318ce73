"""Integrity of what is computed from results: ratings with their cursors and parameters, tallies, and strengths."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from sqlalchemy import delete, exists, func, select, union
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import (
    CurrentRating,
    RatingCursor,
    RatingEvent,
    RatingParameters,
    Table,
    TableSeat,
    Tournament,
)
from arena.services.base.context import Arena
from arena.services.integrity.findings import Check, Wrong, correct
from arena.services.integrity.leases import GRACE
from arena.services.ratings import audit, estimates, fold, strengths, tallies
from arena.services.ratings.results import counted
from arena.services.ratings.tallies import Scope
from arena.services.tournaments import standings


def cursor(session: Session, variant: str) -> Iterator[Wrong]:
    """Check how far a variant has been rated, and the parameters of its ratings."""
    row = session.get(RatingCursor, variant)
    if row is None:
        if _rated(session, variant):
            yield Wrong("it has ratings, but no cursor", partial(fold.rebuild_all, variant=variant))
        return
    yield from _last_table(session, row)
    yield from _fitted(session, row)
    yield from _clocks(session, row)
    yield from _parameters(session, row)


def _last_table(session: Session, row: RatingCursor) -> Iterator[Wrong]:
    """Check the last table that counts. After a result was set aside, it may lie anywhere before the next one."""
    rated, top = _rated(session, row.variant), _top(session)
    highest = rated if row.due is None and not _was_queued_again(session, row.variant) else top
    if not rated <= row.last_table <= highest:
        what = f"its last rated table is {rated}, but its cursor says {row.last_table}"
        yield Wrong(what, correct(RatingCursor, {"last_table": rated}, variant=row.variant))
    if row.due is not None and row.due > top:
        what = f"its ratings are outdated from table {row.due} on, but the last table is {top}"
        yield Wrong(what, partial(fold.rebuild_all, variant=row.variant))


def _fitted(session: Session, row: RatingCursor) -> Iterator[Wrong]:
    results = session.scalar(select(func.sum(Tournament.results)).where(Tournament.variant == row.variant)) or 0
    if row.fitted > results:
        what = f"its strengths are fitted to {row.fitted} changes of its results, but there were {results}"
        yield Wrong(what, correct(RatingCursor, {"fitted": 0}, variant=row.variant))


def _clocks(session: Session, row: RatingCursor) -> Iterator[Wrong]:
    """Check the times that hold others back."""
    current = session.scalars(select(now())).one()
    longest = {"folded": 0.0, "refolded": 0.0, "estimating": estimates.LEASE}
    for column, most in longest.items():
        ahead = getattr(row, column) - current
        if ahead > most + GRACE:
            what = f"its time {column} lies {ahead:,.0f} s in the future"
            yield Wrong(what, correct(RatingCursor, {column: 0.0}, variant=row.variant))


def _parameters(session: Session, row: RatingCursor) -> Iterator[Wrong]:
    eras = session.scalars(
        select(RatingParameters).filter_by(variant=row.variant).order_by(RatingParameters.since)
    ).all()
    if not eras or eras[0].since != 0:
        yield Wrong(f"its parameters start at the tables {[era.since for era in eras]}; the first must start at 0")


def ratings(session: Session, variant: str) -> Iterator[Wrong]:
    """Check the ratings of a variant against its records. Raises `OptionError` if there is no such variant."""
    rebuild = partial(_rebuild, variant=variant)
    yield from (Wrong(what, rebuild) for what in audit.differences(session, variant))
    strays = select(RatingEvent.table_id, RatingEvent.version_id).where(*_strays(variant)).distinct()
    for table, version in session.execute(strays.order_by(RatingEvent.table_id).limit(audit.BATCH)):
        yield Wrong(f"version {version} has an event at table {table}, but does not sit there in this variant", rebuild)


def _rebuild(session: Session, variant: str) -> None:
    """Rate all tables of a variant again, without events that cannot be right."""
    session.execute(delete(RatingEvent).where(*_strays(variant)), execution_options={"synchronize_session": False})
    fold.rebuild_all(session, variant)


def _strays(variant: str) -> tuple[Any, ...]:
    """Conditions of a variant's events of versions that do not sit at the table, or of another variant's tables."""
    seat = exists().where(TableSeat.table_id == RatingEvent.table_id, TableSeat.version_id == RatingEvent.version_id)
    here = exists().where(
        Table.id == RatingEvent.table_id, Tournament.id == Table.tournament_id, Tournament.variant == variant
    )
    return (RatingEvent.variant == variant, ~(seat & here))


def all_tallies(session: Session, _: str) -> Iterator[Wrong]:
    """Check all tallies against the results."""
    yield from (Wrong(what, tallies.rebuild_all) for what in tallies.check(session))


def fits(session: Session, scope: Scope) -> Iterator[Wrong]:
    """Check the strengths of a scope against its tallies."""
    fit = partial(strengths.fit_again, scope=scope)
    yield from (Wrong(what, fit) for what in strengths.differences(session, scope))


def final_ranks(session: Session, tournament_id: int) -> Iterator[Wrong]:
    """Check the ranks that are noted with the entries of a finished tournament."""
    right = partial(_note_again, tournament_id=tournament_id)
    yield from (Wrong(what, right) for what in standings.differences(session, tournament_id))


def _note_again(session: Session, tournament_id: int) -> None:
    standings.note(session, session.get_one(Tournament, tournament_id))


def _rated(session: Session, variant: str) -> int:
    """Return the highest ID of a table that counts; 0 if there is none."""
    return session.scalar(select(func.max(Table.id)).join(Table.tournament).where(*counted(variant))) or 0


def _top(session: Session) -> int:
    """Return the highest ID of a table; 0 if there is none."""
    return session.scalar(select(func.max(Table.id))) or 0


def _was_queued_again(session: Session, variant: str) -> bool:
    """Return whether a table of the variant was ever queued again, so that its attempts were not all counted."""
    again = select(Table.id).join(Table.tournament).where(Tournament.variant == variant, Table.attempts != Table.fence)
    return session.scalar(again.limit(1)) is not None


def _variants(arena: Arena) -> list[str]:
    """Return the variants of all tournaments and of all ratings."""
    models: tuple[Any, ...] = (Tournament, CurrentRating, RatingCursor, RatingEvent, RatingParameters)
    with arena.reading() as session:
        return sorted(session.scalars(union(*(select(model.variant) for model in models))))


def _scopes(arena: Arena) -> list[Scope]:
    with arena.reading() as session:
        return strengths.settled(session)


CHECKS = (
    Check("cursor of", _variants, cursor),
    Check("ratings of", _variants, ratings, reads_records=True),
    Check("tallies", lambda _: [""], all_tallies),
    Check("strengths of", _scopes, fits),
    Check("final ranks of tournament", standings.finished, final_ranks),
)
