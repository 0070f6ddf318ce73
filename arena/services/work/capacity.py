"""Capacity planning: from the cost of one table to the cores, hosts, commits and disk that a rate of tables needs.

Pure arithmetic; `arena.cli.costs` measures the costs, and docs/capacity.md explains both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, inf
from typing import Final

BUSY: Final = 0.7
"""Share of a resource that a plan uses: waiting times grow without bound as it approaches 1."""
DOORBELL: Final = 0.0015
"""Seconds of a worker that Celery and the broker take for a table, measured once."""
LOG_FACTOR: Final = 10.0
"""Bytes of the database's log for each byte that stays, measured once."""
MINUTE: Final = 60.0
DAY: Final = 86400.0


@dataclass(frozen=True)
class Costs:
    """Costs of one table of a variant on one machine."""

    variant: str
    database: str
    """``sqlite`` or ``postgresql``."""
    cores: int
    """Cores of the machine."""
    free: int
    """Free bytes on the disk of the data."""
    matches: float
    """Matches of a table."""
    play: float
    """Seconds that one process takes to play the matches in the cage."""
    queue: float
    """Seconds that it takes for everything else, without waiting for the database."""
    locked: float
    """Seconds of `queue` within write transactions."""
    statements: float
    """Statements of a table."""
    commits: float
    """Write transactions of a table."""
    round_trip: float
    """Seconds until the database answers the shortest statement; 0 for SQLite, which is in the process."""
    commit: float
    """Seconds until the database has committed the shortest write."""
    stored: float
    """Bytes that stay in the database."""
    record: float
    """Bytes of a match's record, a part of `stored`."""

    @property
    def database_wait(self) -> float:
        """Seconds for which a worker waits for the database."""
        return self.statements * self.round_trip + self.commits * self.commit

    @property
    def busy(self) -> float:
        """Seconds of one worker process."""
        return self.play + self.queue + DOORBELL + self.database_wait

    @property
    def serial(self) -> float:
        """Seconds for which a lock is held: that of the whole database on SQLite, of one variant on PostgreSQL."""
        return self.locked + self.database_wait

    def rate(self, processes: int) -> float:
        """Return the tables per second of worker processes that have a core each."""
        return min(processes / self.busy, 1 / self.serial)


@dataclass(frozen=True)
class Limit:
    """A resource that tables use up."""

    name: str
    used: float
    """Used share; a plan keeps it below `BUSY`."""
    remedy: str


@dataclass(frozen=True)
class Need:
    """Everything that a rate of tables needs."""

    rate: float
    """Tables per minute."""
    processes: int
    """Worker processes, each on a core of its own."""
    hosts: int
    """Machines like the measured one for the workers."""
    commits: float
    """Commits per second."""
    log: float
    """Bytes per second that the database writes to its log."""
    disk: float
    """Bytes per day that stay."""
    days: float
    """Days until the free disk is full."""
    limits: tuple[Limit, ...]
    """The limits, most used first."""


def need(costs: Costs, rate: float) -> Need:
    """Return the need of a rate, in tables per minute."""
    each_second = rate / MINUTE
    disk = each_second * costs.stored * DAY
    processes = max(1, ceil(each_second * costs.busy / BUSY))
    return Need(
        rate=rate,
        processes=processes,
        hosts=ceil(processes / costs.cores),
        commits=each_second * costs.commits,
        log=each_second * costs.stored * LOG_FACTOR,
        disk=disk,
        days=costs.free / disk if disk else inf,
        limits=tuple(sorted(_limits(costs, each_second), key=lambda limit: -limit.used)),
    )


def _limits(costs: Costs, each_second: float) -> Iterator[Limit]:
    yield Limit("cores", each_second * costs.busy / costs.cores, "add hosts with workers")
    if costs.database == "sqlite":
        yield Limit("SQLite's writer", each_second * costs.serial, "move to PostgreSQL")
    else:
        remedy = "play several variants side by side, or put the database on a faster disk and network"
        yield Limit("the lock of one variant", each_second * costs.serial, remedy)
