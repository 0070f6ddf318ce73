"""Tables of people: many play at the same time, each thinks a little, beside a worker that plays a tournament."""

import html
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from statistics import median
from typing import Any, Final

import requests
from sqlalchemy import func, select

from arena.cli.processes import parents
from arena.db.models import Match
from arena.games.errors import Refused
from arena.services.base.context import Arena
from arena.services.live import tables
from arena.services.live.people import Person, new_guest
from arena.services.live.tables import Wish
from benchmarks.databases import empty
from benchmarks.load import free_port, populate
from benchmarks.memory import started, use
from benchmarks.plausible import Size
from benchmarks.results import NOTHING, Table, reached
from benchmarks.sides.harness import percentile
from web.app import create_app

PEOPLE: Final = (50, 100, 200)
"""Numbers of tables; a host takes as many as the first by default."""
THINK: Final = 3.0
"""Seconds that a person thinks before each move."""
SPELL: Final = 60.0
"""Seconds of play that are measured."""
WAIT: Final = 0.15
"""Target for the 95th percentile of the time from a move to the person's next turn, in seconds."""
VARIANT: Final = "suitability-4"
TOKEN: Final = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')


class Guest:
    """A person at one table, through the pages."""

    def __init__(self, url: str, cookie: tuple[str, str], code: str, number: int) -> None:
        self._url, self._rng = f"{url}/play/{code}", random.Random(number)
        self._session = requests.Session()
        self._session.cookies.set(*cookie, domain="127.0.0.1", path="/")
        found = TOKEN.search(self._session.get(self._url, timeout=60).text)
        assert found  # noqa: S101 -- every table's page has forms
        self._token = html.unescape(found[1])

    def play(self, end: float) -> Iterator[float]:
        """Play until `end` by the monotonic clock or the end of the match; yield the seconds of each answer."""
        state = self._look()
        while time.monotonic() < end and state["state"] == "playing":
            if not state["question"]:
                time.sleep(1)
                state = self._look()
                continue
            time.sleep(self._rng.uniform(0.5, 1.5) * THINK)
            began = time.monotonic()
            state = self._move(state)
            yield time.monotonic() - began

    def _look(self) -> Any:
        return self._session.get(f"{self._url}/state.json", timeout=60).json()

    def _move(self, state: Any) -> Any:
        question = state["question"]
        token = self._rng.choice(question["actions"])["token"]
        known = state["from"] + len(state["steps"])
        fields = {"csrf_token": self._token, "number": question["number"], "token": token, "steps": known}
        headers = {"Accept": "application/json"}
        return self._session.post(f"{self._url}/moves", data=fields, headers=headers, timeout=60).json()


def run(rounds: int, people: Sequence[int] = PEOPLE, spell: float = SPELL) -> list[Table]:
    """Let people play beside a worker, and measure their waits, the memory, and what the worker loses."""
    return [_crowd(number, spell) for number in people]


def _crowd(people: int, spell: float) -> Table:
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        arena = empty(Path(folder) / "home")
        populate(arena, Size(10_000))
        with closing(arena):
            return measure(arena, people, spell)


def measure(arena: Arena, people: int, spell: float) -> Table:
    """Start an arena, and play."""
    port = free_port()
    more = {"ARENA_PORT": str(port), "ARENA_WORKERS": "1", "ARENA_LIVE_TABLES": str(people)}
    with started(arena.settings.home, **more) as (_, names):
        live = next(pid for pid, name in names.items() if name == "live")
        alone = _pace(arena, spell / 2)
        empty_host = _memory(live)
        guests = _seat(arena, f"http://127.0.0.1:{port}", people)
        with ThreadPoolExecutor(people) as pool:
            end = time.monotonic() + spell
            played = [pool.submit(lambda guest: list(guest.play(end)), guest) for guest in guests]
            beside = _pace(arena, spell / 2)
            used = (_memory(live) - empty_host) / people
            waits = sorted(wait for one in played for wait in one.result())
    return _table(waits, used, alone, beside, people)


def _seat(arena: Arena, url: str, people: int) -> Sequence[Guest]:
    """Open a table for each person, as the page does, without its limit by address."""
    app = create_app(arena)
    signer: Any = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    guests = []
    for number in range(people):
        guest = new_guest()
        code = _opened(arena, Person.stranger(guest))
        guests.append(Guest(url, (app.config["SESSION_COOKIE_NAME"], signer.dumps({"guest": guest})), code, number))
    return guests


def _opened(arena: Arena, person: Person) -> str:
    """Open a table as soon as no more than a few wait for the host. Returns its code."""
    while True:
        try:
            return tables.open_table(arena, person, Wish(VARIANT, tables.MATCH))
        except Refused:
            time.sleep(0.2)


def _pace(arena: Arena, seconds: float) -> float:
    """Return the matches that are finished in a second."""
    before, began = _matches(arena), time.monotonic()
    time.sleep(seconds)
    return (_matches(arena) - before) / (time.monotonic() - began)


def _matches(arena: Arena) -> int:
    with arena.reading() as session:
        return session.scalars(select(func.count()).select_from(Match)).one()


def _memory(pid: int) -> float:
    """Return the memory of a process and its descendants in MiB, shared pages by shares."""
    above = dict(parents())
    family = {pid}
    while more := {child for child, parent in above.items() if parent in family} - family:
        family |= more
    kib = 0
    for one in family:
        with suppress(OSError):  # it has ended meanwhile
            kib += use(one).proportional
    return kib / 1024


def _table(waits: Sequence[float], used: float, alone: float, beside: float, people: int) -> Table:
    late = percentile(waits, 0.95)
    rows = [
        ("answer to a move, median", f"{1000 * median(waits):.0f} ms", NOTHING, NOTHING),
        ("answer to a move, 95th percentile", f"{1000 * late:.0f} ms", f"≤ {1000 * WAIT:g} ms", reached(late <= WAIT)),
        ("memory of a table", f"{used:.1f} MiB", NOTHING, NOTHING),
        ("matches of the worker, alone", f"{alone:.1f}/s", NOTHING, NOTHING),
        ("matches of the worker, beside people", f"{beside:.1f}/s", NOTHING, NOTHING),
    ]
    notes = f"{people} people who think {THINK:g} s, with house bots of medium strength; {len(waits):,} moves."
    return Table(f"Tables of {people} people", notes, ("", "measured", "target", "reached"), rows)
