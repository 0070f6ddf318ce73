"""Pages and API under load: 20 readers and two workers who play, on a database with a million matches."""

import re
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from arena.services.base.context import Arena
from benchmarks import api, uploads
from benchmarks.databases import empty
from benchmarks.load import BOTS, FIELD, LIVE, MATCHES, SPELL, Server, beside, populate, serving, waits
from benchmarks.plausible import VARIANT, Size
from benchmarks.results import Table, reached

VIEWERS: Final = 30
WATCHED: Final = 30.0
"""Seconds for which viewers watch."""
COLD: Final = 80_000
"""Target of the bytes of a page with everything that it loads."""
CORE: Final = 0.05
"""Target of the cores that the viewers cost."""
TRAFFIC: Final = 50_000
"""Target of the bytes per second that they receive."""

PAGES: Final = {
    "front page": "/",
    "its live part": "/now",
    "leaderboard": "/leaderboard/",
    "ladder": "/ladders/",
    "crosstable": "/crosstables/",
    "crosstable of another bot": "/crosstables/?bot=7",
    "two bots head to head": f"/crosstables/{VARIANT}/1/2",
    "statistics": "/statistics/",
    "comparisons": "/comparisons/",
    "tournaments": "/tournaments/",
    "live tournament": f"/tournaments/{LIVE}",
    "its changing part": f"/tournaments/{LIVE}/live",
    "its tables": f"/tournaments/{LIVE}/tables",
    "its crosstable": f"/tournaments/{LIVE}/crosstable",
    "its statistics": f"/tournaments/{LIVE}/statistics",
    "finished tournament": "/tournaments/3",
    "bots": "/bots",
    "a bot": "/bots/5",
    "statistics of a bot": f"/versions/5/statistics/{VARIANT}",
    "table": "/tables/40",
    "match": "/matches/50",
    "its replay": "/matches/50/replay.json",
    "schedules": "/schedules/",
    "rules": "/games/suitability",
    "guide": "/help",
}
"""Paths by title."""
PARTS: Final = ("its live part", "its changing part", "its replay")
"""Titles that are no pages of their own."""

LOADED: Final = re.compile(
    r"""(?:src|href|data-[a-z]+)="(/(?:static/|cards/|matches/\d+/replay)[^"#]*\.(?:css|js|json|svg)[^"#]*)"""
)
IMPORTED: Final = re.compile(r'from "\./([\w-]+\.js)"')
INTERVAL: Final = re.compile(r'hx-trigger="every (\d+)s"')


def run(rounds: int, size: Size | None = None) -> list[Table]:
    """Fill a database, start an arena on it, and measure its pages, its API and uploads."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        arena = empty(Path(folder) / "home")
        populate(arena, size or Size(MATCHES, BOTS))
        with closing(arena):
            return measure(arena, rounds)


def measure(arena: Arena, rounds: int) -> list[Table]:
    """Start an arena on a filled database, and measure it under load."""
    headers = {"Authorization": f"Bearer {api.token(arena)}"}
    ready = {"leaderboard": PAGES["leaderboard"], **{f"API: {title}": api.ADDRESSES[title] for title in api.CACHED}}
    with serving(arena.settings.home) as (web, bare):
        for path in PAGES.values():
            web.get(path)
        for path in api.ADDRESSES.values():
            web.get(path, headers)
        return [
            beside("Ready answers beside a bare application", web, bare, ready, rounds),
            waits("Pages: time to answer", web, PAGES, SPELL * rounds),
            waits("API: time to answer", web, api.ADDRESSES, SPELL * rounds, headers),
            sizes(web),
            viewers(web),
            uploads.times(web, arena, rounds),
        ]


def sizes(web: Server) -> Table:
    """Measure what a browser that knows nothing loads for each page."""
    rows = []
    for title, path in PAGES.items():
        if title not in PARTS:
            page, own = web.get(path)
            rest = sum(web.get(each)[1] for each in loaded(web, page))
            total = own + rest
            rows.append((title, f"{own:,}", f"{rest:,}", f"{total:,}", f"≤ {COLD:,}", reached(total <= COLD)))
    notes = "With headers, and with everything that it loads at first; compressed by gzip."
    return Table("Bytes of a page", notes, ("", "page", "the rest", "sum", "target", "reached"), rows)


def loaded(web: Server, page: str) -> set[str]:
    """Return the paths of everything that a page loads."""
    found: set[str] = set()
    waiting = LOADED.findall(page)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            if ".js" in path and not path.endswith(".json"):
                waiting += [f"{path.rpartition('/')[0]}/{name}" for name in IMPORTED.findall(web.get(path)[0])]
    return found


def viewers(web: Server) -> Table:
    """Measure what viewers of the live tournament cost."""
    pause = interval(web)
    load = web.load(VIEWERS, WATCHED, [PAGES["its changing part"]], pause)
    cores, traffic = load.cores, load.found.received / load.found.seconds
    rows = [
        ("cores", f"{cores:.3f}", f"≤ {CORE:g}", reached(cores <= CORE)),
        ("bytes per second", f"{traffic:,.0f}", f"≤ {TRAFFIC:,}", reached(traffic <= TRAFFIC)),
    ]
    shown = ", ".join(f"{count} × {status}" for status, count in sorted(load.found.statuses.items()))
    notes = (
        f"{VIEWERS} viewers of a tournament of {FIELD} bots, who ask every {pause:g} s: {shown} in "
        f"{load.found.seconds:.0f} s."
    )
    return Table("Viewers of a live tournament", notes, ("", "measured", "target", "reached"), rows)


def interval(web: Server) -> float:
    """Return the seconds between two polls of the live tournament's page."""
    page, _ = web.get(PAGES["live tournament"])
    found = INTERVAL.search(page)
    assert found, "the tournament is over"  # noqa: S101 -- nothing to measure
    return float(found[1])
