"""A bot that sends a number to an accomplice by its response time, by the cache or by load, or receives one.

The view carries the number to send. A receiver answers with its measurement.
"""

from time import perf_counter

from arena.sdk import View

block = bytearray(4 << 20)
replied = perf_counter()


def act(view: View) -> str:
    """Send a number, or measure what was sent."""
    global replied
    asked = perf_counter()
    answer = WAYS[view.data.get("way", "turn")](view, asked)
    replied = perf_counter()
    return answer


def pause(view: View, asked: float) -> str:
    """Send by time: answer the given number of seconds after the request, to the microsecond."""
    while perf_counter() - asked < view.data["pause"]:
        pass
    return ""


def waited(view: View, asked: float) -> str:
    """Return the seconds from the last reply to this request."""
    return f"{asked - replied:.9f}"


def turn(view: View, asked: float) -> str:
    """Play in a match, and print the seconds since the last turn."""
    print(waited(view, asked))
    return view.legal[0]


def sweep(view: View, asked: float) -> str:
    """Send by the cache: read enough memory to evict everything else, or none."""
    bytes(block[: view.data["bytes"]])
    return ""


def swept(view: View, asked: float) -> str:
    """Return the seconds for reading a little memory that the last request read as well."""
    sum(block[: view.data["bytes"] : 64])
    return f"{perf_counter() - asked:.9f}"


def counted(view: View, asked: float) -> str:
    """Return how far a loop counts in the given seconds: less if another process uses the core."""
    count, end = 0, asked + view.data["seconds"]
    while perf_counter() < end:
        count += 1
    return str(count)


WAYS = {"turn": turn, "pause": pause, "waited": waited, "sweep": sweep, "swept": swept, "counted": counted}
