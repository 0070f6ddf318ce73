"""The fold of results into ratings: one at a time per variant, in table order rather than finishing order.

Within a tournament, only tables before the first unfinished one count, so the order of finishing does not matter.
Across tournaments, tables are folded in the order of their IDs. When a result arrives with an ID below one that is
already folded, all tables from there on are folded again, as new events of a higher revision; the old events stay. In
the end the valid events are the fold of all results by ID, bit for bit, in whatever order the tables finished.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.clock import now
from arena.db.models import CurrentRating, RatingCursor, RatingEvent, Table, TableSeat, Tournament
from arena.db.upsert import insert_missing, put
from arena.games.registry import VARIANTS, rules_of
from arena.ratings import Result
from arena.services.base.context import Arena
from arena.services.base.states import UNSETTLED, TableState
from arena.services.ratings import parameters
from arena.tournament.tables import kind_of

CURRENT: Final = ("variant", "version_id", "mu", "sigma", "tables", "matches")
"""Columns of a current rating, which a rating event also has."""

_STARTS: Final = ("last_table", "revision", "refolded", "estimating", "fitted")
"""Columns of a cursor that start at 0."""

REFOLD_PACE: Final = 100.0
"""Tables per second that the sweep may fold again because of late results."""


class DueFold(NamedTuple):
    """Tables of a tournament that are not folded yet."""

    tournament: int
    mark: int
    """Number of the tournament's first unfinished table."""
    lowest: int | None
    """Lowest ID of an unfolded table with a result before the mark; None if there is none."""


def fold(arena: Arena, variant: str, pace: float = math.inf) -> int:
    """Fold the results that are due. Returns the number of tables rated, for the first time or again.

    Results after all folded tables are folded immediately. Late results, with n tables to fold again, wait until
    n / `pace` seconds after the previous time; a `pace` of 0 leaves them to the sweep.
    """
    with arena.transaction() as session:
        cursor = lock(session, variant)
        due = _due(session, variant)
        late = [one for one in due if one.lowest is not None and one.lowest <= cursor.last_table]
        if late and not _may_refold(session, cursor, late, pace):
            due = [one for one in due if one not in late]
        return _fold_due(session, cursor, due)


def fold_all(arena: Arena) -> int:
    """Fold each variant on offer that has unfolded results, and late results at `REFOLD_PACE`."""
    with arena.reading() as session:
        lagging = select(Tournament.variant).where(Tournament.folded < Tournament.tables_total).distinct()
        variants = [variant for variant in session.scalars(lagging) if variant in VARIANTS]
    return sum(fold(arena, variant, REFOLD_PACE) for variant in variants)


def rebuild(arena: Arena, variant: str) -> int:
    """Fold all tables of the variant again. Returns the number of tables rated."""
    with arena.transaction() as session:
        return rebuild_all(session, lock(session, variant))


def rebuild_all(session: Session, cursor: RatingCursor) -> int:
    """Like `rebuild`, inside a transaction that already holds the cursor."""
    session.execute(update(Tournament).where(Tournament.variant == cursor.variant).values(folded=0))
    session.execute(delete(CurrentRating).where(CurrentRating.variant == cursor.variant))
    return _fold_due(session, cursor, _due(session, cursor.variant))


def refold(session: Session, cursor: RatingCursor, since: int) -> None:
    """Fold again from the table with ID `since`, after results from there on have ceased to count."""
    rated = select(RatingEvent.version_id).where(RatingEvent.variant == cursor.variant, RatingEvent.table_id >= since)
    touched = session.scalars(rated.distinct()).all()
    counted = {version for result in _fold_from(session, cursor, since) for version in result.versions}
    for version in sorted(set(touched) - counted):
        _restore(session, cursor.variant, version, since)


def fold_from(session: Session, cursor: RatingCursor, since: int) -> None:
    """Fold again from the table with ID `since`, after its parameters have changed."""
    if since <= cursor.last_table:
        _fold_from(session, cursor, since)


def lock(session: Session, variant: str) -> RatingCursor:
    """Lock the variant's cursor, so that no other transaction folds the variant until this one ends."""
    query = select(RatingCursor).where(RatingCursor.variant == variant).with_for_update()
    found = session.scalars(query).one_or_none()
    if found:
        return found
    insert_missing(session, RatingCursor, {"variant": variant} | dict.fromkeys(_STARTS, 0))
    parameters.start_era(session, variant, 0, ratings.defaults(variant))
    return session.scalars(query).one()


def results(session: Session, variant: str, since: int) -> Iterator[Result]:
    """Yield the results of folded tables from ID `since`, in the order of their IDs."""
    rows = session.execute(
        select(TableSeat.table_id, TableSeat.version_id, TableSeat.rank, Tournament.boards, Tournament.seatings)
        .select_from(TableSeat)
        .join(TableSeat.table)
        .join(Table.tournament)
        .where(Tournament.variant == variant, Table.state == TableState.DONE, Table.number < Tournament.folded)
        .where(Table.id >= since)
        .order_by(TableSeat.table_id, TableSeat.position)
    )
    teams = rules_of(variant).teams
    for table_id, seats in groupby(rows, key=lambda row: row.table_id):
        _, versions, ranks, boards, modes = zip(*seats, strict=True)
        yield Result(table_id, versions, ranks, kind_of(teams, len(versions), modes[0]).own_matches(boards[0]))


def _due(session: Session, variant: str) -> list[DueFold]:
    lagging = select(Tournament).where(Tournament.variant == variant, Tournament.folded < Tournament.tables_total)
    return [_due_in(session, tournament) for tournament in session.scalars(lagging)]


def _due_in(session: Session, tournament: Tournament) -> DueFold:
    here = Table.tournament_id == tournament.id
    firsts = [session.scalar(select(func.min(Table.number)).where(here, Table.state == state)) for state in UNSETTLED]
    mark = min((first for first in firsts if first is not None), default=tournament.tables_total)
    passed = (Table.number >= tournament.folded, Table.number < mark, Table.state == TableState.DONE)
    return DueFold(tournament.id, mark, session.scalar(select(func.min(Table.id)).where(here, *passed)))


def _may_refold(session: Session, cursor: RatingCursor, late: Sequence[DueFold], pace: float) -> bool:
    """Return whether enough time has passed to fold again all tables after late results."""
    since = min(one.lowest for one in late if one.lowest is not None)
    after = select(func.count()).select_from(Table).join(Table.tournament)
    count = session.scalars(after.where(Tournament.variant == cursor.variant, Table.id >= since)).one()
    passed = session.scalars(select(now())).one() - cursor.refolded
    return pace > 0 and count / pace <= max(0.0, passed)


def _fold_due(session: Session, cursor: RatingCursor, due: Sequence[DueFold]) -> int:
    for one in due:
        # Plain UPDATEs, because other transactions increment other columns of these rows at the same time.
        session.execute(update(Tournament).where(Tournament.id == one.tournament).values(folded=one.mark))
    since = min((one.lowest for one in due if one.lowest is not None), default=None)
    return 0 if since is None else len(_fold_from(session, cursor, since))


def _fold_from(session: Session, cursor: RatingCursor, since: int) -> list[Result]:
    """Fold all tables that count from ID `since`, and return their results."""
    due = list(results(session, cursor.variant, since))
    versions = sorted({version for result in due for version in result.versions})
    before = _all_before(session, cursor, versions, since)
    if since <= cursor.last_table:
        cursor.revision += 1
        cursor.refolded = session.scalars(select(now())).one()
    known = {version: ratings.Rating(last.mu, last.sigma) for version, last in before.items()}
    counts = dict.fromkeys(versions, (0, 0)) | {
        version: (last.tables, last.matches) for version, last in before.items()
    }
    events = list(_events(cursor, ratings.fold_eras(due, parameters.eras(session, cursor.variant), known), counts))
    if events:
        session.execute(insert(RatingEvent), events)
    put(session, CurrentRating, _current(events))
    cursor.last_table = due[-1].table if due else min(cursor.last_table, since - 1)
    return due


def _restore(session: Session, variant: str, version: int, table: int) -> None:
    """Give a version back its rating from before `table`, or none."""
    session.execute(delete(CurrentRating).where(CurrentRating.variant == variant, CurrentRating.version_id == version))
    event = _before(session, variant, version, table)
    if event:
        put(session, CurrentRating, [{name: getattr(event, name) for name in CURRENT}])


def _all_before(
    session: Session, cursor: RatingCursor, versions: Sequence[int], table: int
) -> dict[int, CurrentRating] | dict[int, RatingEvent]:
    """Return the ratings of these versions before `table`, without versions that had none."""
    if table > cursor.last_table:  # as nearly always: the ratings before it are the current ones
        now_rated = select(CurrentRating).where(
            CurrentRating.variant == cursor.variant, CurrentRating.version_id.in_(versions)
        )
        return {rating.version_id: rating for rating in session.scalars(now_rated)}
    events = {version: _before(session, cursor.variant, version, table) for version in versions}
    return {version: event for version, event in events.items() if event}


def _before(session: Session, variant: str, version: int, table: int) -> RatingEvent | None:
    """Return the valid event of the version's last table before `table` that counts."""
    return session.scalars(
        select(RatingEvent)
        .join(Table, Table.id == RatingEvent.table_id)
        .join(Table.tournament)
        .where(Table.state == TableState.DONE, Table.number < Tournament.folded)
        .where(RatingEvent.variant == variant, RatingEvent.version_id == version, RatingEvent.table_id < table)
        .order_by(RatingEvent.table_id.desc(), RatingEvent.revision.desc())
        .limit(1)
    ).first()


def _events(
    cursor: RatingCursor, changes: Iterator[ratings.Change], counts: dict[int, tuple[int, int]]
) -> Iterator[dict[str, Any]]:
    for result, version, rank, rating in changes:
        tables, matches = counts[version]
        counts[version] = (tables + 1, matches + result.matches)
        yield {
            "table_id": result.table,
            "version_id": version,
            "revision": cursor.revision,
            "variant": cursor.variant,
            "rank": rank,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "tables": tables + 1,
            "matches": matches + result.matches,
        }


def _current(events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of current ratings after these events: the last event of each version."""
    last = {event["version_id"]: event for event in events}
    return [{name: event[name] for name in CURRENT} for event in last.values()]
