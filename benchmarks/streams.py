"""Cost of programs that follow events, beside people who watch the live tournament."""

from collections.abc import Mapping
from statistics import median
from typing import Final, NamedTuple

from arena.services.base.context import Arena
from arena.services.events import log
from benchmarks.load import LIVE, Load, Server, reached
from benchmarks.results import NOTHING, Table, show_progress
from benchmarks.web import PAGES, VIEWERS, interval
from web.api import PREFIX
from web.api.events import LINES, RETRY, STREAM

WATCHED: Final = 10.0
"""Seconds for which each kind of viewers watches in a round."""


class Viewers(NamedTuple):
    """Programs or people that poll one address."""

    title: str
    path: str
    pause: float
    headers: Mapping[str, str]


def cost(web: Server, arena: Arena, rounds: int) -> Table:
    """Measure the cores that each kind of viewers costs, in turns."""
    kinds = viewers(interval(web), log.newest(arena))
    taken: list[list[Load]] = []
    for number in range(rounds):
        show_progress(f"round {number + 1} of {rounds}")
        taken.append([web.load(VIEWERS, WATCHED, [one.path], one.pause, one.headers) for one in kinds])
    show_progress("")
    page, *others = zip(*taken, strict=True)
    rows = [(kinds[0].title, *_cells(kinds[0], page), NOTHING, NOTHING, NOTHING)]
    for one, loads in zip(kinds[1:], others, strict=True):
        share = median(a.cores / b.cores for a, b in zip(loads, page, strict=True))
        rows.append((one.title, *_cells(one, loads), f"{share:.2f}×", "≤ 1×", reached(share <= 1)))
    notes = (
        f"{VIEWERS} of each kind in turns of {WATCHED:g} s, two workers playing; medians of {rounds} rounds, and of "
        "the ratios within each round."
    )
    head = ("", "asks every", "cores", "bytes per second", "ratio of cores", "target", "reached")
    return Table("Streams of events beside a live page", notes, head, rows)


def viewers(pause: float, newest: int) -> tuple[Viewers, ...]:
    """Return the kinds of viewers, first the page that is polled at this pace; streams begin after `newest`."""
    retry, path = RETRY / 1000, f"{PREFIX}/tournaments/{LIVE}/events?after={newest}"
    return (
        Viewers("live page", PAGES["its changing part"], pause, {}),
        Viewers("server-sent events", path, retry, {"Accept": STREAM}),
        Viewers("lines of JSON", path, retry, {"Accept": LINES}),
    )


def _cells(one: Viewers, loads: tuple[Load, ...]) -> tuple[str, str, str]:
    received = median(load.found.received / load.found.seconds for load in loads)
    return f"{one.pause:g} s", f"{median(load.cores for load in loads):.3f}", f"{received:,.0f}"
