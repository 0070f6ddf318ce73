"""What every service needs: settings, the database, and a bell to ring workers with.

A service is one function and one transaction. What workers should do next is collected as doorbells while the
transaction runs and rung after it has committed, so that nobody is sent for something that is not there yet.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from arena.db.session import Database
from arena.settings import Settings

PLAY, VALIDATE, ANNOUNCE = "play_table", "validate", "announce"
"""What a doorbell asks for: to play a table, to validate a version, to ring for more."""

_RINGS: Final = "doorbells"
_SETTINGS: Final = "settings"


class Doorbell(NamedTuple):
    """A hint to the workers that something waits in the database. It may be lost, late or doubled."""

    task: str
    """PLAY, VALIDATE or ANNOUNCE."""
    id: int
    """Of the table or the version; 0 where it asks for neither."""
    urgent: bool = False


Bell = Callable[[Sequence[Doorbell]], None]
"""Delivers doorbells. It does not raise: what is not heard is rung again by the sweep."""


@dataclass(frozen=True)
class Arena:
    """The arena as one process sees it."""

    settings: Settings
    database: Database
    bell: Bell

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """One transaction that changes something; its doorbells are rung after it has committed."""
        with self.database.write() as session:
            session.info[_SETTINGS] = self.settings
            yield session
            rings: list[Doorbell] = session.info.pop(_RINGS, [])
        if rings:
            self.bell(rings)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One transaction that only reads."""
        with self.database.read() as session:
            yield session

    def close(self) -> None:
        """Close all connections to the database."""
        self.database.close()


def ring(session: Session, *doorbells: Doorbell) -> None:
    """Have these rung after the session's transaction has committed."""
    session.info.setdefault(_RINGS, []).extend(doorbells)


def settings_of(session: Session) -> Settings:
    """The settings of the arena whose transaction this is."""
    settings: Settings = session.info[_SETTINGS]
    return settings


def silent(doorbells: Sequence[Doorbell]) -> None:
    """A bell that nobody hears; the sweep will ring."""


def open_arena(settings: Settings, bell: Bell = silent) -> Arena:
    """The arena for this process. The database must have been migrated (`arena.db.migrate`)."""
    return Arena(settings, Database(settings.database_url), bell)
