"""A person as a player of the referee."""

from collections.abc import Callable

import pytest

from arena.match.again import Logged
from arena.sdk.player import SeatReport, Setup
from arena.services.live.log import Log
from arena.services.live.person import PersonPlayer


class Left(Exception):
    """The host stops."""


def asked(log: Log, *legal: str, flush: Callable[[], object] = lambda: None, **more: object) -> PersonPlayer:
    """Return a person in seat 1 who is asked for one of these moves."""
    player = PersonPlayer(log, flush, **more)  # type: ignore[arg-type]
    player.start(Setup("suitability", {"players": 2}, 1, ("Ada", "Bob"), 7))
    player.ask({"legal": list(legal)}, [], 0.0)
    return player


def test_move_in_the_log_is_the_answer() -> None:
    """Nothing is written before it, because nobody waits."""
    log, written = Log(), list[str]()
    log.put(0, Logged(1, "3C"))

    reply = asked(log, "2C", "3C", flush=lambda: written.append("flush")).reply()

    assert (reply.action, reply.cpu, written) == ("3C", 0.0, [])


def test_forced_move_is_made_at_once() -> None:
    """A person is not asked for the only legal move."""
    assert asked(Log(), "2C").reply().action == "2C"


def test_moves_are_written_before_a_person_is_awaited() -> None:
    """A person who has to move sees what happened; a move that arrives then is the answer."""
    log = Log()

    assert asked(log, "2C", "3C", flush=lambda: log.put(0, Logged(1, "2C"))).reply().action == "2C"


def test_table_can_be_stopped_while_a_person_thinks() -> None:
    """The referee's watch is called while nothing comes."""
    looks = iter(range(2))

    def watch() -> None:
        if next(looks, None) is None:
            raise Left

    with pytest.raises(Left):
        asked(Log(), "2C", "3C").reply(watch)


def test_late_person_is_replaced_for_one_move() -> None:
    """Once the time is up, another makes the move."""
    log = Log()

    def late(seat: int) -> float:
        log.put(0, Logged(seat, "3C"))
        return 0.0

    assert asked(log, "2C", "3C", clock=0.05, late=late).reply().action == "3C"


def test_person_costs_no_time() -> None:
    """A person hears no events, has no clock of a bot, and never fails."""
    player = asked(Log(), "2C")

    player.ready()
    player.end([], [1, 0], [1, 2])
    player.ended()

    assert (player.computed(), player.slept(), player.spent()) == (0.0, 0.0, 0.0)
    assert player.close() == SeatReport("", 0.0, 0)
    assert (player.wants_events, player.wants_forced) == (False, True)
