"""Choose the waiting tables and uploads to ring doorbells for, in fair turns between their owners.

Workers answer doorbells in the order of ringing, so the order of announcements decides who is served. Routine work is
announced only a few seconds ahead, at the current pace of the workers, so that newcomers do not wait behind a long
backlog. Doorbells in the middle and at the end of each announcement request the next, so that workers do not run dry
between sweeps; if both are lost, the sweep announces.

There are three levels. **Urgent**: uploads, and the placements of bots that were quick in their validation. An owner
never has all workers: one is left for others, and the owner whose uploads have taken the least time comes first.
**Routine**: tournaments, comparisons, trials, and whatever of an upload or a placement turned out to be slow.
**Endless**: ladders get what the others leave, and are overtaken if they were announced before.

At each level every owner gets the same share, and within it every source of work of that owner; work in progress counts
towards the share. No query reads the whole queue.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from enum import IntEnum
from heapq import heapify, heappop, heappush
from itertools import groupby, islice
from random import random
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, Process, Table, Tournament, Version
from arena.services.base.context import ANNOUNCE, PLAY, VALIDATE, Arena, Doorbell, ring
from arena.services.base.states import TableState, TournamentState, VersionState
from arena.services.queue.leases import TABLES, VERSIONS

RING_AGAIN: Final = 20.0
"""Seconds after which the doorbell of work that is still waiting is rung again: it may have been lost."""
MIN_ANNOUNCED: Final = 4
"""Number of tables and uploads of a level announced even if none is in progress."""
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

URGENT: Final = 10
"""Priority of the tournaments whose tables are urgent."""
SLOW_PLACEMENT: Final = 1
"""Priority of placements that have turned out to be slow."""
ENDLESS: Final = -2
"""Priority of the tournaments that never end."""
PIECE: Final = 5.0
"""Seconds after which an upload or a placement counts as slow: it loses its precedence, and goes on in turns."""
MEMORY: Final = 86400.0
"""Age in seconds of the uploads whose time is counted when their owner uploads again."""
ALIVE: Final = 40.0
"""Seconds without a sign of life after which a worker does not count."""

Item = TypeVar("Item")
Source = TypeVar("Source", bound=Hashable)

# A scalar subquery, evaluated once per statement: PostgreSQL cannot use an index with a volatile function.
_NOW: Final = select(now()).scalar_subquery()


class Level(IntEnum):
    """Level of precedence."""

    URGENT = 2
    ROUTINE = 1
    ENDLESS = 0


class _Source(NamedTuple):
    """A running tournament with unsettled tables, or the uploads of an owner that are equally urgent."""

    level: Level
    task: str
    """`PLAY` or `VALIDATE`."""
    id: int
    """ID of the tournament or of the owner."""
    owner: int
    first: int = 0
    """Number of a table below which all tables are settled."""

    @property
    def key(self) -> tuple[str, int, Level]:
        """Key of this source in the stock; a tournament may change its level."""
        return self.task, self.id, self.level if self.task == VALIDATE else Level.ROUTINE


_Counts = Counter[tuple[str, int, Level]]


class _Stock(NamedTuple):
    """Numbers of tables and uploads by the key of their source."""

    announced: _Counts
    """Announced and waiting."""
    playing: _Counts
    """In progress."""
    workers: int
    """Number of workers that are playing tables."""
    pace: float
    """Tables per second that all workers together have finished lately."""


class _Waiting(NamedTuple):
    """A table or an upload to announce."""

    source: _Source
    id: int


def announce_more(arena: Arena) -> int:
    """Call `announce` in a transaction. Returns the number of tables and uploads announced."""
    with arena.transaction() as session:
        return announce(session)


def announce(session: Session) -> int:
    """Announce the work that is due to be announced, when the session commits.

    Returns the number of tables and uploads.
    """
    sources = sorted([*_tournaments(session), *_uploads(session)], key=lambda one: -one.level)
    if not sources:
        return 0
    stock = _stock(session)
    overtaken = any(stock.announced[one.key] for one in sources if one.level == Level.ENDLESS)
    rung, announced = 0, 0
    for level, group in groupby(sources, key=lambda one: one.level):
        work = list(group)
        if level == Level.URGENT:
            rung += _announce_urgent(session, work, stock)
        else:
            waiting = announced + sum(stock.announced[one.key] for one in work)
            count = _announce_routine(session, work, stock, waiting, overtaken and level > Level.ENDLESS)
            rung, announced = rung + count, waiting + count
    return rung


def _announce_urgent(session: Session, work: Sequence[_Source], stock: _Stock) -> int:
    """Announce urgent work: to one worker less than there are for each owner, the least served owner first."""
    workers = living_workers(session)
    room = max(MIN_ANNOUNCED, 2 * workers) - sum(stock.announced[one.key] for one in work)
    held = _held_by_owner(work, stock)
    share = {owner: max(1, workers - 1) - held[owner] for owner in held}
    turns = _by_turns(session, work, stock, room, _used(session, held), share)
    chosen = list(islice(turns, max(0, room)))
    _ring(session, chosen, urgent=True, batch=None)
    return len(chosen)


def _announce_routine(session: Session, work: Sequence[_Source], stock: _Stock, announced: int, overtakes: bool) -> int:
    """Announce work of one level, if at most half of what may be announced is; `announced` includes higher levels."""
    window = _window(stock)
    # Refill once half of the window is used up: refilling after each table would cost a query per table.
    if 2 * announced > window:
        return 0
    room = window - announced
    chosen = list(islice(_by_turns(session, work, stock, room), room))
    _ring(session, chosen, overtakes, _batch(stock, len(chosen)))
    return len(chosen)


def take_turns(
    waiting: Mapping[Source, Iterator[Item]], held: Mapping[Source, int], used: Mapping[Source, float] | None = None
) -> Iterator[Item]:
    """Yield the waiting items of each source, always from the source with the fewest items in progress.

    `held` is the number of items in progress per source at the start; each yielded item adds one. Ties go to the source
    that has `used` the least, and are otherwise broken at random, so that no source is always last. An iterator is
    advanced only when it is its source's turn.
    """
    used = used or {}
    turns = [(held.get(source, 0), used.get(source, 0.0), random(), source) for source in waiting]
    heapify(turns)
    while turns:
        count, before, _, source = heappop(turns)
        item = next(waiting[source], None)
        if item is not None:
            yield item
            heappush(turns, (count + 1, before, random(), source))


def _recent(model: type[Table | Version]) -> ColumnElement[bool]:
    return model.rung_at > _NOW - RING_AGAIN


def slow() -> ColumnElement[bool]:
    """Condition of a version whose validation is slow."""
    return Version.spent >= PIECE


def announced_urgent(session: Session, limit: int) -> list[Doorbell]:
    """Return doorbells of the first announced urgent tables and uploads that are waiting, in order of announcement."""
    here = (Tournament.state == TournamentState.RUNNING, Tournament.priority >= URGENT)
    tables = select(Table.rung_at, Table.id).join(Table.tournament).where(*here, *TABLES.available(), _recent(Table))
    uploads = select(Version.rung_at, Version.id).where(*VERSIONS.available(), ~slow(), _recent(Version))
    found = [(*row, PLAY) for row in session.execute(tables.order_by(Table.rung_at, Table.id).limit(limit))]
    found += [(*row, VALIDATE) for row in session.execute(uploads.order_by(Version.rung_at, Version.id).limit(limit))]
    return [Doorbell(task, row_id, urgent=True) for _, row_id, task in sorted(found)[:limit]]


def demote(session: Session, tournament_id: int) -> None:
    """Take the precedence of a placement away."""
    session.execute(update(Tournament).where(Tournament.id == tournament_id).values(priority=SLOW_PLACEMENT))
    session.execute(update(Table).where(Table.tournament_id == tournament_id).values(priority=SLOW_PLACEMENT))


def _level(priority: int) -> Level:
    return Level.URGENT if priority >= URGENT else Level.ROUTINE if priority > ENDLESS else Level.ENDLESS


def _tournaments(session: Session) -> list[_Source]:
    """Return the running tournaments with unsettled tables."""
    found = session.execute(
        select(Tournament.priority, Tournament.id, Tournament.created_by_id, Tournament.folded).where(
            Tournament.state == TournamentState.RUNNING,
            Tournament.tables_settled < Tournament.tables_total,
            ~Tournament.outside,
        )
    )
    return [_Source(_level(priority), PLAY, *row) for priority, *row in found]


def _uploads(session: Session) -> list[_Source]:
    """Return the owners of uploads that wait for their validation, or for its next piece."""
    here = (Version.state == VersionState.PENDING, Version.lease_until.is_(None))
    found = session.execute(select(Bot.owner_id, slow().label("late")).join(Version.bot).where(*here).distinct())
    return [_Source(Level.ROUTINE if late else Level.URGENT, VALIDATE, owner, owner) for owner, late in found]


def _stock(session: Session) -> _Stock:
    announced, playing = _pending(session)
    waiting = select(Table.tournament_id, func.count()).where(Table.state == TableState.QUEUED, _recent(Table))
    held = select(Table.tournament_id, Table.worker, func.count()).where(Table.state == TableState.RUNNING)
    for tournament, count in session.execute(waiting.group_by(Table.tournament_id)):
        announced[PLAY, tournament, Level.ROUTINE] = count
    workers = set()
    for tournament, worker, count in session.execute(held.group_by(Table.tournament_id, Table.worker)):
        playing[PLAY, tournament, Level.ROUTINE] += count
        workers.add(worker)
    return _Stock(announced, playing, len(workers), _pace(session))


def _pending(session: Session) -> tuple[_Counts, _Counts]:
    """Return the numbers of uploads by source: announced and waiting, and in progress."""
    announced, playing = _Counts(), _Counts()
    held = Version.lease_until.is_not(None)
    found = session.execute(
        select(Bot.owner_id, slow().label("late"), held.label("held"), func.count())
        .join(Version.bot)
        .where(Version.state == VersionState.PENDING, held | _recent(Version))
        .group_by(Bot.owner_id, "late", "held")
    )
    for owner, late, taken, count in found:
        counts = playing if taken else announced
        counts[VALIDATE, owner, Level.ROUTINE if late else Level.URGENT] = count
    return announced, playing


def living_workers(session: Session) -> int:
    """Return the number of worker processes that live."""
    here = (Process.kind == "worker", Process.seen > _NOW - ALIVE)
    return session.scalars(select(func.count()).select_from(Process).where(*here)).one()


def _used(session: Session, owners: Collection[int]) -> dict[int, float]:
    """Return the seconds that the validations of these owners' latest uploads have taken."""
    spent = select(Bot.owner_id, func.sum(Version.spent)).join(Version.bot).group_by(Bot.owner_id)
    recent = spent.where(Bot.owner_id.in_(owners), Version.created > _NOW - MEMORY)
    return {row[0]: row[1] for row in session.execute(recent)}


def _pace(session: Session) -> float:
    """Return the tables per second that the workers have finished lately, or since play began."""
    finished = select(Table.finished).where(Table.state == TableState.DONE, Table.finished > _NOW - PACE_WINDOW)
    latest = finished.order_by(Table.finished.desc()).limit(int(MAX_ANNOUNCED * PACE_WINDOW / AHEAD)).subquery()
    count, since = session.execute(select(func.count(), _NOW - func.min(latest.c.finished))).one()
    return float(count / max(since, PACE_SHORTEST)) if count else 0.0


def _window(stock: _Stock) -> int:
    """Return the number of routine tables and uploads that should be announced and waiting."""
    return min(MAX_ANNOUNCED, max(MIN_ANNOUNCED, 2 * stock.playing.total(), round(AHEAD * stock.pace)))


def _batch(stock: _Stock, chosen: int) -> int:
    """Return the number of tables per doorbell: what a worker plays in `BATCH`, but at least two doorbells for each."""
    workers = max(1, stock.workers)
    return max(1, min(MAX_BATCH, int(BATCH * stock.pace / workers), chosen // (2 * workers)))


def _held_by_owner(work: Sequence[_Source], stock: _Stock) -> Counter[int]:
    held: Counter[int] = Counter()
    for one in work:
        held[one.owner] += stock.announced[one.key] + stock.playing[one.key]
    return held


def _by_turns(
    session: Session, work: Sequence[_Source], stock: _Stock, limit: int,
    used: Mapping[int, float] | None = None, share: Mapping[int, int] | None = None,
) -> Iterator[_Waiting]:  # fmt: skip
    """Yield tables and uploads to announce, taking turns between owners and between the sources of an owner.

    `used` has the seconds that owners have used, and `share` the largest number of items of each.
    """
    held = stock.announced + stock.playing
    owners: dict[int, dict[tuple[str, int, Level], Iterator[_Waiting]]] = {}
    for one in work:
        owners.setdefault(one.owner, {})[one.key] = _waiting(session, one, limit, held[one.key])
    turns = {owner: take_turns(sources, held) for owner, sources in owners.items()}
    if share is not None:
        turns = {owner: islice(items, max(0, share[owner])) for owner, items in turns.items()}
    return take_turns(turns, _held_by_owner(work, stock), used)


def _waiting(session: Session, source: _Source, limit: int, held: int) -> Iterator[_Waiting]:
    """Yield the first waiting rows of a source that are not announced. Queries only when the first is requested."""
    # Skip rows locked by other transactions: waiting for them could deadlock.
    rows = session.scalars(_rows(source, limit, held).with_for_update(skip_locked=True)).all()
    yield from (_Waiting(source, row) for row in rows)


def _rows(source: _Source, limit: int, held: int) -> Select[int]:
    """Select the IDs of a source's rows that are due to be announced; `held` of them are in hand."""
    if source.task == PLAY:
        # Ordered by number: the few tables already announced have the lowest numbers.
        here = (Table.tournament_id == source.id, Table.number >= source.first, Table.state == TableState.QUEUED)
        return select(Table.id).where(*here, *_due(Table)).order_by(Table.number).limit(limit)
    late = source.level == Level.ROUTINE
    # Slow validations of one owner follow each other, so that they never hold more than one worker.
    owned = Version.bot_id.in_(select(Bot.id).where(Bot.owner_id == source.id))
    waits = (owned, Version.state == VersionState.PENDING, Version.lease_until.is_(None), slow() if late else ~slow())
    most = max(0, 1 - held) if late else limit
    return select(Version.id).where(*waits, *_due(Version)).order_by(Version.id).limit(most)


def _due(model: type[Table | Version]) -> tuple[ColumnElement[bool], ...]:
    """Conditions of a waiting row that is not announced, and not about to be tried again later."""
    return (func.coalesce(model.rung_at, 0) <= _NOW - RING_AGAIN, func.coalesce(model.retry_at, 0) <= _NOW)


def _ring(session: Session, chosen: Sequence[_Waiting], urgent: bool, batch: int | None) -> None:
    """Ring doorbells for up to `batch` tables each, which also request the next; for one row each if None."""
    if not chosen:
        return
    for model, task in ((Table, PLAY), (Version, VALIDATE)):
        ids = [one.id for one in chosen if one.source.task == task]
        marked = update(model).where(model.id.in_(ids)).values(rung_at=now())
        if ids:
            session.execute(marked.execution_options(synchronize_session=False))
    bells = [Doorbell(task, first, urgent, tuple(more)) for task, (first, *more) in _batches(chosen, batch or 1)]
    if batch:
        # The first is too early if the pace has fallen.
        bells.insert(len(bells) // 2, Doorbell(ANNOUNCE, 0, urgent))
        bells.append(Doorbell(ANNOUNCE, 0, urgent))
    ring(session, *bells)


def _batches(chosen: Sequence[_Waiting], size: int) -> list[tuple[str, list[int]]]:
    """Group tables of the same tournament, up to `size` each, and uploads singly, in the order of their first rows."""
    batches: list[tuple[str, list[int]]] = []
    last: dict[int, list[int]] = {}
    for source, row in chosen:
        if source.task == VALIDATE:
            batches.append((VALIDATE, [row]))
            continue
        if source.id not in last or len(last[source.id]) == size:
            last[source.id] = []
            batches.append((PLAY, last[source.id]))
        last[source.id].append(row)
    return batches
