"""Two seats in league. One tells the other a number by how long it takes, by what it leaves in the cache, or by load.

The number that is to be told stands in the view, in the place of a hand. The other answers with what it has measured.
"""

from time import perf_counter, sleep

from arena.sdk import View

SLEEP = 0.005
"""Seconds from which on a pause is slept through, but for its end, so that it costs little CPU time."""
block = bytearray(4 << 20)
replied = perf_counter()


def act(view: View) -> str:
    """Tell a number, or measure what was told."""
    global replied
    asked = perf_counter()
    told = WAYS[view.data["way"]](view, asked)
    replied = perf_counter()
    return told


def pause(view: View, asked: float) -> str:
    """Tell by time: answer so many seconds after the question, to the microsecond."""
    seconds: float = view.data["pause"]
    if seconds > SLEEP:
        sleep(seconds - SLEEP / 2)
    while perf_counter() - asked < seconds:
        pass
    return ""


def waited(view: View, asked: float) -> str:
    """Seconds between the last reply and this question."""
    return f"{asked - replied:.9f}"


def sweep(view: View, asked: float) -> str:
    """Tell by the cache: read as many bytes, so that what others have read is no longer in it, or none."""
    bytes(block[: view.data["bytes"]])
    return ""


def swept(view: View, asked: float) -> str:
    """Seconds for reading a little memory that was read at the last question, too."""
    sum(block[: view.data["bytes"] : 64])
    return f"{perf_counter() - asked:.9f}"


def counted(view: View, asked: float) -> str:
    """How far a count comes in so many seconds: less where another process computes on the same core."""
    count, end = 0, asked + view.data["seconds"]
    while perf_counter() < end:
        count += 1
    return str(count)


WAYS = {"pause": pause, "waited": waited, "sweep": sweep, "swept": swept, "counted": counted}
