"""Which waiting tables the workers are rung for, and how many ahead: urgent ones all, others by turns.

Doorbells are heard in the order in which they were rung, so what is rung for decides who is served. Little is announced
ahead, so that whoever comes later need not wait for it: as much as the workers will finish in a few seconds, at the
pace of the last ones. In the middle of what is rung for goes a doorbell that asks for more, so that no worker has to
wait for the sweep; where it is lost, the sweep comes.

Every owner of tournaments has the same share of what is announced, and so has every tournament of an owner; what is
being played counts as well. A tournament of lower priority gets what others leave. No query reads all that waits.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Table, Tournament
from arena.services.context import ANNOUNCE, PLAY, Arena, Doorbell, ring
from arena.services.fairness import take_turns
from arena.services.shapes import DONE, QUEUED, RUNNING

RING_AGAIN: Final = 20.0
"""Seconds after which what still waits is rung again: its doorbell may have been lost."""
LEAST: Final = 4
"""So many tables are announced even where nobody plays."""
MOST: Final = 512
"""More are never announced."""
AHEAD: Final = 6.0
"""Seconds that what is announced should last: two sweeps."""
PACE_OVER: Final = 10.0
"""Seconds over which the pace is measured."""

# Asked for once per statement: PostgreSQL compares no index with a time that moves on while it looks.
_NOW: Final = select(now()).scalar_subquery()


class _Open(NamedTuple):
    """A running tournament that is not over."""

    id: int
    owner: int
    priority: int
    first: int
    """All tables with a lower number are settled."""


class _Stock(NamedTuple):
    """By tournament, how many of its tables are announced and wait, and how many are being played."""

    heard: Counter[int]
    played: Counter[int]


def announce_more(arena: Arena) -> int:
    """Ring for what should be announced by now and is not; for how many tables."""
    with arena.transaction() as session:
        return announce(session)


def announce(session: Session) -> int:
    """Ring for what should be announced by now and is not, after the session's commit; for how many tables."""
    tournaments = _open(session)
    if not tournaments:
        return 0
    stock = _Stock(_counts(session, Table.state == QUEUED, _recent()), _counts(session, Table.state == RUNNING))
    window = _window(session, stock)
    rung, heard = 0, 0
    for priority, group in groupby(tournaments, key=lambda one: one.priority):
        level = list(group)
        heard += sum(stock.heard[one.id] for one in level) if priority <= 0 else 0
        room = MOST if priority > 0 else window - heard
        # With half of it left there is time: a few at a time would be a query for every table.
        if priority > 0 or 2 * heard <= window:
            chosen = list(islice(_by_turns(session, level, stock, room), room))
            _ring(session, chosen, priority > 0)
            rung, heard = rung + len(chosen), heard + len(chosen)
    return rung


def _recent() -> ColumnElement[bool]:
    return Table.rung_at > _NOW - RING_AGAIN


def _open(session: Session) -> list[_Open]:
    """Running tournaments that are not over, most urgent first."""
    found = session.execute(
        select(Tournament.id, Tournament.created_by_id, Tournament.priority, Tournament.folded)
        .where(Tournament.state == RUNNING, Tournament.tables_settled < Tournament.tables_total)
        .order_by(Tournament.priority.desc())
    )
    return [_Open(*row) for row in found]


def _counts(session: Session, *which: ColumnElement[bool]) -> Counter[int]:
    counted = select(Table.tournament_id, func.count()).where(*which).group_by(Table.tournament_id)
    return Counter({row.tournament_id: row[1] for row in session.execute(counted)})


def _window(session: Session, stock: _Stock) -> int:
    """How many routine tables should be announced."""
    finished = select(Table.id).where(Table.state == DONE, Table.finished > _NOW - PACE_OVER)
    latest = finished.limit(int(MOST * PACE_OVER / AHEAD)).subquery()
    pace = session.scalars(select(func.count()).select_from(latest)).one() / PACE_OVER
    return min(MOST, max(LEAST, 2 * stock.played.total(), round(AHEAD * pace)))


def _by_turns(session: Session, tournaments: Sequence[_Open], stock: _Stock, most: int) -> Iterator[int]:
    """Tables to ring for, owner by owner and tournament by tournament."""
    held = stock.heard + stock.played
    owners: dict[int, dict[int, Iterator[int]]] = {}
    for one in tournaments:
        owners.setdefault(one.owner, {})[one.id] = _waiting(session, one, most)
    hands = {owner: sum(held[tournament] for tournament in waiting) for owner, waiting in owners.items()}
    return take_turns({owner: take_turns(waiting, held) for owner, waiting in owners.items()}, hands)


def _waiting(session: Session, tournament: _Open, most: int) -> Iterator[int]:
    """The first tables of a tournament that wait unannounced. The query is made when the first is wanted."""
    # By number: what is announced already comes first, and is little.
    # Rows that somebody has locked are theirs to change; to wait for them could be a deadlock.
    yield from session.scalars(
        select(Table.id)
        .where(Table.tournament_id == tournament.id, Table.number >= tournament.first, Table.state == QUEUED)
        .where(func.coalesce(Table.rung_at, 0) <= _NOW - RING_AGAIN, func.coalesce(Table.retry_at, 0) <= _NOW)
        .order_by(Table.number)
        .limit(most)
        .with_for_update(skip_locked=True)
    ).all()


def _ring(session: Session, chosen: Sequence[int], urgent: bool) -> None:
    if not chosen:
        return
    session.execute(
        update(Table).where(Table.id.in_(chosen)).values(rung_at=now()).execution_options(synchronize_session=False)
    )
    bells = [Doorbell(PLAY, table_id, urgent) for table_id in chosen]
    if not urgent:
        bells.insert(len(bells) // 2, Doorbell(ANNOUNCE, 0))
    ring(session, *bells)
