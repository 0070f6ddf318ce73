"""Heartbeats: each process of the arena reports itself to the database, where every other process can see it.

Times are the database's, so clocks of machines do not matter: a process reports how long ago something happened.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.orm import Session, aliased

from arena.db.clock import now
from arena.db.locks import LEAVING, hold
from arena.db.models import Process
from arena.release import release
from arena.services.base.context import Arena
from arena.services.base.measures import Sample
from arena.services.base.states import ProcessState

EVERY: Final = 10.0
"""Seconds between two heartbeats of a process."""
SILENT: Final = 4 * EVERY
"""Seconds without a heartbeat after which a process counts as gone."""
FORGOTTEN: Final = 24 * 3600.0
"""Seconds without a heartbeat after which a process is no longer shown."""


@dataclass(frozen=True)
class Sign:
    """A sign of life. Ages are in seconds; None if it never happened."""

    name: str
    """Host and process ID."""
    kind: str
    """``worker`` or ``web``."""
    state: str
    """A `ProcessState`."""
    detail: str = ""
    """What it works on, or why it is paused or out."""
    since: float = 0.0
    """Age of its state."""
    active: float | None = None
    """Age of its last doorbell or move."""
    held: float | None = None
    """Age of its last success in holding a bot."""
    samples: Sequence[Sample] = ()
    """Metrics of the process."""
    packages: Mapping[str, str] | None = None
    """Versions of Python and of the packages that its bots can import, by name; None if it has held no bot."""
    refused: Mapping[str, str] | None = None
    """Reasons why it offers no others, by name; None if it has held no bot."""


def report(arena: Arena, sign: Sign) -> None:
    """Store a process's sign of life."""
    values = {
        "state": sign.state,
        "detail": sign.detail,
        "since": now() - sign.since,
        "seen": now(),
        "active": _ago(sign.active),
        "held": _ago(sign.held),
        "samples": list(sign.samples),
        "packages": sign.packages,
        "refused": sign.refused,
    }
    with arena.transaction() as session:
        known = session.scalar(
            update(Process).where(Process.name == sign.name).values(**values).returning(Process.name)
        )
        if known is None:
            values |= {"name": sign.name, "kind": sign.kind, "release": release(), "started": now()}
            session.execute(insert(Process).values(**values))


def packages(arena: Arena) -> dict[str, str] | None:
    """Return what bots can import, according to the worker that last held one; None if none reports."""
    latest = select(Process.packages).where(Process.packages.is_not(None)).order_by(Process.held.desc()).limit(1)
    with arena.reading() as session:
        return session.scalar(latest)


def leave(arena: Arena, name: str) -> None:
    """Remove a process that ends."""
    with arena.transaction() as session:
        session.execute(delete(Process).where(Process.name == name))


def leave_to_others(arena: Arena, name: str) -> bool:
    """Remove a worker process that ends, if another that works has held a bot. Return whether it was removed."""
    other = aliased(Process)
    others = select(other).where(
        other.name != name, other.seen > now() - SILENT, other.held.is_not(None),
        other.state.in_((ProcessState.IDLE, ProcessState.BUSY)),
    )  # fmt: skip
    with arena.transaction() as session:
        hold(session, LEAVING, 0)  # or the last two would leave to each other
        left = delete(Process).where(Process.name == name, others.exists()).returning(Process.name)
        return session.scalar(left) is not None


def forget(session: Session) -> None:
    """Remove processes that have long been silent."""
    session.execute(delete(Process).where(Process.seen < now() - FORGOTTEN))


def _ago(age: float | None) -> ColumnElement[float] | None:
    return None if age is None else now() - age
