"""Seats of programs outside the arena: rated tables beside workers, and requests that wait beside pages."""

import json
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from operator import truediv
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select

from arena.db.models import LiveMove, LiveSeat, LiveTable, Table, Tournament, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import LiveState, TableState, VersionState
from arena.services.bots.declared import OpenBot, declare
from arena.services.bots.house import ensure_house
from arena.services.live import presence
from arena.services.live.presence import Ready
from arena.services.people import keys
from arena.services.people.keys import Scope
from arena.services.tournaments import actions
from benchmarks.databases import empty
from benchmarks.load import Server, free_port, populate
from benchmarks.memory import started
from benchmarks.plausible import VARIANT, Size
from benchmarks.results import NOTHING, digits, in_rounds
from benchmarks.results import Table as Shown
from benchmarks.sides.harness import percentile

MOVES: Final = 224
"""Number of moves of a match of `VARIANT`."""
SIZE: Final = Size(10_000)
CLIENTS: Final = 100
WAITING: Final = 500
"""Number of requests that wait at the same time."""
SPELL: Final = 120.0
"""Seconds for which the clients play."""
WAIT: Final = 25.0
"""Seconds for which a request waits."""
PAGES: Final = ("/", "/bots", "/leaderboard")
READERS: Final = 4
PAUSE: Final = 0.5
"""Seconds between a page and the next one of a reader."""
ORGANISER: Final = Account(1, "organiser", is_admin=True)
PATIENCE: Final = 60.0
"""Timeout, in seconds, until all clients are seated, for which their offers hold."""


class Client:
    """A program with one bot and one table, which answers at once with the last legal action."""

    def __init__(self, arena: Arena, port: int, member: int) -> None:
        self._arena, self._account = arena, Account(member, f"member-{member}", is_admin=False)
        self.bot, self._port = f"program-{member}", port
        declare(arena, self._account, OpenBot(name=self.bot))
        self.token = keys.make(arena, self._account, "benchmark", [Scope.READ, Scope.UPLOAD])

    def offer(self) -> None:
        """Be ready for a table."""
        presence.offer(self._arena, self._account, Ready(bot=self.bot, variants=[VARIANT]))

    def play(self, end: float) -> list[float]:
        """Play until `end` by the monotonic clock; return the seconds from each move to its table's next question.

        There is at least one, however slow the machine is.
        """
        moved, waits, cursor = dict[str, float](), list[float](), ""
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=60)) as connection:
            while time.monotonic() < end or not waits:
                found = ask(connection, self.token, "GET", f"/seats/next?bot={self.bot}&wait=5&after={cursor}")
                cursor, asked = found["cursor"], time.monotonic()
                for one in found["questions"]:
                    if one["table"] in moved:
                        waits.append(asked - moved[one["table"]])
                    move = {"number": one["number"], "action": one["view"]["legal"][-1], "bot": self.bot}
                    ask(connection, self.token, "POST", f"/live-tables/{one['table']}/moves", move)
                    moved[one["table"]] = time.monotonic()
        return waits


def ask(connection: HTTPConnection, token: str, method: str, path: str, body: object = None) -> Any:
    """Return the answer of the API; None if it is a refusal, as of a move that comes too late, or empty."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request(method, f"/api/v1{path}", json.dumps(body) if body else None, headers)
    response = connection.getresponse()
    text = response.read()
    return json.loads(text) if response.status == 200 else None


class Played(NamedTuple):
    """Findings of the clients' play."""

    waits: Sequence[float]
    """Seconds from a move to the next question of its table."""
    late: int
    """Number of moves that were made for clients, because their time was up."""
    tables: int
    """Number of tables at play once all clients were seated."""
    alone: float
    """Tables of the workers in a second, without clients."""
    beside: float
    """Tables of the workers in a second, beside clients."""
    moves: float
    """Moves at the tables of clients in a second."""


def run(
    rounds: int, clients: int = CLIENTS, waiting: int = WAITING, spell: float = SPELL, wait: float = WAIT,
    size: Size = SIZE,
) -> list[Shown]:  # fmt: skip
    """Let requests wait beside readers of pages, in rounds, and then clients play beside workers."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        arena, port = empty(Path(folder) / "home"), free_port()
        populate(arena, size)
        ensure_house(arena, games=())  # without demos, so that the workers play equal tables all the time
        programs = [Client(arena, port, member) for member in range(2, clients + 2)]
        more = {"ARENA_PORT": str(port), "ARENA_LIVE_TABLES": str(clients), "ARENA_API_REQUESTS": str(10**6)}
        with closing(arena), started(arena.settings.home, **more) as (_, names):
            server = Server(port, next(pid for pid, name in names.items() if name == "web"))
            tokens = [programs[number % clients].token for number in range(waiting)]
            return [_waiting(server, tokens, wait, rounds), _table(_play(arena, programs, spell), clients, spell)]


def _play(arena: Arena, programs: Sequence[Client], spell: float) -> Played:
    """Measure the workers before, while and after clients play."""
    before, _ = _pace(arena, spell / 2)
    for one in programs:
        one.offer()
    tables = _seated(arena, len(programs))
    with ThreadPoolExecutor(len(programs)) as pool:
        end = time.monotonic() + spell
        playing = [pool.submit(one.play, end) for one in programs]
        beside, moves = _pace(arena, spell)
        late = _count(arena, select(LiveMove.id).where(LiveMove.late))
        waits = [seconds for one in playing for seconds in one.result()]
    _cancel(arena)
    after, _ = _pace(arena, spell / 2)
    return Played(waits, late, tables, fmean((before, after)), beside, moves)


def _cancel(arena: Arena) -> None:
    """End the ladder and its tables: late moves would go on without the clients."""
    with arena.reading() as session:
        ladder = session.scalars(select(Tournament.id).where(Tournament.outside)).one()
    actions.cancel(arena, ORGANISER, ladder)


def _seated(arena: Arena, clients: int) -> int:
    """Wait until all clients sit at tables, and return the number of these tables. Raises `TimeoutError`."""
    own = select(LiveSeat.table_id).join(LiveSeat.version).join(LiveSeat.table)
    own = own.where(Version.state == VersionState.DECLARED, LiveTable.state == LiveState.PLAYING)
    deadline = time.monotonic() + PATIENCE
    while _count(arena, own) < clients:
        if time.monotonic() > deadline:
            raise TimeoutError("the ladder did not seat all clients in time")
        time.sleep(0.2)
    return _count(arena, own.distinct())


def _pace(arena: Arena, seconds: float) -> tuple[float, float]:
    """Return the tables of workers that are finished in a second, and the moves at tables of clients."""
    done = select(Table.id).join(Table.tournament).where(~Tournament.outside, Table.state == TableState.DONE)
    counted, began = (done, select(LiveMove.id)), time.monotonic()
    before = [_count(arena, rows) for rows in counted]
    time.sleep(seconds)
    tables, moves = (_count(arena, rows) - count for rows, count in zip(counted, before, strict=True))
    passed = time.monotonic() - began
    return tables / passed, moves / passed


def _count(arena: Arena, rows: Any) -> int:
    with arena.reading() as session:
        return session.scalars(select(func.count()).select_from(rows.subquery())).one()


def _table(played: Played, clients: int, spell: float) -> Shown:
    rows = [
        ("move to the next question, median", f"{1000 * median(played.waits):.0f} ms"),
        ("move to the next question, 95th percentile", f"{1000 * percentile(played.waits, 0.95):.0f} ms"),
        ("moves at the tables of clients", f"{played.moves:.1f}/s"),
        ("moves that were late", str(played.late)),
        ("tables of clients, by their moves", f"{3600 * played.moves / MOVES:,.0f}/h"),
        ("tables of the workers, alone", f"{60 * played.alone:.1f}/min"),
        ("tables of the workers, beside clients", f"{60 * played.beside:.1f}/min"),
        ("ratio", f"{digits(played.beside / played.alone)}×" if played.alone else NOTHING),
    ]
    notes = (
        f"{clients} clients at {played.tables} tables of {VARIANT} in the quick division, which answer at once for "
        f"{spell:g} s.\nA table has {MOVES} moves. Alone is the mean of before and after; two workers playing."
    )
    return Shown("Seats of programs outside", notes, ("", "measured"), rows)


def _waiting(server: Server, tokens: Sequence[str], wait: float, rounds: int) -> Shown:
    """Measure pages without and with requests that wait, in turns."""
    _pages(server, wait / 4)  # warms the caches
    taken = in_rounds(rounds, lambda _: _both(server, tokens, wait))
    rows = [("held for the whole time", NOTHING, f"{median(held for *_, held in taken):g} of {len(tokens)}", NOTHING)]
    for name, part in (("pages, median", 0.5), ("pages, 95th percentile", 0.95)):
        alone = [percentile(one, part) for one, _, _ in taken]
        beside = [percentile(one, part) for _, one, _ in taken]
        ratio = median(map(truediv, beside, alone))
        rows.append((name, f"{1000 * median(alone):.1f} ms", f"{1000 * median(beside):.1f} ms", f"{digits(ratio)}×"))
    notes = (
        f"{len(tokens)} requests for the next question wait for {wait:g} s; {READERS} readers of {', '.join(PAGES)}\n"
        f"pause {PAUSE:g} s after each page; two workers playing. Medians of {rounds} rounds."
    )
    return Shown("Requests that wait", notes, ("", "without", "beside", "ratio"), rows)


def _both(server: Server, tokens: Sequence[str], wait: float) -> tuple[list[float], list[float], int]:
    """Return the seconds of pages without and with requests that wait, and how many of these were held."""
    alone = _pages(server, wait / 2)
    with ThreadPoolExecutor(len(tokens)) as pool:
        held = pool.map(lambda token: _held(server.port, token, wait), tokens)
        time.sleep(wait / 4)  # until all have come
        return alone, _pages(server, wait / 2), sum(held)


def _pages(server: Server, seconds: float) -> list[float]:
    waits = server.load(READERS, seconds, PAGES, PAUSE).found.waits
    return [wait for one in waits.values() for wait in one]


def _held(port: int, token: str, wait: float) -> bool:
    """Ask for a question that does not come, and return whether the answer came when the time was up."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=wait + 60)) as connection:
        began = time.monotonic()
        found = ask(connection, token, "GET", f"/seats/next?wait={wait:g}")
        return found is not None and not found["pause"] and time.monotonic() - began >= wait
