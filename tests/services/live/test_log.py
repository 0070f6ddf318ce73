"""The log of a table in its host."""

import time
from threading import Timer

from arena.match.again import Logged
from arena.match.referee import Failure
from arena.sdk.faults import Fault
from arena.services.live.log import Log


def test_new_moves_are_written_once() -> None:
    """Moves of a step that are not in the database are to be written, in order."""
    log = Log()
    log.put(1, Logged(1, "7H"))

    log.note([(0, "2C"), (1, "7H"), (2, "3C")], [None] * 3)

    assert log.take() == [(0, Logged(0, "2C")), (2, Logged(2, "3C"))]
    assert log.take() == []


def test_move_in_the_database_stands() -> None:
    """Moves that are read again, or made again after a restart, change nothing."""
    log = Log()
    log.put(0, Logged(0, "2C", "error"))
    log.put(0, Logged(0, "9C"))

    log.note([(0, "9C")], [None])

    assert log.take() == []


def test_fault_is_noted_with_its_move() -> None:
    """The moves that the arena makes afterwards have none."""
    log, failure = Log(), Failure(Fault("error", "it raised an exception"), 1, None)

    log.note([(0, "2C")], [None, failure])
    log.note([(1, "3C")], [None, failure])
    log.note([(1, "4C")], [None, failure])

    assert [move.fault for _, move in log.take()] == [None, "error", None]


def test_answer_is_the_next_move_of_the_seat() -> None:
    """Moves that the match has made are not answers, nor are those of other seats."""
    log = Log()
    for number, token in enumerate(("2C", "3C", "4C", "5C")):
        log.put(number, Logged(number % 2, token))

    assert log.answer(1, 0.0) == Logged(1, "3C")
    log.note([(0, "2C"), (1, "3C")], [None, None])
    assert (log.answer(0, 0.0), log.answer(1, 0.0)) == (Logged(0, "4C"), Logged(1, "5C"))
    log.note([(0, "4C"), (1, "5C")], [None, None])
    assert log.answer(0, 0.0) is None


def test_last_seat_of_the_largest_table_is_heard_first() -> None:
    """In a simultaneous step of eight seats each may answer before the others."""
    log = Log()
    log.put(7, Logged(7, "2C"))

    assert log.answer(7, 0.0) == Logged(7, "2C")


def test_waiting_ends_with_the_move() -> None:
    """A move that another thread adds is noticed at once; without one the wait ends in time."""
    log, begun = Log(), time.monotonic()
    adding = Timer(0.1, log.put, (0, Logged(0, "2C")))
    adding.start()

    assert log.answer(0, 60.0) == Logged(0, "2C")
    assert time.monotonic() - begun < 30
    assert log.answer(1, 0.01) is None
    adding.join()
