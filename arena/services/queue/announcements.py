"""Choose the waiting tables to ring doorbells for: all urgent tables, and the others in fair turns.

Workers answer doorbells in the order of ringing, so the order of announcements decides which tournament is served.
Routine tables are announced only a few seconds ahead, at the current pace of the workers, so that later tournaments do
not wait behind a long backlog. Doorbells in the middle and at the end of each announcement request the next, so that
workers do not run dry between sweeps; if both are lost, the sweep announces.

Every owner of tournaments gets the same share of the announcements, and within it every tournament of that owner;
tables being played count towards the share. Tournaments of lower priority get what the others leave. Trials, for which
members wait, overtake the announced tables of ladders. No query reads the whole queue.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import groupby, islice
from random import random
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Table, Tournament
from arena.db.models.tournaments import TRIAL
from arena.services.base.context import ANNOUNCE, PLAY, Arena, Doorbell, ring
from arena.services.base.states import TableState, TournamentState

RING_AGAIN: Final = 20.0
"""Seconds after which the doorbell of work that is still waiting is rung again: it may have been lost."""
MIN_ANNOUNCED: Final = 4
"""Number of tables announced even if none is being played."""
MAX_ANNOUNCED: Final = 512
"""Largest number of tables announced and waiting."""
AHEAD: Final = 6.0
"""Seconds of work to announce in advance: two sweeps."""
PACE_WINDOW: Final = 10.0
"""Seconds over which the workers' pace is measured."""
PACE_SHORTEST: Final = 1.0
"""Seconds over which it is measured at least, soon after play has begun."""
BATCH: Final = 1.0
"""Seconds of one worker's play that a doorbell may announce."""
MAX_BATCH: Final = 32
"""Largest number of tables of a doorbell."""

Item = TypeVar("Item")

# A scalar subquery, evaluated once per statement: PostgreSQL cannot use an index with a volatile function.
_NOW: Final = select(now()).scalar_subquery()


class _Open(NamedTuple):
    """A running tournament with unsettled tables."""

    id: int
    owner: int
    priority: int
    first: int
    """Number of a table below which all tables are settled."""
    trial: bool
    """Whether a member waits for it."""


class _Stock(NamedTuple):
    """Numbers of tables by tournament ID."""

    announced: Counter[int]
    """Tables announced and waiting."""
    playing: Counter[int]
    """Tables being played."""
    workers: int
    """Number of workers that are playing tables."""
    pace: float
    """Tables per second that all workers together have finished lately."""


class _Waiting(NamedTuple):
    """A table to announce."""

    tournament: int
    id: int


def announce_more(arena: Arena) -> int:
    """Call `announce` in a transaction. Returns the number of tables announced."""
    with arena.transaction() as session:
        return announce(session)


def announce(session: Session) -> int:
    """Announce the tables that are due to be announced, when the session commits. Returns the number of tables."""
    tournaments = _open(session)
    if not tournaments:
        return 0
    stock = _stock(session)
    window = _window(stock)
    rung, announced = 0, 0
    for priority, group in groupby(tournaments, key=lambda one: one.priority):
        level = list(group)
        urgent = priority > 0 or (level[0].trial and not announced)
        announced += sum(stock.announced[one.id] for one in level) if priority <= 0 else 0
        room = MAX_ANNOUNCED if priority > 0 else window - announced
        # Refill once half of the window is used up: refilling after each table would cost a query per table.
        if priority > 0 or 2 * announced <= window:
            chosen = list(islice(_by_turns(session, level, stock, room), room))
            _ring(session, chosen, urgent, None if priority > 0 else _batch(stock, len(chosen)))
            rung, announced = rung + len(chosen), announced + len(chosen)
    return rung


def take_turns(waiting: Mapping[int, Iterator[Item]], held: Mapping[int, int]) -> Iterator[Item]:
    """Yield the waiting items of each source, always from the source with the fewest items in progress.

    `held` is the number of items in progress per source at the start; each yielded item adds one. Ties are broken at
    random, so that no source is always last. An iterator is advanced only when it is its source's turn.
    """
    turns = [(held.get(source, 0), random(), source) for source in waiting]
    heapify(turns)
    while turns:
        count, _, source = heappop(turns)
        item = next(waiting[source], None)
        if item is not None:
            yield item
            heappush(turns, (count + 1, random(), source))


def _recent() -> ColumnElement[bool]:
    return Table.rung_at > _NOW - RING_AGAIN


def _open(session: Session) -> list[_Open]:
    """Return the running tournaments with unsettled tables, the highest priority first."""
    trial = Tournament.format == TRIAL
    found = session.execute(
        select(Tournament.id, Tournament.created_by_id, Tournament.priority, Tournament.folded, trial)
        .where(Tournament.state == TournamentState.RUNNING, Tournament.tables_settled < Tournament.tables_total)
        .order_by(Tournament.priority.desc())
    )
    return [_Open(*row) for row in found]


def _stock(session: Session) -> _Stock:
    announced = select(Table.tournament_id, func.count()).where(Table.state == TableState.QUEUED, _recent())
    playing = select(Table.tournament_id, Table.worker, func.count()).where(Table.state == TableState.RUNNING)
    waiting = session.execute(announced.group_by(Table.tournament_id)).all()
    held = session.execute(playing.group_by(Table.tournament_id, Table.worker)).all()
    return _Stock(
        announced=Counter({row.tournament_id: row[1] for row in waiting}),
        playing=sum((Counter({tournament: count}) for tournament, _, count in held), Counter()),
        workers=len({worker for _, worker, _ in held}),
        pace=_pace(session),
    )


def _pace(session: Session) -> float:
    """Return the tables per second that the workers have finished lately, or since play began."""
    finished = select(Table.finished).where(Table.state == TableState.DONE, Table.finished > _NOW - PACE_WINDOW)
    latest = finished.order_by(Table.finished.desc()).limit(int(MAX_ANNOUNCED * PACE_WINDOW / AHEAD)).subquery()
    count, since = session.execute(select(func.count(), _NOW - func.min(latest.c.finished))).one()
    return float(count / max(since, PACE_SHORTEST)) if count else 0.0


def _window(stock: _Stock) -> int:
    """Return the number of routine tables that should be announced and waiting."""
    return min(MAX_ANNOUNCED, max(MIN_ANNOUNCED, 2 * stock.playing.total(), round(AHEAD * stock.pace)))


def _batch(stock: _Stock, chosen: int) -> int:
    """Return the number of tables per doorbell: what a worker plays in `BATCH`, but at least two doorbells for each."""
    workers = max(1, stock.workers)
    return max(1, min(MAX_BATCH, int(BATCH * stock.pace / workers), chosen // (2 * workers)))


def _by_turns(session: Session, tournaments: Sequence[_Open], stock: _Stock, limit: int) -> Iterator[_Waiting]:
    """Yield tables to announce, taking turns between owners and between the tournaments of an owner."""
    held = stock.announced + stock.playing
    owners: dict[int, dict[int, Iterator[_Waiting]]] = {}
    for one in tournaments:
        owners.setdefault(one.owner, {})[one.id] = _waiting(session, one, limit)
    held_by_owner = {owner: sum(held[tournament] for tournament in waiting) for owner, waiting in owners.items()}
    return take_turns({owner: take_turns(waiting, held) for owner, waiting in owners.items()}, held_by_owner)


def _waiting(session: Session, tournament: _Open, limit: int) -> Iterator[_Waiting]:
    """Yield the first waiting tables that are not announced. Queries only when the first is requested."""
    # Ordered by number: the few tables already announced have the lowest numbers.
    # Skip rows locked by other transactions: waiting for them could deadlock.
    tables = session.scalars(
        select(Table.id)
        .where(Table.tournament_id == tournament.id, Table.number >= tournament.first, Table.state == TableState.QUEUED)
        .where(func.coalesce(Table.rung_at, 0) <= _NOW - RING_AGAIN, func.coalesce(Table.retry_at, 0) <= _NOW)
        .order_by(Table.number)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    yield from (_Waiting(tournament.id, table) for table in tables)


def _ring(session: Session, chosen: Sequence[_Waiting], urgent: bool, batch: int | None) -> None:
    """Ring doorbells for up to `batch` tables each, which also request the next; for one table each if None."""
    if not chosen:
        return
    ids = [one.id for one in chosen]
    session.execute(
        update(Table).where(Table.id.in_(ids)).values(rung_at=now()).execution_options(synchronize_session=False)
    )
    bells = [Doorbell(PLAY, first, urgent, tuple(more)) for first, *more in _batches(chosen, batch or 1)]
    if batch:
        # The first is too early if the pace has fallen.
        bells.insert(len(bells) // 2, Doorbell(ANNOUNCE, 0, urgent))
        bells.append(Doorbell(ANNOUNCE, 0, urgent))
    ring(session, *bells)


def _batches(chosen: Sequence[_Waiting], size: int) -> list[list[int]]:
    """Group tables of the same tournament, up to `size` each, in the order of their first tables."""
    batches: list[list[int]] = []
    last: dict[int, list[int]] = {}
    for tournament, table in chosen:
        if tournament not in last or len(last[tournament]) == size:
            last[tournament] = []
            batches.append(last[tournament])
        last[tournament].append(table)
    return batches
