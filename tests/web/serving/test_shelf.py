"""Values that are made once per change."""

from threading import Barrier, Event, Thread

import pytest

from web.serving import shelf
from web.serving.shelf import Shelf


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all shelves."""
    made = Clock()
    monkeypatch.setattr(shelf, "monotonic", made)
    return made


def get(shelf: Shelf[str], key: str, stamp: str, value: str) -> str:
    """Return the value of a key; a new one is `value`, whose size is its length."""
    return shelf.get(key, lambda: stamp, lambda: value, len)


def test_value_is_made_again_only_if_its_stamp_changed(clock: Clock) -> None:
    """The stamp is looked at when the seconds are over, and decides."""
    kept: Shelf[str] = Shelf(100, seconds=1.0)

    assert get(kept, "a", "1", "first") == "first"
    assert get(kept, "a", "2", "second") == "first"
    assert kept.fresh("a") == "first"
    clock.now += 1
    assert kept.fresh("a") is None
    assert get(kept, "a", "1", "second") == "first"
    clock.now += 1
    assert get(kept, "a", "2", "second") == "second"


def test_costly_value_rests(clock: Clock) -> None:
    """A value that took 0.2 seconds is kept for ten times as long, and one that took long no longer than the limit."""
    kept: Shelf[str] = Shelf(100, seconds=0.0, rest=10.0)

    def make(value: str, seconds: float) -> str:
        clock.now += seconds
        return value

    kept.get("a", lambda: 1, lambda: make("first", 0.2), len)
    clock.now += 1.9
    assert kept.get("a", lambda: 2, lambda: make("second", 100.0), len) == "first"
    clock.now += 0.2
    assert kept.get("a", lambda: 2, lambda: make("second", 100.0), len) == "second"
    clock.now += shelf.LONGEST
    assert kept.get("a", lambda: 3, lambda: make("third", 0.0), len) == "third"


def test_memory_is_bounded() -> None:
    """The values that were not used for longest are dropped, and one above the limit is not kept at all."""
    kept: Shelf[str] = Shelf(10, seconds=60.0)
    get(kept, "a", "1", "aaaa")
    get(kept, "b", "1", "bbbb")
    get(kept, "a", "1", "")
    get(kept, "c", "1", "cccc")

    assert kept.fresh("a") == "aaaa"
    assert kept.fresh("b") is None
    assert kept.fresh("c") == "cccc"
    assert get(kept, "d", "1", "d" * 11) == "d" * 11
    assert kept.fresh("d") is None
    assert kept.size == 8


def test_value_of_a_failed_attempt_is_tried_again() -> None:
    """An error reaches its caller, and leaves nothing locked."""
    kept: Shelf[str] = Shelf(10, seconds=60.0)

    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1, lambda: str(1 // 0), len)

    assert get(kept, "a", "1", "fine") == "fine"


def test_one_thread_makes_a_value_while_others_get_the_previous() -> None:
    """Nobody waits for a new value if there is an old one."""
    kept: Shelf[str] = Shelf(10, seconds=0.0)
    get(kept, "a", "1", "old")
    begun, go_on = Event(), Event()

    def slow() -> str:
        begun.set()
        assert go_on.wait(60)
        return "new"

    thread = Thread(target=lambda: kept.get("a", lambda: "2", slow, len))
    thread.start()
    assert begun.wait(60)
    meanwhile = get(kept, "a", "2", "never")
    go_on.set()
    thread.join()

    assert meanwhile == "old"
    assert get(kept, "a", "2", "never") == "new"


def test_first_value_is_made_once_for_all_who_wait() -> None:
    """Threads that ask for a value at the same time get the same one."""
    kept: Shelf[str] = Shelf(10, seconds=60.0)
    made: list[str] = []
    found: list[str] = []
    together = Barrier(8)

    def ask() -> None:
        together.wait(60)
        found.append(kept.get("a", lambda: 1, lambda: made.append("value") or "value", len))  # type: ignore[func-returns-value]

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == ["value"] * 8
    assert made == ["value"]
