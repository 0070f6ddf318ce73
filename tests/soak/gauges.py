"""Readings of an arena while it is soaked: memory, descriptors, sizes, and what was played."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import func, select, text

from arena.db.models import Match, MatchSeat, RatingEvent, Table
from arena.services.base.states import TableState
from tests.cli.processes import descendants
from tests.faults.machinery import Machinery

MB: Final = 1e6


class Reading(NamedTuple):
    """Measurements taken at one time."""

    tables: int
    """Finished tables."""
    waiting: int
    """Tables in the queue."""
    memory: float
    """Proportional memory of all processes of the workers and the clock, in MB."""
    processes: int
    descriptors: int
    """Open descriptors of all these processes."""
    data: float
    """Size of the database in MB, without its log."""
    log: float
    """Size of the write-ahead log in MB."""
    events: float
    """Rating events per rated seat."""
    faults: int
    """Matches in which a bot is blamed for a fault."""
    failed: int
    """Tables given up."""


def read(machinery: Machinery) -> Reading:
    """Read all gauges."""
    with machinery.arena.reading() as session:
        states = dict(session.execute(select(Table.state, func.count()).group_by(Table.state)).all())
        seats = session.scalars(select(func.count()).select_from(RatingEvent)).one()
        rated = select(RatingEvent.table_id, RatingEvent.version_id).distinct().subquery()
        unique = session.scalars(select(func.count()).select_from(rated)).one()
        blamed = select(func.count()).select_from(Match).join(MatchSeat).where(MatchSeat.fault.is_not(None))
        faults = session.scalars(blamed).one()
    pids = [
        pid
        for each in machinery.services.processes
        if each.poll() is None
        for pid in (each.pid, *descendants(each.pid))
    ]
    data, log = _sizes(machinery)
    return Reading(
        states.get(TableState.DONE, 0), states.get(TableState.QUEUED, 0), _memory(pids), len(pids), _descriptors(pids),
        data, log, seats / max(unique, 1), faults, states.get(TableState.INFRA_FAILED, 0),
    )  # fmt: skip


def _memory(pids: Iterable[int]) -> float:
    return sum(map(_proportional, pids)) / MB


def _proportional(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _descriptors(pids: Iterable[int]) -> int:
    found = 0
    for pid in pids:
        with suppress(OSError):
            found += len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return found


def _sizes(machinery: Machinery) -> tuple[float, float]:
    """Return the sizes of the database and of its log in MB."""
    if machinery.server is None:
        path = Path(str(machinery.arena.database.engine.url.database))
        log = path.with_name(path.name + "-wal")
        return path.stat().st_size / MB, (log.stat().st_size if log.exists() else 0) / MB
    with machinery.arena.reading() as session:
        data = session.scalars(select(func.pg_database_size(func.current_database()))).one()
        log = session.scalars(text("SELECT coalesce(sum(size), 0) FROM pg_ls_waldir()")).one()
    return data / MB, float(log) / MB
