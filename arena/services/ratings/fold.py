"""The fold of results into ratings: one at a time per variant, in table order rather than finishing order.

Within a tournament, only tables before the first unsettled one count, so the order of finishing does not matter.
Across tournaments, tables are folded in the order of their IDs. Results after all others are rated within a moment.
Late results, with an ID below one that is rated already, wait for the sweep, which folds all tables from there on
again, in short transactions; the cursor holds how far it is. New results are rated meanwhile, and again when the sweep
reaches them. In the end the ratings are the fold of all results by ID, bit for bit, in whatever order they arrived.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, bindparam, func, select, update
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.clock import now
from arena.db.models import RatingCursor, Table, Tournament
from arena.db.upsert import insert_missing
from arena.games.registry import LEADERBOARDS
from arena.services.base.context import Arena
from arena.services.base.states import UNSETTLED, TableState
from arena.services.ratings import events, parameters, results

FOLD_EVERY: Final = 0.5
"""Seconds between two folds of a variant's new results while its tournaments are playing."""
REFOLD_PACE: Final = 100.0
"""Tables per second that the sweep may fold again because of late results."""
REFOLD_BURST: Final = 10.0
"""Seconds of the pace that the sweep may use up at once."""
REACH: Final = 10_000
"""Maximum number of a tournament's tables that begin to count at once."""

_TOURNAMENTS: Final[Any] = Tournament.__table__
_MARK: Final = update(_TOURNAMENTS).where(_TOURNAMENTS.c.id == bindparam("of")).values(folded=bindparam("mark"))
_STARTS: Final = ("last_table", "refolded", "folded", "estimating", "fitted")
"""Columns of a cursor that start at 0."""


class Due(NamedTuple):
    """Settled tables of a tournament that do not count yet but should."""

    tournament: int
    variant: str
    mark: int
    """Number of the tournament's first table that should not count yet."""
    first: int | None
    """ID of the first of these tables that has a result; None if none has."""
    last: int | None
    """ID of the last of these tables that has a result."""


def fold(arena: Arena, variant: str, tournament_id: int) -> int:
    """Rate the new results of a tournament. Call it after each result. Returns the number of tables rated.

    Leaves results to a later fold or the sweep if they are late, or if the variant was folded a moment ago and the
    tournament still has tables to play.
    """
    here = Tournament.id == tournament_id
    with arena.reading() as session:
        last = session.scalar(select(RatingCursor.last_table).where(RatingCursor.variant == variant))
        if _can_wait(session, here) or not _new(_due(session, here), last or 0):
            return 0
    return _fold_new(arena, variant, here)


def fold_all(arena: Arena) -> int:
    """Fold the results of all variants on offer, late ones at `REFOLD_PACE`. Returns the number of tables rated."""
    return sum(catch_up(arena, variant, _allowance(arena, variant)) for variant in unfinished(arena))


def catch_up(arena: Arena, variant: str, most: float = math.inf) -> int:
    """Fold new results, then late ones until `most` tables are rated or nothing is left. Returns their number."""
    rated = _fold_new(arena, variant, Tournament.variant == variant)
    while rated < most and _is_unfinished(arena, variant):
        rated += _fold_next(arena, variant)
    return rated


def unfinished(arena: Arena) -> list[str]:
    """Return the variants on offer that have unrated results or outdated ratings, sorted."""
    outdated = select(RatingCursor.variant).where(RatingCursor.due.is_not(None))
    with arena.reading() as session:
        found = {*session.scalars(outdated), *(one.variant for one in _due(session))}
    return sorted(found & LEADERBOARDS.keys())


def rebuild(arena: Arena, variant: str) -> int:
    """Fold all tables of the variant again, and repair its cursor. Returns the number of tables rated."""
    with arena.transaction() as session:
        _restart(session, variant)
    return catch_up(arena, variant)


def rebuild_all(session: Session, variant: str) -> None:
    """Like `rebuild`, in this transaction."""
    cursor = _restart(session, variant)
    while cursor.due is not None:
        _fold_chunk(session, cursor, cursor.due)


def _restart(session: Session, variant: str) -> RatingCursor:
    """Mark all ratings of the variant as outdated, and lock its cursor."""
    cursor = lock(session, variant)
    session.execute(update(Tournament).where(Tournament.variant == variant).values(folded=0))
    _count(session, cursor, _due(session, Tournament.variant == variant))
    events.delete_strays(session, variant)
    cursor.due, cursor.last_table = 0, session.scalar(select(func.max(Table.id))) or 0
    return cursor


def outdate(cursor: RatingCursor, since: int) -> None:
    """Mark the ratings from the table with ID `since` as outdated. The sweep folds them again."""
    if since <= cursor.last_table:
        cursor.due = since if cursor.due is None else min(cursor.due, since)


def refold(session: Session, cursor: RatingCursor, since: int) -> None:
    """Fold again from the table with ID `since`: the first tables immediately, the others by the sweep."""
    outdate(cursor, since)
    if cursor.due is not None:
        _fold_chunk(session, cursor, cursor.due)


def lock(session: Session, variant: str) -> RatingCursor:
    """Lock the variant's cursor, so that no other transaction folds the variant until this one ends."""
    query = select(RatingCursor).where(RatingCursor.variant == variant).with_for_update()
    found = session.scalars(query).one_or_none()
    if found:
        return found
    insert_missing(session, RatingCursor, {"variant": variant} | dict.fromkeys(_STARTS, 0))
    parameters.start_era(session, variant, 0, ratings.defaults(variant))
    return session.scalars(query).one()


def _can_wait(session: Session, *which: ColumnElement[bool]) -> bool:
    """Return whether the variant was folded a moment ago and the tournament still has routine tables to play."""
    passed = now() - RatingCursor.folded
    playing = (*which, Tournament.priority <= 0, Tournament.tables_settled < Tournament.tables_total)
    recent = select(RatingCursor.variant).join(Tournament, Tournament.variant == RatingCursor.variant)
    return session.scalar(recent.where(*playing, passed >= 0, passed < FOLD_EVERY)) is not None


def _due(session: Session, *which: ColumnElement[bool]) -> list[Due]:
    """Return the tournaments in which further tables should count."""
    here = (Table.tournament_id == Tournament.id, Table.number >= Tournament.folded)
    # A query for each state, as an index answers it with one row.
    firsts = [
        select(func.min(Table.number)).where(*here, Table.state == state).scalar_subquery() for state in UNSETTLED
    ]
    columns = (Tournament.id, Tournament.variant, Tournament.folded, Tournament.tables_total, *firsts)
    found = session.execute(
        select(*columns).where(Tournament.rated, Tournament.folded < Tournament.tables_total, *which)
    ).all()
    due = []
    for tournament, variant, folded, total, *unsettled in found:
        mark = min(folded + REACH, total, *(first for first in unsettled if first is not None))
        if mark > folded:
            due.append(_due_in(session, tournament, variant, folded, mark))
    return due


def _due_in(session: Session, tournament: int, variant: str, folded: int, mark: int) -> Due:
    here = (Table.tournament_id == tournament, Table.number >= folded, Table.number < mark)
    rated = select(func.min(Table.id), func.max(Table.id)).where(*here, Table.state == TableState.DONE)
    return Due(tournament, variant, mark, *session.execute(rated).one())


def _new(due: Iterable[Due], last_table: int) -> list[Due]:
    """Return those whose results come after all tables that count."""
    return [one for one in due if one.first is not None and one.first > last_table]


def _fold_new(arena: Arena, variant: str, *which: ColumnElement[bool]) -> int:
    """Rate the new results of these tournaments. Returns the number of tables."""
    with arena.transaction() as session:
        cursor = lock(session, variant)
        new = _new(_due(session, *which), cursor.last_table)
        if not new:
            return 0
        first = min(one.first for one in new if one.first is not None)
        _count(session, cursor, new)
        cursor.folded = now()
        return _fold_chunk(session, cursor, first)


def _fold_next(arena: Arena, variant: str) -> int:
    """Fold the next chunk; late results join when no others are left. Returns the number of tables."""
    with arena.transaction() as session:
        cursor = lock(session, variant)
        if cursor.due is None:
            _count(session, cursor, _due(session, Tournament.variant == variant))
        return 0 if cursor.due is None else _fold_chunk(session, cursor, cursor.due)


def _is_unfinished(arena: Arena, variant: str) -> bool:
    with arena.reading() as session:
        due = session.scalar(select(RatingCursor.due).where(RatingCursor.variant == variant))
        return due is not None or bool(_due(session, Tournament.variant == variant))


def _allowance(arena: Arena, variant: str) -> float:
    """Take the number of tables that may be folded again for the time since the last call."""
    with arena.transaction() as session:
        cursor = lock(session, variant)
        moment = session.scalars(select(now())).one()
        passed, cursor.refolded = moment - cursor.refolded, moment
    return REFOLD_PACE * (passed if 0 <= passed < REFOLD_BURST else REFOLD_BURST)


def _count(session: Session, cursor: RatingCursor, due: Sequence[Due]) -> None:
    """Make these tables count. Their ratings are missing until they are folded."""
    marks = [{"of": one.tournament, "mark": one.mark} for one in sorted(due)]
    if marks:
        # Plain UPDATEs, because other transactions increment other columns of these rows at the same time.
        session.connection().execute(_MARK, marks)
    for one in due:
        if one.first is not None and one.last is not None:
            cursor.last_table = max(cursor.last_table, one.last)
            outdate(cursor, one.first)


def _fold_chunk(session: Session, cursor: RatingCursor, since: int) -> int:
    """Fold the first counted tables from ID `since`. Returns their number."""
    chunk = results.chunk(session, cursor.variant, since)
    events.replace(session, cursor.variant, chunk)
    if since == cursor.due:
        _pass(cursor, chunk)
    return len(chunk.results)


def _pass(cursor: RatingCursor, chunk: results.Chunk) -> None:
    """Move the cursor behind a chunk whose ratings are up to date now."""
    if chunk.end <= cursor.last_table:
        cursor.due = chunk.end
    else:
        cursor.due = None
        cursor.last_table = chunk.results[-1].table if chunk.results else min(cursor.last_table, chunk.start - 1)
