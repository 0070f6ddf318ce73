"""A hall: many threads start, ask and end bots in shared cages at the same time."""

import os
import random
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from threading import Semaphore

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage
from arena.sandbox.cage import Caged
from arena.sandbox.hall import ROOM, Hall, Place
from arena.sandbox.limits import Limits
from arena.sdk.faults import Fault
from tests.cli.processes import alive, until
from tests.sandbox.conftest import SETUP, VIEW

THREADS, TABLES, BOTS = 8, 24, 3
LAST = b"def act(view):\n    return view.legal[-1]\n"
FAILS = b"def act(view):\n    raise ValueError('out')\n"
CRASHES = b"import os\n\ndef act(view):\n    os._exit(3)\n"
ANSWERS = {LAST: "4C", FAILS: "error", CRASHES: "crash"}


@pytest.fixture
def made() -> list[Cage]:
    """Return the cages that the hall has made."""
    return []


@pytest.fixture
def hall(engine: None, made: list[Cage]) -> Iterator[Hall]:
    """A hall whose cages are listed in `made`."""

    def make() -> Cage:
        made.append(Cage("one", limits=Limits(bracket=True), seats=ROOM))
        return made[-1]

    opened = Hall(make)
    yield opened
    opened.close()


def ready(place: Place, source: bytes = LAST) -> Caged:
    """Return a bot that has been set up."""
    player = place.player(source)
    player.start(SETUP)
    player.ready()
    return player


def answer(player: Caged) -> str:
    """Return a bot's move, or the kind of its fault."""
    try:
        player.ask(VIEW, [], 5.0)
        return player.reply().action
    except Fault as fault:
        return fault.kind


def table(hall: Hall, number: int) -> list[str]:
    """Start the bots of a table, ask each several times, and end them. Returns what does not fit its program."""
    rng, wrong = random.Random(number), list[str]()
    with hall.place(BOTS) as place:
        sources = [rng.choice([*ANSWERS]) for _ in range(BOTS)]
        bots = [ready(place, source) for source in sources]
        for source, bot in zip(sources, bots, strict=True):
            for _ in range(3 if source == LAST else 1):
                found = answer(bot)
                wrong += [] if found == ANSWERS[source] else [f"{ANSWERS[source]}: {found}"]
        for bot in bots:
            bot.close()
    return wrong


def test_threads_share_the_hall(hall: Hall, made: list[Cage]) -> None:
    """Each bot gives the answers of its own program; the cage ends with the last table."""
    with hall.place(1) as place:
        closing(ready(place))
        zygote = made[0].zygote.pid
        with ThreadPoolExecutor(THREADS) as pool:
            assert [*pool.map(partial(table, hall), range(TABLES))] == [[]] * TABLES
        assert made[0].zygote.pid == zygote

    assert TABLES * BOTS > ROOM
    assert len(made) == 1
    assert not alive(zygote)


def closing(player: Caged) -> str:
    """End a bot; return its answer to a last question."""
    try:
        return answer(player)
    finally:
        player.close()


def test_full_cage_is_followed_by_another(hall: Hall, made: list[Cage]) -> None:
    """Tables of one cage share it, and a seat that is given back is taken again."""
    with ExitStack() as stack:
        first = stack.enter_context(hall.place(ROOM - 1))
        assert closing(ready(first)) == "4C"
        with hall.place(1):
            assert len(made) == 1
            with hall.place(2) as beyond:
                assert closing(ready(beyond)) == "4C"
                assert len(made) == 2
        with hall.place(1) as last:
            assert closing(ready(last)) == "4C"
    assert len(made) == 2


@pytest.mark.parametrize("others", [0, 1])
def test_table_without_bots_needs_no_process(hall: Hall, made: list[Cage], others: int) -> None:
    """People alone may sit at a table, also when it is the last one of its cage."""
    with ExitStack() as stack:
        stack.enter_context(hall.place(0))
        for _ in range(others):
            with hall.place(0):
                pass

    assert len(made) == 1


def test_ended_zygote_is_replaced(hall: Hall, made: list[Cage]) -> None:
    """Its bots are not to blame, and tables start bots in the next one, also in seats whose bots ended with it."""
    with hall.place(1) as one, hall.place(2) as two:
        bots = [ready(one), ready(two)]
        zygote = made[0].zygote.pid
        os.kill(zygote, signal.SIGKILL)
        until(lambda: not any(map(alive, [zygote, *(bot.pid for bot in bots)])), "the zygote and its bots end")

        for bot in bots:
            with pytest.raises(ArenaFault):
                answer(bot)
            bot.close()
        with ThreadPoolExecutor(2) as pool:
            assert [*pool.map(lambda place: closing(ready(place)), (one, two))] == ["4C", "4C"]
        with hall.place(1) as three:
            assert closing(ready(three)) == "4C"
    assert len(made) == 1


def test_hall_can_be_closed_while_bots_play(hall: Hall, made: list[Cage]) -> None:
    """Every thread ends with a failure of the arena, and no bot is blamed or left."""
    started = Semaphore(0)

    def play() -> str:
        with hall.place(BOTS) as place:
            bots = [ready(place) for _ in range(BOTS)]
            started.release()
            try:
                while {answer(bot) for bot in bots} == {"4C"}:
                    pass
            except ArenaFault as fault:
                return str(fault)
            finally:
                for bot in bots:
                    bot.close()
        return "a bot was blamed"

    with ThreadPoolExecutor(4) as pool:
        ends = [pool.submit(play) for _ in range(4)]
        for _ in ends:
            assert started.acquire(timeout=60)
        zygote = made[0].zygote.pid
        hall.close()
        assert all("the process that starts bots is gone" in end.result(60) for end in ends)

    until(lambda: not alive(zygote), "the zygote ends")
