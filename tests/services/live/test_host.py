"""The host: faults of bots, of the database and of hosts cost time, and nothing else."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event, Thread, current_thread
from typing import Any

import pytest
from sqlalchemy import event, select, update
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from arena.db.clock import now
from arena.db.models import LiveMove, LiveTable
from arena.games.errors import ArenaFault, Conflict
from arena.match import record
from arena.match.replay import verify
from arena.sandbox import Cage
from arena.sandbox.hall import ROOM, Hall
from arena.sandbox.limits import Limits
from arena.sdk.player import Player
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.bots.house import ensure_house
from arena.services.live.host import LEASE, Host, Seating
from arena.services.live.tables import Wish, find, look, move, open_table, touch
from arena.services.queue import leases
from tests import factories
from tests.cages import LocalPlayer
from tests.services.live.conftest import LocalPlace, drop_connections, seating
from tests.services.live.people import BEN, logged, seated
from tests.services.live.test_playing import ME, play_on
from tests.workers.services import wait_for

VARIANT, OF_FIVE = "separate-suits-4", "suitability-5"
CRASHES = """
import os
from arena.sdk import Bot

class Crashes(Bot):
    def act(self, view):
        if len(view.hand) < 9:
            {act}
        return view.legal[0]
"""
FAULTY = {"crash": "os._exit(3)", "error": "raise ValueError('out')", "illegal": "return 'XX'"}
ENDLESS = "while True:\n    pass\n"
PATIENT = 60.0
"""Seconds for anything on a busy machine."""


@contextmanager
def hosting(arena: Arena, seats: Seating = seating) -> Iterator[None]:
    """Run a host during a block."""
    stop = Event()
    thread = Thread(target=Host(arena, seats, 50).run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(PATIENT)
        assert not thread.is_alive()


def stored(arena: Arena, code: str) -> dict[str, Any]:
    """Return the record of a finished table, which the rules confirm and whose moves are those of the log."""
    with arena.reading() as session:
        packed = session.scalars(select(LiveTable.record).where(LiveTable.code == code)).one()
    assert packed is not None
    found = record.unpack(packed)
    verify(record.encode(found))
    moves = logged(arena, code)
    assert [number for number, _, _ in moves] == [*range(len(moves))]
    assert [[seat, token] for _, seat, token in moves] == found["moves"]
    return found


def faults(arena: Arena, code: str) -> dict[str, str]:
    """Return the faults of a table by the names of the bots."""
    with arena.reading() as session:
        return {seat.version.bot.name: seat.fault for seat in find(session, code).seats if seat.version and seat.fault}


@pytest.fixture
def faulty(arena: Arena) -> tuple[str, ...]:
    """Bots that fail in different ways; return their names."""
    author = factories.user(arena, "author")
    for name, act in FAULTY.items():
        factories.bot(arena, author, name, CRASHES.format(act=act).encode())
    factories.bot(arena, author, "timeout", ENDLESS.encode())
    return (*FAULTY, "timeout")


def test_bots_that_fail_are_judged_and_the_person_plays_on(arena: Arena, faulty: tuple[str, ...]) -> None:
    """Each gets its verdict, which outlasts a host, and the arena plays its seat; nobody reads of it in the log."""
    code = open_table(arena, ME, Wish(OF_FIVE, bots=faulty))
    hall = Hall(partial(Cage, "one", limits=Limits(load=1.0), seats=ROOM))

    with capture_logs() as lines, hall.place(1):  # keeps the cage open
        with hosting(arena, hall.place):
            play_on(arena, code, moves=6)
        with hosting(arena, hall.place):
            table = play_on(arena, code)
    hall.close()

    assert table.state == LiveState.FINISHED
    assert faults(arena, code) == {name: name for name in faulty}
    assert {fault["kind"] for fault in stored(arena, code)["faults"]} == {*faulty}
    assert lines == []


@pytest.mark.usefixtures("house")
def test_second_host_goes_on_at_once(arena: Arena) -> None:
    """A host that ends while a person thinks lets go of its tables within the lease."""
    code = open_table(arena, ME, Wish(VARIANT))
    with hosting(arena):
        play_on(arena, code, moves=3)
        before = look(arena, ME, code)
        begun = time.monotonic()
    ended = time.monotonic()

    assert ended - begun < LEASE
    with arena.reading() as session:
        assert session.scalars(select(LiveTable.lease_until)).one() is None
    after = look(arena, ME, code)
    assert (before.held, after.held) == (True, False)
    assert (after.question, after.replay) == (before.question, before.replay)
    with hosting(arena):
        assert play_on(arena, code).state == LiveState.FINISHED
    stored(arena, code)


@pytest.mark.usefixtures("house")
def test_host_that_was_replaced_writes_nothing(arena: Arena) -> None:
    """The host stops when it notices, and takes the table again once the other host is silent."""
    code = open_table(arena, ME, Wish(VARIANT))
    with hosting(arena):
        asked = play_on(arena, code, moves=2).question
        assert asked is not None
        for number in (asked.number, asked.number + 4):
            taken = {"fence": LiveTable.fence + 1, "lease_until": now() + 2.0}
            with arena.transaction() as session:
                session.execute(update(LiveTable).values(**taken))
            if number == asked.number:
                move(arena, ME, code, number, asked.actions[0].token)
                made = logged(arena, code)
                time.sleep(1.0)
                assert logged(arena, code) == made

        assert play_on(arena, code).state == LiveState.FINISHED
    stored(arena, code)


@pytest.mark.usefixtures("house")
def test_table_that_fails_is_tried_again(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena gives it up after many attempts only, and tells the person why."""
    monkeypatch.setattr(leases, "BACK_OFF", (0.0,))
    tries = [0]

    @contextmanager
    def failing(bots: int) -> Iterator[LocalPlace]:
        tries[0] += 1
        if tries[0] < leases.ATTEMPTS or tries[0] > 100:
            raise ArenaFault("the cage is broken")
        yield LocalPlace()

    code, other = (open_table(arena, ME, Wish(VARIANT)) for _ in range(2))
    with arena.transaction() as session:
        find(session, other).touched -= 2 * leases.PAUSE_AFTER
    with hosting(arena, failing):
        assert play_on(arena, code).state == LiveState.FINISHED
        tries[0] = 100
        touch(arena, other)
        wait_for(lambda: look(arena, ME, other).state != LiveState.PLAYING)

    table = look(arena, ME, other)
    assert (table.state, table.problem, tries[0]) == (LiveState.FAILED, "the cage is broken", 100 + leases.ATTEMPTS)
    assert stored(arena, code)["faults"] == []


@pytest.mark.usefixtures("house")
def test_failure_of_a_table_that_went_on_counts_as_its_first(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried again after the shortest pause, whatever happened to it before."""
    monkeypatch.setattr(leases, "BACK_OFF", (0.0, 900.0))
    broken: list[str] = []

    class Breaks(LocalPlayer):
        def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
            if len(view["hand"]) == 9 and not broken:
                broken.append("now")
                raise ArenaFault("the zygote is gone")
            super().ask(view, events, time_left)

    class Broken(LocalPlace):
        def player(self, source: bytes) -> Player:
            return Breaks(source, "bot.py")

    @contextmanager
    def breaking(bots: int) -> Iterator[LocalPlace]:
        yield Broken()

    code = open_table(arena, ME, Wish(VARIANT))
    with arena.transaction() as session:
        find(session, code).attempts = leases.ATTEMPTS  # as after as many killed hosts
    with hosting(arena, breaking):
        assert play_on(arena, code).state == LiveState.FINISHED

    assert broken
    stored(arena, code)


@pytest.mark.usefixtures("house")
def test_lost_connection_is_no_failure_of_a_table(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table goes on at once, however often."""
    monkeypatch.setattr(leases, "BACK_OFF", (900.0,))
    lost = [0]

    def lose(connection: Any, cursor: Any, statement: str, *_: object) -> None:
        if "INSERT INTO live_moves" in statement and current_thread().name.startswith("table "):
            lost[0] += 1
            if lost[0] % 2:
                raise OperationalError(statement, {}, Exception("gone"), connection_invalidated=True)

    event.listen(arena.database.engine, "before_cursor_execute", lose)
    code = open_table(arena, ME, Wish(VARIANT))
    with hosting(arena):
        assert play_on(arena, code).state == LiveState.FINISHED

    assert lost[0] > 2 * leases.ATTEMPTS
    stored(arena, code)


@pytest.mark.usefixtures("house")
def test_table_that_nobody_looks_at_is_paused(arena: Arena) -> None:
    """Its seats are free for others until a person comes back."""
    code = open_table(arena, ME, Wish(VARIANT))
    with hosting(arena):
        play_on(arena, code, moves=3)
        with arena.transaction() as session:
            find(session, code).touched -= 2 * leases.PAUSE_AFTER
        wait_for(lambda: not look(arena, ME, code).held)
        with arena.reading() as session:
            fence = find(session, code).fence
        touch(arena, code)
        assert play_on(arena, code).state == LiveState.FINISHED

    with arena.reading() as session:
        assert find(session, code).fence == fence + 1
    stored(arena, code)


@pytest.mark.usefixtures("house")
def test_bots_end_if_another_cannot_be_started(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seats of a cage are free for the next attempt."""
    monkeypatch.setattr(leases, "BACK_OFF", (0.0,))
    running: list[Player] = []

    class Full(LocalPlace):
        def player(self, source: bytes) -> Player:
            if len(running) == 2:
                raise ArenaFault("no process can be started")
            player = super().player(source)
            running.append(player)
            monkeypatch.setattr(player, "close", lambda: running.remove(player))
            return player

    @contextmanager
    def full(bots: int) -> Iterator[Full]:
        yield Full()

    code = open_table(arena, ME, Wish(VARIANT))
    with hosting(arena, full):
        wait_for(lambda: look(arena, ME, code).state == LiveState.FAILED)

    assert running == []


@contextmanager
def unreachable(arena: Arena) -> Iterator[None]:
    """Take the database away: end all connections to PostgreSQL, or lock SQLite against writers during a block."""
    engine = arena.database.engine
    if engine.name == "postgresql":
        drop_connections(engine)
        yield
        return
    with arena.transaction():
        yield


@pytest.mark.usefixtures("house")
def test_lost_database_is_waited_for(arena: Arena) -> None:
    """A database that is away for a moment, again and again, costs no move."""
    code = open_table(arena, ME, Wish(VARIANT))
    with hosting(arena):
        for _ in range(5):
            table = play_on(arena, code, moves=1)
            with unreachable(arena):
                time.sleep(0.2)
        assert table.state == LiveState.PLAYING
        table = play_on(arena, code)

    assert table.state == LiveState.FINISHED
    assert stored(arena, code)["faults"] == []


@pytest.mark.parametrize("stand_ins", [False, True], ids=["first legal action", "house bot"])
def test_late_people_are_replaced_move_by_move(arena: Arena, stand_ins: bool) -> None:
    """A match with a clock ends though one person left, and another is often a little too late."""
    if stand_ins:
        ensure_house(arena, games=())
    code = seated(arena, "separate-suits-2", (ME, BEN))
    with arena.transaction() as session:
        find(session, code).clock = 0.05
    sent: list[tuple[int, int, str]] = []
    with hosting(arena):
        while (table := look(arena, ME, code)).state == LiveState.PLAYING:
            if table.question:
                time.sleep(len(sent) % 5 * 0.02)
                number, token = table.question.number, table.question.actions[-1].token
                with suppress(Conflict):  # a bot has made it, or it is the same
                    move(arena, ME, code, number, token)
                    sent.append((number, 0, token))

    assert stored(arena, code)["faults"] == []
    assert {*sent} <= {*logged(arena, code)}
    with arena.reading() as session:
        late = session.scalars(select(LiveMove.seat).where(LiveMove.late)).all()
    assert 1 in late
