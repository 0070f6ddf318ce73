"""The API under load on a database with a million matches: reading, streams, uploads and the log of events."""

import gc
from collections.abc import Mapping
from statistics import median
from time import perf_counter, process_time
from typing import Final

from flask.testing import FlaskClient

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import keys
from benchmarks import events, streams, uploads
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.load import BOTS, LIVE, MATCHES, SPELL, WAIT, beside, populate, reached, serving, waits
from benchmarks.plausible import VARIANT, Size
from benchmarks.results import Table
from web.api import PREFIX
from web.app import create_app
from web.shared import FIGURES_LIMIT
from web.shelf import Shelf

PATHS: Final = {
    "arena": "/",
    "now": "/now",
    "games": "/games",
    "leaderboard": f"/leaderboards/{VARIANT}",
    "leaderboard by name": f"/leaderboards/{VARIANT}?sort=name&limit=200",
    "leaderboard, searched": f"/leaderboards/{VARIANT}?search=bot-9",
    "ladder": f"/ladders/{VARIANT}",
    "crosstable": f"/crosstables/{VARIANT}",
    "head to head": f"/crosstables/{VARIANT}/1/2",
    "statistics": f"/statistics/{VARIANT}",
    "bots": "/bots",
    "bots by upload": "/bots?sort=-uploaded&limit=200",
    "bots, searched": "/bots?search=bot-9",
    "bot": "/bots/5",
    "versions of a bot": "/bots/5/versions",
    "history of a bot": f"/bots/5/history?variant={VARIANT}",
    "version": "/versions/5",
    "statistics of a version": f"/versions/5/statistics/{VARIANT}",
    "history of a version": f"/versions/5/history/{VARIANT}",
    "author": "/authors/organiser",
    "tournaments": "/tournaments",
    "tournaments, searched": "/tournaments?search=Cup&kind=cups&state=finished",
    "live tournament": f"/tournaments/{LIVE}",
    "its standings": f"/tournaments/{LIVE}/standings",
    "its tables": f"/tournaments/{LIVE}/tables",
    "its matches": f"/tournaments/{LIVE}/matches",
    "its crosstable": f"/tournaments/{LIVE}/crosstable",
    "its statistics": f"/tournaments/{LIVE}/statistics",
    "finished tournament": "/tournaments/3",
    "standings of 1,000 bots": "/tournaments/3/standings",
    "tables of a version": "/tournaments/3/tables?version=5",
    "tables by state": "/tournaments/3/tables?state=done&limit=200",
    "tables that failed": "/tournaments/3/tables?state=infra_failed",
    "crosstable of 1,000 bots": "/tournaments/3/crosstable",
    "table": "/tables/40",
    "matches": "/matches?limit=200",
    "matches of a variant": f"/matches?variant={VARIANT}",
    "matches of another variant": "/matches?variant=suitability-4-partners",
    "matches of a bot": "/matches?bot=5",
    "matches of a bot, one variant": f"/matches?bot=5&variant={VARIANT}",
    "matches of a tournament": "/matches?tournament=3",
    "closest matches": "/matches?show=closest",
    "upsets": "/matches?show=upsets",
    "best matches of a bot": "/matches?show=best&bot=5",
    "matches with faults": "/matches?show=faults&tournament=3",
    "match": "/matches/50",
    "record": "/matches/50/record",
    "replay": "/matches/50/replay",
    "schedules": "/schedules",
    "comparisons": "/comparisons",
    "candidates": f"/comparisons/candidates?variant={VARIANT}",
    "events": "/events",
    "rare events": "/events?kinds=tournament.cancelled",
    "events of a tournament": "/tournaments/3/events?after=50000",
    "rare events of a tournament": "/tournaments/3/events?kinds=bot.withdrawn",
    "events of a bot": "/bots/5/events",
    "notices": "/notices",
    "own bots": "/me/bots",
    "groups": "/groups",
    "group": "/groups/1",
    "copies": "/copies",
    "copies of a group": "/copies?group=class-1",
    "export of matches": "/export/matches?after=40",
    "assignments": "/assignments",
    "members": "/members",
    "members, searched": "/members?search=member-9",
    "member": "/members/2",
    "bots of all owners": "/administration/bots",
    "uploads": "/administration/uploads",
    "tables that wait": "/administration/tables?kind=waiting",
    "state of the arena": "/operations",
    "audit log": "/administration/log",
    "audit log of a member": "/administration/log?subject=member-9",
}
"""Paths below the prefix of the API, by title: all operations whose work grows with the data, with their filters."""
CACHED: Final = ("arena", "leaderboard", "tournaments", "match")
"""Titles that are compared with a bare application: their answers are ready."""
ADDRESSES: Final = {title: f"{PREFIX}{path}" for title, path in PATHS.items()}


def run(rounds: int, size: Size | None = None) -> list[Table]:
    """Fill each database, measure the API on it, and start an arena on SQLite to measure it under load."""
    with databases() as opened:
        for arena in opened.values():
            populate(arena, size or Size(MATCHES, BOTS))
        return [answers(opened, rounds), *measure(opened["SQLite"], rounds), events.cost(rounds)]


def measure(arena: Arena, rounds: int) -> list[Table]:
    """Start an arena on a filled database, and measure its API under load."""
    headers = {"Authorization": f"Bearer {token(arena)}"}
    ready = {title: ADDRESSES[title] for title in CACHED}
    with serving(arena.settings.home) as (web, bare):
        for path in ADDRESSES.values():
            web.get(path, headers)
        return [
            beside("Ready answers beside a bare application", web, bare, ready, rounds),
            waits(web, ADDRESSES, SPELL * rounds, headers),
            streams.cost(web, arena, rounds),
            uploads.times(web, arena, rounds),
        ]


def token(arena: Arena) -> str:
    """Make a token of the organiser with all rights. Its answers are not shared, so each is made anew."""
    account = Account(1, "organiser", is_admin=True)
    return keys.make(arena, account, "benchmark", keys.offered(account))


def answers(arenas: Mapping[str, Arena], rounds: int) -> Table:
    """Measure the time of each answer in this process, made anew for each request, with its figures."""
    found = {name: timed(arena, rounds) for name, arena in arenas.items()}
    rows = [(title, *(cell for by in found.values() for cell in by[title])) for title in PATHS]
    head = ("", *(cell for name in found for cell in (name, "longest", "CPU", "target", "reached")))
    notes = (
        f"One program, without the server: medians and longest of {rounds} rounds after the first, which warms caches; "
        f"CPU of this process. The target is that of the 95th percentile with 20 programs. {cpu()}."
    )
    return Table("Answers made anew", notes, head, rows)


def timed(arena: Arena, rounds: int) -> dict[str, tuple[str, ...]]:
    """Return the cells of each answer, by title."""
    app = create_app(arena, {"SHARED_SECONDS": 0.0})
    client = app.test_client()
    headers = {"Authorization": f"Bearer {token(arena)}"}
    taken: dict[str, list[tuple[float, float]]] = {title: [] for title in PATHS}
    gc.collect()
    gc.freeze()  # as the web server does before it serves
    for _ in range(rounds + 1):
        for title, path in ADDRESSES.items():
            app.extensions["shared"].figures = Shelf(FIGURES_LIMIT, 0.0)  # as after a change of what they show
            taken[title].append(_asked(client, path, headers))
    return {title: _cells(spans[1:]) for title, spans in taken.items()}


def _asked(client: FlaskClient, path: str, headers: Mapping[str, str]) -> tuple[float, float]:
    """Ask once, and return seconds of real time and of CPU time. Raises `RuntimeError` if the answer is a refusal."""
    real, used = perf_counter(), process_time()
    answer = client.get(path, headers=headers)
    answer.get_data()
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}: {answer.text[:200]}")
    return perf_counter() - real, process_time() - used


def _cells(spans: list[tuple[float, float]]) -> tuple[str, ...]:
    real, used = zip(*spans, strict=True)
    late = max(real)
    middle = [f"{1000 * value:.1f} ms" for value in (median(real), late, median(used))]
    return *middle, f"≤ {1000 * WAIT:g} ms", reached(late <= WAIT)
