"""Live tables with bots in this process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from sqlalchemy import Engine, text

from arena.sdk.player import Player
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.live.host import Host
from tests.cages import LocalPlayer


class LocalPlace:
    """Seats without protection."""

    def player(self, source: bytes) -> Player:
        return LocalPlayer(source, "bot.py")


@contextmanager
def seating(bots: int) -> Iterator[LocalPlace]:
    """Keep seats for bots."""
    yield LocalPlace()


def drop_connections(engine: Engine) -> None:
    """End all other sessions of a PostgreSQL database."""
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "
    with engine.connect() as connection:
        connection.execute(text(f"{others} current_database()"))


@pytest.fixture
def house(arena: Arena) -> None:
    """House bots."""
    ensure_house(arena, games=())


@pytest.fixture
def host(arena: Arena) -> Iterator[Callable[[], Callable[[], None]]]:
    """Return a function that starts a host, and returns the function that ends it."""
    ends = []

    def begin() -> Callable[[], None]:
        stop = Event()
        thread = Thread(target=Host(arena, seating, 50).run, args=(stop,))
        thread.start()

        def end() -> None:
            stop.set()
            thread.join()

        ends.append(end)
        return end

    yield begin
    for end in ends:
        end()
