"""The fold of results into ratings: one at a time per variant, always in table order, whoever finishes first.

Of a tournament, only tables before the first unfinished one count, so that within it nothing depends on who was
faster. Across tournaments tables are taken in the order of their ids. Where a table turns up whose id lies before what
was folded already, everything from there on is folded again, as new events of a higher revision; the old ones stay. So
in the end the valid events are the fold of all results by id, bit for bit, in whatever order the tables finished.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.clock import now
from arena.db.models import Rating, RatingCursor, RatingEvent, Table, TableSeat, Tournament
from arena.db.upsert import insert_missing, put
from arena.games.registry import VARIANTS
from arena.ratings import Result
from arena.services import parameters
from arena.services.context import Arena
from arena.services.plans import rules_of
from arena.services.shapes import DONE, UNSETTLED
from arena.tournament.tables import kind_of

CURRENT: Final = ("variant", "version_id", "mu", "sigma", "tables", "matches")
"""The columns of a current rating, which an event has as well."""

REFOLD_PACE: Final = 100.0
"""Tables per second that the sweep may spend on folding again what comes after late results."""


class Due(NamedTuple):
    """Tables of a tournament that the ratings have yet to take in."""

    tournament: int
    mark: int
    """The number of its first unfinished table."""
    lowest: int | None
    """The lowest id of a table with a result before the mark; None where there is none."""


def fold(arena: Arena, variant: str, pace: float = math.inf) -> int:
    """Take in the results that are due; how many tables were rated (again).

    Results that come after all others are taken in at once. Those that have n tables after them to be folded again wait
    until n / `pace` seconds have passed since the last time, so 0 leaves them to somebody else.
    """
    with arena.transaction() as session:
        cursor = lock(session, variant)
        due = _due(session, variant)
        late = [one for one in due if one.lowest is not None and one.lowest <= cursor.last_table]
        if late and not _is_worth_it(session, cursor, late, pace):
            due = [one for one in due if one not in late]
        return _take_in(session, cursor, due)


def fold_all(arena: Arena) -> int:
    """`fold` for every variant on offer that has results which the ratings have not taken in, at an unhurried pace."""
    with arena.reading() as session:
        lagging = select(Tournament.variant).where(Tournament.folded < Tournament.tables_total).distinct()
        variants = [variant for variant in session.scalars(lagging) if variant in VARIANTS]
    return sum(fold(arena, variant, REFOLD_PACE) for variant in variants)


def rebuild(arena: Arena, variant: str) -> int:
    """Rate everything again from the first table on; how many tables were rated."""
    with arena.transaction() as session:
        return rebuild_all(session, lock(session, variant))


def rebuild_all(session: Session, cursor: RatingCursor) -> int:
    """The same in a transaction that holds the cursor."""
    session.execute(update(Tournament).where(Tournament.variant == cursor.variant).values(folded=0))
    session.execute(delete(Rating).where(Rating.variant == cursor.variant))
    return _take_in(session, cursor, _due(session, cursor.variant))


def refold(session: Session, cursor: RatingCursor, since: int) -> None:
    """Fold again from the table `since` on, because results from there on ceased to count."""
    rated = select(RatingEvent.version_id).where(RatingEvent.variant == cursor.variant, RatingEvent.table_id >= since)
    touched = session.scalars(rated.distinct()).all()
    counted = {version for result in _fold_from(session, cursor, since) for version in result.versions}
    for version in sorted(set(touched) - counted):
        _restore(session, cursor.variant, version, since)


def lock(session: Session, variant: str) -> RatingCursor:
    """The cursor of the variant; nobody else folds it until the transaction ends."""
    query = select(RatingCursor).where(RatingCursor.variant == variant).with_for_update()
    found = session.scalars(query).one_or_none()
    if found:
        return found
    insert_missing(session, RatingCursor, {"variant": variant, "last_table": 0, "revision": 0, "refolded": 0.0})
    return session.scalars(query).one()


def results(session: Session, variant: str, since: int) -> Iterator[Result]:
    """The results that the ratings have taken in, by table id, from the table `since` on."""
    rows = session.execute(
        select(TableSeat.table_id, TableSeat.version_id, TableSeat.rank, Tournament.boards, Tournament.seatings)
        .select_from(TableSeat)
        .join(TableSeat.table)
        .join(Table.tournament)
        .where(Tournament.variant == variant, Table.state == DONE, Table.number < Tournament.folded)
        .where(Table.id >= since)
        .order_by(TableSeat.table_id, TableSeat.position)
    )
    teams = rules_of(variant).teams
    for table_id, seats in groupby(rows, key=lambda row: row.table_id):
        _, versions, ranks, boards, modes = zip(*seats, strict=True)
        yield Result(table_id, versions, ranks, kind_of(teams, len(versions), modes[0]).own_matches(boards[0]))


def _due(session: Session, variant: str) -> list[Due]:
    lagging = select(Tournament).where(Tournament.variant == variant, Tournament.folded < Tournament.tables_total)
    return [_due_in(session, tournament) for tournament in session.scalars(lagging)]


def _due_in(session: Session, tournament: Tournament) -> Due:
    here = Table.tournament_id == tournament.id
    firsts = [session.scalar(select(func.min(Table.number)).where(here, Table.state == state)) for state in UNSETTLED]
    mark = min((first for first in firsts if first is not None), default=tournament.tables_total)
    passed = (Table.number >= tournament.folded, Table.number < mark, Table.state == DONE)
    return Due(tournament.id, mark, session.scalar(select(func.min(Table.id)).where(here, *passed)))


def _is_worth_it(session: Session, cursor: RatingCursor, late: Sequence[Due], pace: float) -> bool:
    """Whether it is time to fold again what comes after results that are late."""
    since = min(one.lowest for one in late if one.lowest is not None)
    after = select(func.count()).select_from(Table).join(Table.tournament)
    count = session.scalars(after.where(Tournament.variant == cursor.variant, Table.id >= since)).one()
    passed = session.scalars(select(now())).one() - cursor.refolded
    return pace > 0 and count / pace <= max(0.0, passed)


def _take_in(session: Session, cursor: RatingCursor, due: Sequence[Due]) -> int:
    for one in due:
        # Plain UPDATEs: other columns of these rows are counted up by others at the same time.
        session.execute(update(Tournament).where(Tournament.id == one.tournament).values(folded=one.mark))
    since = min((one.lowest for one in due if one.lowest is not None), default=None)
    return 0 if since is None else len(_fold_from(session, cursor, since))


def _fold_from(session: Session, cursor: RatingCursor, since: int) -> list[Result]:
    """Fold whatever counts from the table `since` on, and tell it."""
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
    events = list(_events(cursor, ratings.fold(due, parameters.of(session, cursor.variant), known), counts))
    if events:
        session.execute(insert(RatingEvent), events)
    put(session, Rating, _current(events))
    cursor.last_table = due[-1].table if due else min(cursor.last_table, since - 1)
    return due


def _restore(session: Session, variant: str, version: int, table: int) -> None:
    """Give a version the rating that it had before `table`, or none."""
    session.execute(delete(Rating).where(Rating.variant == variant, Rating.version_id == version))
    event = _before(session, variant, version, table)
    if event:
        put(session, Rating, [{name: getattr(event, name) for name in CURRENT}])


def _all_before(
    session: Session, cursor: RatingCursor, versions: Sequence[int], table: int
) -> dict[int, Rating] | dict[int, RatingEvent]:
    """The ratings of these versions before `table`; who was not rated is left out."""
    if table > cursor.last_table:  # as nearly always: what was before it is what is now
        now_rated = select(Rating).where(Rating.variant == cursor.variant, Rating.version_id.in_(versions))
        return {rating.version_id: rating for rating in session.scalars(now_rated)}
    events = {version: _before(session, cursor.variant, version, table) for version in versions}
    return {version: event for version, event in events.items() if event}


def _before(session: Session, variant: str, version: int, table: int) -> RatingEvent | None:
    """The valid event of a version's last table before `table`, of those that count."""
    return session.scalars(
        select(RatingEvent)
        .join(Table, Table.id == RatingEvent.table_id)
        .join(Table.tournament)
        .where(Table.state == DONE, Table.number < Tournament.folded)
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
    """The rows of current ratings that follow from events in their order."""
    last = {event["version_id"]: event for event in events}
    return [{name: event[name] for name in CURRENT} for event in last.values()]
