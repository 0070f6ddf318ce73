"""The mock arena on the loopback: the requests of seats for programs, and troubles on the way."""

import json
import re
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Condition, Thread
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

import msgspec

from arena.cli.conformance import troubles
from arena.cli.conformance.judge import Judge
from arena.cli.conformance.tables import MockTables
from arena.cli.conformance.troubles import Plan, Trouble
from arena.games.errors import ArenaError, Conflict, NotFound, Refused
from arena.games.registry import DEFAULT_VARIANT
from arena.remote.connect import PLAYING
from arena.remote.http import API, JSON

TOKEN: Final = "suit_of_the_mock_arena"  # noqa: S105 - it opens nothing
PATIENCE: Final = 60.0
"""Seconds within which a client asks or answers."""
LONGEST_WAIT: Final = 25.0
PAUSE: Final = 1.0
RETRY_AFTER: Final = 2
SLOWNESS: Final = 1.5
DOWN: Final = 3.0
"""Seconds for which the mock arena is away when it restarts."""
PAGE: Final = b"<!doctype html><title>Gateway</title><p>Please wait a moment."
NAMES_OF_TOKENS: Final = frozenset({"token", "access_token", "key", "api_key"})
NO_CONTENT: Final = 204
LONGEST_PATH: Final = 60
_NUMBER: Final = re.compile(r"\d{1,3}(\.\d{0,9})?")
POLL, MOVE, OPEN = "GET /seats/next", "moves", "POST /live-tables"


class Said(NamedTuple):
    """An answer."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Said:
    """Return an error as the API has it."""
    return Said(status, {"status": status, "detail": detail}, headers or {})


NO_ANSWER: Final = Said(0)
"""The connection is closed."""
STOPPING: Final = {
    troubles.SILENT: NO_ANSWER,
    troubles.EXPIRED: problem(401, "This access token has expired."),
    troubles.GATEWAY: Said(502, PAGE),
    troubles.PAGE: Said(200, PAGE),
}
"""Answers of troubles that keep a request from the arena's work."""
STATUSES: Final = {NotFound: 404, Conflict: 409}


class MockArena:
    """A mock arena that listens on the loopback until it is closed."""

    def __init__(self, seed: bytes, port: int = 0, patience: float = PATIENCE) -> None:
        rng = Random(seed)
        self.tables = MockTables(seed)
        self.tables.open(DEFAULT_VARIANT, "deal")  # as if from before a restart of the client
        self.judge = Judge(patience)
        self.plans = {
            POLL: Plan(troubles.ASKING, rng), MOVE: Plan(troubles.MOVING, rng), OPEN: Plan(troubles.OPENING, rng),
        }  # fmt: skip
        self.changed = Condition()
        """Guards everything, and wakes requests that wait."""
        self.connections: set[socket.socket] = set()
        self._patience, self._closed = patience, False
        self._restarting = False
        self._opened: dict[str, Said] = {}
        """Answers for new tables by `Idempotency-Key`."""
        self._last: Said | None = None
        """The last answer with questions."""
        self._listen(port)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def met(self) -> int:
        """Number of troubles that were made."""
        return sum(plan.met for plan in self.plans.values())

    @property
    def total(self) -> int:
        """Number of troubles in all."""
        return sum(plan.total for plan in self.plans.values())

    @property
    def idle(self) -> bool:
        """Whether no table is at play."""
        return all(table.state != PLAYING for table in self.tables.tables.values())

    def close(self) -> None:
        """End the server and all connections."""
        self._closed = True
        self._stop()

    def _stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._hang_up()

    def restart(self) -> None:
        """Refuse connections for a while, and forget all cursors. Does not wait."""
        self.tables.forget()
        if not self._restarting:  # two requests may meet a restart at once
            self._restarting = True
            Thread(target=self._restart, daemon=True).start()

    def _restart(self) -> None:
        self._stop()
        with self.changed:
            self.judge.forgive_all()
        time.sleep(DOWN)
        self._restarting = False  # before the first request that may meet another one
        if not self._closed:
            self._listen(self._port)

    def _hang_up(self) -> None:
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _listen(self, port: int) -> None:
        try:
            self._server = _Server(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise Refused(f"Port {port} of this machine cannot be used: {error.strerror}.") from None
        self._server.arena = self
        self._port = self._server.server_address[1]
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def poll(self, query: Mapping[str, str], trouble: Trouble | None) -> Said:
        """Answer a request for open questions, once one is new."""
        known, given = self.tables.known(query.get("after", "")), query.get("wait", "0")
        wait = float(given) if _NUMBER.fullmatch(given) else LONGEST_WAIT + 1
        if wait > LONGEST_WAIT:
            self.judge.find("asked with a `wait` of {:.20}; allowed are 0 to {:g} seconds", given, LONGEST_WAIT)
            return problem(400, f"wait is a number of seconds from 0 to {LONGEST_WAIT:g}.")
        if trouble is troubles.PAUSE:
            wait = 0.0
        if trouble is troubles.REPEATED and self._last:
            return self._last
        if trouble is troubles.GIVEN_UP:
            self._give_up(known)
        news = self.changed.wait_for(lambda: self.tables.is_new(known), wait)
        asked = self.tables.ask(known)
        if trouble is troubles.PAUSE:
            asked = msgspec.structs.replace(asked, pause=PAUSE)
            self.judge.pause(POLL, PAUSE, "`pause`")
        if trouble is troubles.REORDERED:
            asked = msgspec.structs.replace(asked, questions=asked.questions[::-1])
        if trouble is not troubles.LOST:
            self.judge.told(asked, news or bool(asked.pause) or wait > 0)
        self._last = Said(200, msgspec.to_builtins(asked))
        return self._last

    def _give_up(self, known: Mapping[str, int]) -> None:
        """Give up the latest table that the client knows."""
        table = next((one for one in reversed(self.tables.tables.values()) if one.code in known), None)
        if table and table.state == PLAYING:
            table.problem = "the mock arena gave it up"
            self.judge.ended(table)
        else:
            self.plans[POLL].postpone(troubles.GIVEN_UP)

    def move(self, code: str, body: Any) -> Said:
        """Make a move."""
        if not (isinstance(body, dict) and isinstance(body.get("number"), int) and isinstance(body.get("action"), str)):
            self.judge.find("sent a move without its fields: {}", '{"number": 4, "action": "7h"}')
            return problem(400, "A move has the fields number, a whole number, and action, a text.")
        table, number, action = self.tables.find(code), body["number"], body["action"]
        self.judge.moved(table, number, action)
        try:
            table.move(number, action)
        except (Conflict, NotFound):
            raise
        except ArenaError:
            self.judge.refused(table, number)
            raise
        self.judge.made(table, number)
        self.changed.notify_all()
        return Said(204)

    def open(self, key: str, body: Any) -> Said:
        """Open a table; the same key opens one only."""
        if key in self._opened:
            return self._opened[key]
        wish = body if isinstance(body, dict) else {}
        table = self.tables.open(str(wish.get("variant", "")), str(wish.get("length", "deal")))
        said = Said(201, {"code": table.code, "link": f"{API}/live-tables/{table.code}", "page": f"/play/{table.code}"})
        if key:
            self._opened[key] = said
        self.changed.notify_all()
        return said

    def lose(self, request: str, body: bytes) -> None:
        """Note that a move is lost, if the request is one."""
        with suppress(ArenaError, ValueError, LookupError, TypeError):
            self.judge.lost(self.tables.find(request.split("/")[-2]), int(json.loads(body)["number"]))

    def hold(self, connection: socket.socket) -> None:
        """Say nothing on a connection until its client closes it."""
        connection.settimeout(self._patience + LONGEST_WAIT)
        with suppress(OSError):
            connection.recv(1)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    arena: MockArena

    def handle_error(self, *_: object) -> None:
        """Print nothing: clients may close connections."""


class _Handler(BaseHTTPRequestHandler):
    """Answers requests on one connection."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def setup(self) -> None:
        """Remember the connection, so that a restart can close it."""
        super().setup()
        self.server.arena.connections.add(self.connection)

    def finish(self) -> None:
        """Forget the connection."""
        self.server.arena.connections.discard(self.connection)
        with suppress(OSError):
            super().finish()

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        """Answer a GET."""
        self._answer()

    def do_POST(self) -> None:
        """Answer a POST."""
        self._answer()

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        arena, body = self.server.arena, self.rfile.read(length)
        if len(body) < length:  # a restart hung up, or the client
            self.close_connection = True
            return
        place = urlsplit(self.path)
        path = place.path.removeprefix(API)
        query = {name: texts[-1] for name, texts in parse_qs(place.query).items()}
        kind = MOVE if path.endswith("/moves") else f"{self.command} {path}"
        request = path if kind == MOVE else kind
        with arena.changed:
            arena.judge.begin(request)
            said = self._denied(query)
            trouble = arena.plans[kind].next() if kind in arena.plans and not said else None
        try:
            with arena.changed:
                said = said or self._stopped(trouble, request, body) or self._worked(kind, path, query, body, trouble)
            if trouble is not troubles.SILENT:
                self._deliver(said, trouble)
        except OSError:  # a restart hung up
            with arena.changed:
                arena.judge.forgive(request)
            raise
        finally:
            with arena.changed:
                arena.judge.finish(request, trouble)
        if trouble is troubles.SILENT:
            arena.hold(self.connection)
            self.close_connection = True

    def _denied(self, query: Mapping[str, str]) -> Said | None:
        """Return the refusal of a request without the token, or with one in the address."""
        judge = self.server.arena.judge
        if TOKEN in self.path or NAMES_OF_TOKENS & query.keys():
            judge.find("sent the token in the address, where logs keep it: send it as `Authorization: Bearer TOKEN`")
        if self.headers.get("Authorization", "") == f"Bearer {TOKEN}":
            return None
        judge.find("sent a request without `Authorization: Bearer TOKEN`")
        return problem(401, "Send a valid access token: `Authorization: Bearer suit_…`.")

    def _stopped(self, trouble: Trouble | None, request: str, body: bytes) -> Said | None:
        """Return the answer to a request that a trouble keeps from the arena's work; None if it is to be done."""
        arena = self.server.arena
        if trouble in (troubles.BUSY, troubles.AWAY):
            arena.judge.pause(request, RETRY_AFTER, "`Retry-After`")
            return problem(int(trouble.name), "The mock arena is busy.", {"Retry-After": str(RETRY_AFTER)})
        if trouble is troubles.RESTART:
            arena.restart()
        if trouble in (troubles.RESTART, troubles.UNHEARD):
            arena.lose(request, body)
            return NO_ANSWER
        return STOPPING.get(trouble) if trouble else None

    def _worked(self, kind: str, path: str, query: Mapping[str, str], body: bytes, trouble: Trouble | None) -> Said:
        """Return the arena's answer."""
        arena = self.server.arena
        try:
            if kind == POLL:
                return arena.poll(query, trouble)
            if self.command == "POST" and kind in (MOVE, OPEN):
                given = self._read(body)
                if isinstance(given, Said):
                    return given
                if kind == OPEN:
                    return arena.open(self.headers.get("Idempotency-Key", ""), given)
                return arena.move(path.split("/")[-2], given)
            if self.command == "GET" and path.startswith("/live-tables/"):
                return Said(200, msgspec.to_builtins(arena.tables.find(path.split("/")[-1]).look()))
        except ArenaError as error:
            return problem(STATUSES.get(type(error), 422), str(error))
        arena.judge.find("asked for {} {}, which does not exist", self.command, place_of(self.path))
        return problem(404, "There is no such page.")

    def _read(self, body: bytes) -> Any:
        """Return what a body says, or the refusal of one that says nothing."""
        judge = self.server.arena.judge
        if self.headers.get_content_type() != JSON:
            judge.find(f"sent a body without `Content-Type: {JSON}`")
            return problem(415, f"The body must be {JSON}.")
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            judge.find("sent a body that is not JSON")
            return problem(400, "The body is not JSON.")

    def _deliver(self, said: Said, trouble: Trouble | None) -> None:
        """Send an answer, as far as a trouble lets it through."""
        if said is NO_ANSWER or trouble in (troubles.LOST, troubles.DONE_AND_LOST):
            self.close_connection = True
            return
        if trouble is troubles.SLOW:
            time.sleep(SLOWNESS)
        data = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
        self.send_response(said.status)
        for name, text in said.headers.items():
            self.send_header(name, text)
        if said.status == NO_CONTENT:
            self.end_headers()
            return
        self.send_header("Content-Type", "text/html" if isinstance(said.body, bytes) else JSON)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        cut = trouble is troubles.CUT
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.close_connection |= cut


def place_of(address: str) -> str:
    """Return the path of an address, shortened."""
    return urlsplit(address).path[:LONGEST_PATH]
