"""The context of every service: settings, the database, and a bell that wakes the workers.

A service is one function and one transaction. Doorbells collect in the transaction and ring after it commits, so that
no worker looks for a row that is not visible yet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, NamedTuple

import structlog
from sqlalchemy import update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from arena.db.models import Analysis, Table, Version
from arena.db.session import Database
from arena.services.base.measures import TRANSACTIONS
from arena.services.base.texts import described
from arena.settings import Settings

PLAY, VALIDATE, ANALYSE = "play_table", "validate", "analyse"
"""Tasks of a doorbell with a row: play a table, validate a version, analyse a match."""
ANNOUNCE, COMPARE = "announce", "compare"
"""Tasks of a doorbell without a row: ring for more tables, compare all bots."""

_RUNG: Final[Mapping[str, type[Table | Version | Analysis]]] = {PLAY: Table, VALIDATE: Version, ANALYSE: Analysis}
"""Model whose rows are marked as rung, for each task that has rows."""
_RINGS: Final = "doorbells"
_SETTINGS: Final = "settings"


class Doorbell(NamedTuple):
    """A hint to the workers that work waits in the database. It may be lost, late or duplicated."""

    task: str
    """`PLAY`, `VALIDATE`, `ANALYSE`, `ANNOUNCE` or `COMPARE`."""
    id: int
    """ID of the table, version or analysis; 0 if not applicable."""
    urgent: bool = False
    """Whether it goes to the urgent queue, because a user is waiting."""
    more: tuple[int, ...] = ()
    """IDs of further tables of the same tournament, to be played by the same worker if they are short."""

    @property
    def ids(self) -> tuple[int, ...]:
        """IDs of all its tables."""
        return (self.id, *self.more)


Bell = Callable[[Sequence[Doorbell]], bool]
"""Delivers doorbells and returns whether all were delivered. Never raises: the sweep rings again for the rest."""

_READS: Final = TRANSACTIONS.labels("read")
_WRITES: Final = TRANSACTIONS.labels("write")

_together: Final[ContextVar[tuple[Callable[[Session], None], ...]]] = ContextVar("together", default=())

log: Final = structlog.get_logger()


@dataclass(frozen=True)
class Arena:
    """The arena as one process sees it."""

    settings: Settings
    database: Database
    bell: Bell

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a read-write transaction, and ring its doorbells after it commits."""
        with _WRITES.time(), self.database.write() as session:
            session.info[_SETTINGS] = self.settings
            yield session
            for act in _together.get():
                act(session)
            rings: list[Doorbell] = session.info.pop(_RINGS, [])
        if rings and not self.bell(rings):
            self.unmark(rings)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a read-only transaction."""
        with _READS.time(), self.database.read() as session:
            session.info[_SETTINGS] = self.settings
            yield session

    def unmark(self, lost: Sequence[Doorbell]) -> None:
        """Mark the rows of lost doorbells as not rung, so that the next sweep rings again without a delay."""
        try:
            with self.database.write() as session:
                for task, model in _RUNG.items():
                    ids = [row_id for bell in lost if bell.task == task for row_id in bell.ids]
                    session.execute(update(model).where(model.id.in_(ids)).values(rung_at=None))
        except SQLAlchemyError as error:  # the caller's transaction has committed, so it must not see a failure
            log.warning("undelivered doorbells stay marked; the sweep will ring again later", error=described(error))

    def close(self) -> None:
        """Close all database connections."""
        self.database.close()


@contextmanager
def together(act: Callable[[Session], None]) -> Iterator[None]:
    """Let `act` take part in each write transaction of this block, just before it commits."""
    token = _together.set((*_together.get(), act))
    try:
        yield
    finally:
        _together.reset(token)


def ring(session: Session, *doorbells: Doorbell) -> None:
    """Ring these doorbells after the session's transaction commits."""
    session.info.setdefault(_RINGS, []).extend(doorbells)


def settings_of(session: Session) -> Settings:
    """Return the settings of the arena that opened this transaction."""
    settings: Settings = session.info[_SETTINGS]
    return settings


def silent(doorbells: Sequence[Doorbell]) -> bool:
    """Deliver nothing, and leave the work to the sweep."""
    return False


def open_arena(settings: Settings, bell: Bell = silent) -> Arena:
    """Return the arena for this process. Its database must be migrated (`arena.db.migrate`)."""
    return Arena(settings, Database(settings.database_url), bell)
