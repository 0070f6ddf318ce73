"""The server reads requests before a thread gets them, and limits connections in time, size and number."""

import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from waitress.task import ThreadedTaskDispatcher

from arena.services.base.context import open_arena
from arena.services.health import pages
from arena.services.people import keys
from arena.settings import Settings, usable_cores
from tests import factories
from tests.cli.processes import until
from tests.cli.test_up import environ_of, free_port
from web.serving import reader
from web.serving.security import FORM_CAP, HARD_CAP
from web.serving.waiting import MOST, SHARE, WAITING, Room

PATIENCE = 5.0
"""Seconds to wait for a page. Shorter than each limit of time, so no connection is closed meanwhile."""
GET = b"GET /about HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
FORM = b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
UPLOAD = b"POST /api/v1/bots HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
SOURCE = b"def act(view):\n    return view.legal[0]\n"
ATTACKS = {
    "half-sent bodies": (40, FORM + b"Content-Length: 1000\r\n\r\nname=a"),
    "half-sent headers": (100, b"GET /about HTTP/1.1\r\nHost: loc"),
    "silent connections": (200, b""),
}


class Site:
    """A web server as a process of its own."""

    def __init__(self, home: Path, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
        self.home, self.port, self.process, self.log = home, port, process, log

    def connect(self) -> socket.socket:
        """Return a new connection."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def ask(self, request: bytes = GET) -> bytes:
        """Return the response to a request; empty if there is none."""
        try:
            with self.connect() as connection:
                connection.sendall(request)
                return b"".join(iter(lambda: connection.recv(2**16), b""))
        except OSError:
            return b""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Site]:
    """One web server for the tests of this module, which ends in order."""
    home = tmp_path_factory.mktemp("site")
    copy(sqlite_template, home / "arena.db")
    port, log = free_port(), home / "web.log"
    environ = environ_of(home, port)
    with (
        log.open("wb") as output,
        subprocess.Popen([sys.executable, "-m", "web"], env=environ, stderr=output) as process,
    ):
        site = Site(home, port, process, log)
        try:
            until(site.ask, "the server answers", 60)
            yield site
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()


@pytest.mark.parametrize("attack", ATTACKS)
def test_slow_connections_stop_nobody(site: Site, attack: str) -> None:
    """Pages are served while others hold many connections without a complete request."""
    number, beginning = ATTACKS[attack]
    with ExitStack() as stack:
        for _ in range(number):
            stack.enter_context(site.connect()).sendall(beginning)

        answers = [site.ask() for _ in range(5)]

    assert all(answer.startswith(b"HTTP/1.1 200 ") for answer in answers)


def test_visitors_do_not_keep_members_from_uploading(site: Site) -> None:
    """A large upload with a token is stored while a visitor begins 40 of them with a cookie that nobody has."""
    arena = open_arena(Settings.from_env({"ARENA_HOME": str(site.home)}))
    with ExitStack() as stack:
        stack.callback(arena.close)
        token = keys.make(arena, factories.user(arena, "author"), "laptop", ["read", "upload"])
        for _ in range(40):
            stack.enter_context(site.connect()).sendall(beginning("a=b"))

        answer = site.ask(an_upload(token, SOURCE + b"#" * FORM_CAP))

    assert answer.startswith(b"HTTP/1.1 201 ")


def beginning(cookie: str) -> bytes:
    """Return the beginning of the largest upload."""
    return UPLOAD + b"Cookie: %s\r\nContent-Length: %d\r\n\r\n" % (cookie.encode(), HARD_CAP)


def an_upload(token: str, source: bytes) -> bytes:
    """Return a request that uploads a program."""
    part = b"--XX\r\nContent-Disposition: form-data; name="
    body = part + b'"name"\r\n\r\nlarge\r\n' + part + b'"file"; filename="bot.py"\r\n\r\n' + source + b"\r\n--XX--\r\n"
    credentials = b"Authorization: Bearer %s\r\nConnection: close\r\n" % token.encode()
    return UPLOAD + credentials + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_each_request_is_logged_with_its_id(site: Site) -> None:
    """A line has the address, the request, the status and the ID of the response."""
    answer = site.ask(GET.replace(b"/about", b"/about?\x1b[31m"))
    number = re.search(rb"X-Request-Id: (\w+)", answer, re.IGNORECASE)
    assert number

    until(lambda: number[1] in site.log.read_bytes(), "the line is written")
    (line,) = [line for line in site.log.read_text().splitlines() if number[1].decode() in line]
    assert r'127.0.0.1 "GET /about?\x1b[31m HTTP/1.1" 200' in line


def test_processes_report_themselves(site: Site) -> None:
    """Each process of the server is on the operations page."""
    arena = open_arena(Settings.from_env({"ARENA_HOME": str(site.home)}))
    try:
        until(lambda: len(pages.operations(arena).processes) == min(4, usable_cores()), "each process has reported")
    finally:
        arena.close()


class Counted(reader.Server):
    """A server that counts the connections that it has accepted."""

    accepted = 0

    def handle_accept(self) -> None:
        """Accept one."""
        super().handle_accept()
        self.accepted += 1


class Bench:
    """A server in this process whose clock the test moves."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.address = address
        self.listener = socket.create_server((address, 0), family=family)
        self.dispatcher = ThreadedTaskDispatcher()
        self.dispatcher.set_thread_count(1)
        self.server = Counted(self.application, self.listener, self.dispatcher, self.sender_of)
        self.clients: list[socket.socket] = []

    @staticmethod
    def application(environ: Mapping[str, Any], start: Callable[..., object]) -> list[bytes]:
        """Answer the number of bytes of the request's body."""
        start("200 OK", [])
        return [b"%d from %s" % (len(environ["wsgi.input"].read()), environ["REMOTE_ADDR"].encode())]

    @staticmethod
    def sender_of(headers: Mapping[str, str]) -> int | None:
        """Return the member whose number is in the cookie."""
        number = headers["COOKIE"].partition(";")[0].removeprefix("member=")
        if number == "broken":
            raise OperationalError("SELECT", None, OSError("the database is gone"))
        return int(number) if number.isdecimal() else None

    def connect(self, sent: bytes = b"", source: str | None = None) -> socket.socket:
        """Return a connection that the server has accepted."""
        before = self.server.accepted
        client = socket.create_connection(
            self.listener.getsockname()[:2], PATIENCE, source_address=(source, 0) if source else None
        )
        self.clients.append(client)
        client.sendall(sent)
        until(lambda: self.turn() or self.server.accepted > before, "the connection is accepted")
        return client

    def turn(self) -> bool:
        """Let the server work, and return false, for conditions."""
        for _ in range(5):
            self.server.turn(0.005)
        return False

    def answer(self, client: socket.socket) -> bytes:
        """Return what the server has sent, with the whole body, after it has worked for a moment."""
        received = bytearray()
        client.settimeout(0.01)

        def receive() -> bool:
            self.turn()
            try:
                chunk = client.recv(2**16)
            except TimeoutError:
                return False
            received.extend(chunk)
            head, end, body = received.partition(b"\r\n\r\n")
            length = re.search(rb"\r\nContent-Length: (\d+)", head)
            return not chunk or bool(end and (length is None or len(body) >= int(length[1])))

        until(receive, "an answer")
        return bytes(received)

    def open(self, client: socket.socket) -> bool:
        """Return whether a connection is open, and nothing was sent on it."""
        client.setblocking(False)
        try:
            client.recv(1)
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        return False

    def later(self, seconds: float) -> None:
        """Look at the limits of time as if this many seconds had passed."""
        self.turn()
        self.server.close_overdue(time.time() + seconds)

    def close(self) -> None:
        """End the server."""
        for client in self.clients:
            client.close()
        for each in list(self.server.active_channels.values()):
            each.handle_close()
        self.server.close()
        self.dispatcher.shutdown()


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A server in this process."""
    made = Bench()
    yield made
    made.close()


def test_connection_is_served_when_others_have_just_timed_out(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new connection may get the descriptor of one of them."""
    for _ in range(3):
        bench.connect()
    client = socket.create_connection(bench.listener.getsockname(), PATIENCE)
    bench.clients.append(client)
    client.sendall(GET)
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() + 2 * reader.HEADERS)

    assert b"200 OK" in bench.answer(client)
    assert len(bench.server.active_channels) <= 1


def test_connection_is_served_when_a_broken_one_made_room(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new connection may get the descriptor of the broken one."""
    monkeypatch.setattr(reader, "CONNECTIONS", 1)
    broken = bench.connect()
    broken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    broken.close()
    client = socket.create_connection(bench.listener.getsockname(), PATIENCE)
    bench.clients.append(client)
    client.sendall(GET)

    assert b"200 OK" in bench.answer(client)


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [
        (b"", reader.HEADERS),
        (b"GET / HTTP/1.1\r\nHost: loc", reader.HEADERS),
        (FORM + b"Content-Length: 1000\r\n\r\nname=a", reader.BODY + 1000 / reader.RATE),
    ],
    ids=["silent", "headers", "body"],
)
def test_slow_connections_are_closed(bench: Bench, sent: bytes, seconds: float) -> None:
    """A client has a limited time for the headers, and for a body according to its length."""
    client = bench.connect(sent)

    bench.later(seconds - 2)
    assert bench.open(client)
    bench.later(seconds + 1)
    assert not bench.open(client)


def test_bytes_now_and_then_do_not_extend_the_time(bench: Bench) -> None:
    """The limit counts from the beginning of a request."""
    client = bench.connect(b"GET / HT")
    (channel,) = bench.server.active_channels.values()
    due = channel.due
    client.sendall(b"TP/1.1\r\nHo")
    bench.turn()

    assert channel.due == due


def test_connections_serve_several_requests(bench: Bench) -> None:
    """A connection stays open after a response, for the time of one more request."""
    client = bench.connect(GET.replace(b"Connection: close\r\n", b""))

    assert b"200 OK" in bench.answer(client)
    client.sendall(GET)
    assert b"200 OK" in bench.answer(client)


def test_full_server_closes_a_connection_of_the_busiest_address(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among the connections of the address with the most, the oldest makes room."""
    monkeypatch.setattr(reader, "CONNECTIONS", 3)
    alone = bench.connect(source="127.0.0.2")
    first, second = bench.connect(), bench.connect()

    bench.clients.append(socket.create_connection(bench.listener.getsockname(), PATIENCE))
    until(lambda: bench.turn() or not bench.open(first), "the connection is closed")

    assert bench.open(alone)
    assert bench.open(second)
    assert len(bench.server.active_channels) == 3


@pytest.mark.parametrize(
    ("headers", "length", "status"),
    [
        (b"", FORM_CAP + 1, b"413"),
        (b"Cookie: member=nobody\r\n", FORM_CAP + 1, b"413"),
        (b"Cookie: member=nobody\r\nExpect: 100-continue\r\n", HARD_CAP, b"413"),
        (b"Cookie: member=1\r\n", HARD_CAP + 2, b"413"),
        (b"Cookie: member=broken\r\n", HARD_CAP, b"503"),
        (b"Expect: 100-continue\r\n", FORM_CAP, b"100"),
        (b"Cookie: member=1\r\nExpect: 100-continue\r\n", HARD_CAP, b"100"),
    ],
)
def test_large_bodies_are_refused_unread(bench: Bench, headers: bytes, length: int, status: bytes) -> None:
    """A request without a session that exists cannot be a member's upload, so its body is small."""
    client = bench.connect(FORM + headers + b"Content-Length: %d\r\n\r\n" % length)

    assert bench.answer(client).startswith(b"HTTP/1.1 " + status)


@pytest.mark.parametrize(("member", "length"), [(b"nobody", FORM_CAP + 1), (b"1", HARD_CAP + 2)])
def test_refusal_is_in_the_language_of_the_request(bench: Bench, member: bytes, length: int) -> None:
    """A body that is refused before the application sees it has an answer that its sender can read."""
    headers = b"Cookie: member=%s; arena_language=de\r\nContent-Length: %d\r\n\r\n" % (member, length)

    assert "Größengrenze" in bench.answer(bench.connect(FORM + headers)).decode()


def test_large_body_arrives_whole(bench: Bench) -> None:
    """The part that came with the headers, before the sender was known, is included."""
    client = bench.connect(FORM + b"Cookie: member=1\r\nContent-Length: %d\r\n\r\nname=a" % (FORM_CAP + 6))
    client.settimeout(PATIENCE)
    for _ in range(4):
        client.sendall(bytes(2**16))
        bench.turn()

    assert b"%d from" % (FORM_CAP + 6) in bench.answer(client)


def test_body_of_unknown_length_is_small(bench: Bench) -> None:
    """Members cannot send large bodies in chunks either; no browser does."""
    client = bench.connect(FORM + b"Cookie: member=1\r\nTransfer-Encoding: chunked\r\n\r\n")
    client.settimeout(PATIENCE)
    for _ in range(5):
        client.sendall(b"10000\r\n" + b"<" * 2**16 + b"\r\n")
        bench.turn()

    assert bench.answer(client).startswith(b"HTTP/1.1 413")


def test_a_member_sends_two_large_bodies_at_a_time(bench: Bench) -> None:
    """A third one is refused until another has been answered or broken off; other members' are not."""
    first, second = bench.connect(beginning("member=1")), bench.connect(beginning("member=1"))
    bench.turn()

    assert bench.answer(bench.connect(beginning("member=1"))).startswith(b"HTTP/1.1 503")
    other = bench.connect(beginning("member=2"))
    first.close()
    until(lambda: bench.turn() or len(bench.server.active_channels) == 2, "the connections are closed")
    third = bench.connect(beginning("member=1"))
    bench.turn()
    assert all(bench.open(client) for client in (second, other, third))


@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.2"], ids=["an address", "all"])
def test_space_counts_as_it_arrives(bench: Bench, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """Declared lengths take no space; the body that takes too much is refused."""
    monkeypatch.setattr(reader, "HARD_CAP" if source == "127.0.0.1" else "LARGE_BODIES", 20_000)
    clients = [bench.connect(beginning(f"member={number}"), source) for number in (1, 2, 3)]
    bench.turn()
    assert all(bench.open(client) for client in clients)

    for client in clients[:2]:
        client.setblocking(True)
        client.sendall(bytes(9_000))
        bench.turn()
    assert all(bench.open(client) for client in clients)
    clients[2].setblocking(True)
    clients[2].sendall(bytes(30_000))
    assert bench.answer(clients[2]).startswith(b"HTTP/1.1 503")


def test_bytes_sent_early_are_no_excuse_for_silence(bench: Bench) -> None:
    """A body may never be silent for longer than its limit, however quick it was before."""
    client = bench.connect(beginning("member=1"))
    client.settimeout(PATIENCE)
    for _ in range(20):
        client.sendall(bytes(2**16))
        bench.turn()

    bench.later(reader.BODY + 1)
    assert not bench.open(client)


def test_invalid_requests_are_refused(bench: Bench) -> None:
    """Headers above 32 KiB get 431, and nonsense gets 400."""
    assert bench.answer(bench.connect(b"GET / HTTP/1.1\r\nX: " + b"x" * 2**15)).startswith(b"HTTP/1.0 431")
    assert bench.answer(bench.connect(b"nonsense\r\n\r\n")).startswith(b"HTTP/1.0 400")


def test_ipv6_is_served() -> None:
    """The application learns the client's address."""
    bench = Bench("::1")
    try:
        assert b"0 from ::1" in bench.answer(bench.connect(GET))
    finally:
        bench.close()


def waits_for(bench: Bench, room: Room, key: str, seconds: float) -> tuple[list[float], list[str]]:
    """Let requests wait for a key until there are news. Returns the times of asking, and the news."""
    asked, news = list[float](), list[str]()

    def application(environ: Mapping[str, Any], start: Callable[..., object]) -> list[bytes]:
        mark, waiting = room.mark(seconds), environ[WAITING]
        asked.append(time.monotonic())
        start("200 OK", [("Content-Length", "4")])
        waiting.until = waiting.until or time.monotonic() + seconds
        if waiting.until > time.monotonic() and not news:
            waiting.enter = partial(room.enter, key, mark, waiting.until)
        return [b"news"]

    bench.server.application = application
    return asked, news


def read_news(bench: Bench, client: socket.socket) -> None:
    """Read an answer to its end. Its body may come after its headers."""
    received = b""
    while not received.endswith(b"news"):
        received += bench.answer(client) or pytest.fail("the connection ends without news")


def test_request_waits_without_a_thread(bench: Bench) -> None:
    """The only thread answers others meanwhile; a change of its key has it answered, and none of another key."""
    changed: list[str] = []

    def changes() -> list[str]:
        found, changed[:] = changed[:], []
        return found

    room = Room(changes)
    asked, news = waits_for(bench, room, "ada", 60.0)
    waiting = [bench.connect(GET) for _ in range(20)]
    until(lambda: bench.turn() or len(asked) == 20, "all requests wait")

    changed.append("ben")
    until(lambda: bench.turn() or not changed, "a change of another key is seen")
    assert all(bench.open(client) for client in waiting)
    news.append("now")
    changed.append("ada")

    for client in waiting:
        read_news(bench, client)
    assert len(asked) == 40
    room.close()


def test_wait_ends_with_its_time_and_with_the_process(bench: Bench) -> None:
    """Then the request is answered with what there is."""
    room = Room(list)
    waits_for(bench, room, "ada", 0.2)
    read_news(bench, bench.connect(GET))

    asked, news = waits_for(bench, room, "ada", 60.0)
    client = bench.connect(GET)
    until(lambda: bench.turn() or asked, "the request waits")
    news.append("the end")
    room.close()
    read_news(bench, client)


@pytest.mark.parametrize("lost", ["before", "after"])
def test_change_beside_the_look_is_not_missed(lost: str) -> None:
    """A change after the mark wakes the request, whether it is noted before the request waits or later."""
    room, woken = Room(list), list[str]()
    mark = room.mark(60.0)

    if lost == "before":
        room._wake(["ada"])
    room.enter("ada", mark, time.monotonic() + 60.0, lambda: woken.append("ada"))
    if lost == "after":
        assert not woken
        room._wake(["ada"])

    assert woken == ["ada"]
    room.close()


def test_few_requests_with_one_key_may_wait() -> None:
    """One client cannot take the room of all others, and all together cannot take all connections."""
    room, end = Room(list), time.monotonic() + 60.0
    for _ in range(SHARE):
        assert not room.is_full("ada")
        room.enter("ada", 0, end, lambda: None)

    assert room.is_full("ada")
    assert not room.is_full("ben")
    for number in range(MOST - SHARE):
        room.enter(str(number), 0, end, lambda: None)
    assert room.is_full("ben")
    assert MOST < reader.CONNECTIONS
    room.close()
