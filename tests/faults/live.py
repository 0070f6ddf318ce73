"""Hosts of live tables as real processes, and a person who plays on whatever happens to them."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select

from arena.db.migrate import upgrade
from arena.db.models import LiveBoards, LiveMove
from arena.match import record
from arena.match.replay import verify
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.bots.house import ensure_house
from arena.services.live.people import Person
from arena.services.live.tables import LiveTableView, find, look, move
from tests.cli.processes import Process, descendants, seen, until
from tests.factories import settings_in
from tests.faults import course

ME: Final = Person.stranger("me")
PATIENT: Final = 120.0
"""Seconds for a host to start or to be replaced, on however busy a machine; usually 3 to 9."""


class Hosts:
    """Processes of hosts; none is left behind."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.running: list[subprocess.Popen[bytes]] = []
        """The one that holds the tables, and those that wait to replace it."""
        self.seen: set[Process] = set()
        """All processes of hosts that were killed, with their bots."""
        self._started = 0

    def start(self) -> None:
        """Start another host, and wait until it takes tables."""
        self._started += 1
        ready = self.arena.settings.live_ready
        ready.unlink(missing_ok=True)
        with (self.arena.settings.home / f"live-{self._started}.log").open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "workers", "live"],
                env={**os.environ, **self.arena.settings.environ()},
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.running.append(process)
        until(lambda: ready.exists() or process.poll() is not None, "the host takes tables", PATIENT)
        assert process.poll() is None, self.log()

    def kill(self) -> None:
        """Kill the host that holds the tables, without a word."""
        holder = self.running.pop(0)
        self.seen |= {one for pid in (holder.pid, *descendants(holder.pid)) if (one := seen(pid))}
        holder.kill()
        holder.wait()

    def replace(self) -> None:
        """Let another host wait, and kill the one that holds the tables."""
        self.start()
        self.kill()

    def end(self) -> None:
        """End the host that holds the tables as an operator does."""
        holder = self.running.pop(0)
        holder.terminate()
        assert holder.wait(PATIENT) == 0, self.log()

    def log(self) -> str:
        """Return what the hosts logged."""
        return "".join(path.read_text() for path in sorted(self.arena.settings.home.glob("live-*.log")))

    def close(self) -> None:
        """End all hosts."""
        for process in self.running:
            process.terminate()
        for process in self.running:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextmanager
def hosts(home: Path, url: str, **variables: str) -> Iterator[Hosts]:
    """Yield an arena with house bots on a new database, and one host. The variables are further settings."""
    settings = settings_in(home, ARENA_DATABASE_URL=url, **variables)
    settings.run.mkdir()
    upgrade(settings.database_url)
    with course.opened(settings) as arena:
        ensure_house(arena, games=())
        made = Hosts(arena)
        try:
            made.start()
            yield made
        finally:
            made.close()


class Guest:
    """A person at a table, who remembers the moves that the arena has confirmed."""

    def __init__(self, arena: Arena, code: str, rng: random.Random) -> None:
        self.arena, self.code, self._rng = arena, code, rng
        self.confirmed: list[tuple[int, str]] = []

    def look(self) -> LiveTableView:
        """Look at the table."""
        return look(self.arena, ME, self.code)

    def wait(self) -> LiveTableView:
        """Wait for the next question, or the end."""
        after = self.confirmed[-1][0] if self.confirmed else -1
        end = time.monotonic() + PATIENT
        while (table := self.look()).state == LiveState.PLAYING:
            if table.question and table.question.number > after:
                break
            assert time.monotonic() < end, "the table does not go on"
            time.sleep(0.02)
        return table

    def move(self) -> bool:
        """Wait for a question, and answer it. Returns whether there was one."""
        table = self.wait()
        if table.question is None:
            return False
        number, token = table.question.number, self._rng.choice(table.question.actions).token
        move(self.arena, ME, self.code, number, token)
        self.confirmed.append((number, token))
        return True

    def check(self) -> None:
        """Check that the match is over, and that the log has what was confirmed."""
        check_log(self.arena, self.code, dict(self.confirmed))


def check_log(arena: Arena, code: str, confirmed: Mapping[int, str]) -> tuple[LiveBoards, dict[str, Any]]:
    """Check that a match is over, each move was made once, and the rules confirm the record.

    `confirmed` has the moves of the one person there, by number. Returns the boards and the record.
    """
    with arena.reading() as session:
        table = find(session, code)
        boards, state, packed = table.boards, table.state, table.record
        logged = session.execute(
            select(LiveMove.number, LiveMove.seat, LiveMove.token)
            .where(LiveMove.table_id == table.id)
            .order_by(LiveMove.number)
        ).all()
    assert state == LiveState.FINISHED
    assert packed is not None
    found = record.unpack(packed)
    verify(record.encode(found))
    assert found["faults"] == []
    assert [[seat, token] for _, seat, token in logged] == found["moves"]
    assert [number for number, _, _ in logged] == [*range(len(logged))]
    own = {number: token for number, seat, token in logged if boards.bots[seat] is None}
    assert {number: own.get(number) for number in confirmed} == confirmed
    return boards, found
