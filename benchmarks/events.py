"""Cost of the log of events for playing tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import process_time
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Event, Table, Webhook
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.base.context import Arena
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.play.seats import BotCage
from arena.services.queue import batches
from arena.services.webhooks import publication
from arena.services.work import play
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.queue import PER_ROUND, tournament
from benchmarks.results import Table as Shown
from benchmarks.results import at_most, durations, in_rounds, quartiles

SHARE: Final = 1.05
"""Target of the CPU time of a table with the log, relative to that without."""


def run(rounds: int) -> list[Shown]:
    """Play tournaments on each database, in turns with and without the log of events, and return a table."""
    with databases() as opened:
        return [table({name: measured(arena, rounds) for name, arena in opened.items()})]


def measured(arena: Arena, rounds: int) -> list[tuple[float, float]]:
    """Return the CPU seconds of a table with and without the log for each round, after one that is discarded."""
    with Cage(arena.settings.sandbox_minimum, limits=limits_of(arena.settings)) as cage:
        return in_rounds(rounds, lambda number: _both(arena, cage, number), warm_up=True)


def _both(arena: Arena, cage: BotCage, number: int) -> tuple[float, float]:
    """Measure with and without the log, in an order that changes from round to round."""
    found: dict[bool, float] = {}
    for on in (True, False) if number % 2 else (False, True):
        if on:
            found[on] = _seconds(arena, cage)
        else:
            with switched_off():
                found[on] = _seconds(arena, cage)
    return found[True], found[False]


def _seconds(arena: Arena, cage: BotCage) -> float:
    """Play a tournament of tables of one match in one batch, and return the CPU seconds of a table in this process."""
    began = process_time()
    cup = tournament(arena, PER_ROUND, "single")
    _subscribe(arena)
    with arena.reading() as session:
        ids = session.scalars(select(Table.id).where(Table.tournament_id == cup)).all()
    with patch.object(batches, "HOLD", float("inf")):
        play.play_tables(arena, ids, cage, "benchmark")
    publication.publish(arena)
    return (process_time() - began) / len(ids)


def _subscribe(arena: Arena) -> None:
    """Make a webhook that asks for everything, unless it exists."""
    with arena.transaction() as session:
        if session.scalar(select(Webhook.id)) is None:
            kinds = list(map(str, EventKind))
            session.add(Webhook(user_id=1, url="https://example.org", kinds=kinds, everything=True, secret=""))


@contextmanager
def switched_off() -> Iterator[None]:
    """Note and publish no events."""

    def dropped(session: Session, kind: EventKind, user_id: int | None = None, **data: Any) -> Event:
        return Event(kind=kind, user_id=user_id, data=data)

    with patch.object(log, "note", dropped), patch.object(publication, "publish", lambda arena: 0):
        yield


def table(found: dict[str, list[tuple[float, float]]]) -> Shown:
    """Return a table with a row per database."""
    rows = []
    for name, taken in found.items():
        noted, without = zip(*taken, strict=True)
        share = median(one / other for one, other in taken)
        shown = (durations(*quartiles(noted)), durations(*quartiles(without)))
        rows.append((name, *shown, *at_most(share, SHARE)))
    notes = (
        f"CPU time of a worker, without bots, per table of one match; tournaments of {PER_ROUND} tables from start to "
        f"end, each in one batch and published at its end to a webhook that asks for everything. {cpu()}."
    )
    head = ("", "with events", "without", "ratio", "target", "reached")
    return Shown("The log of events", notes, head, rows)
