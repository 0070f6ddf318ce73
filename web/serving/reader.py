"""The server in each web process: waitress under gunicorn.

One loop reads requests and writes responses; a thread gets a request only when all of it is there. So slow connections
cost no thread. They have limits of time, and when there are too many, the address with the most of them loses one. A
large body waits until a thread has found its sender, and its space counts as it arrives.
"""

import logging
import os
import signal
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import inf
from types import FrameType
from typing import Any, Final, NamedTuple, cast
from weakref import WeakSet

from gunicorn.workers.base import Worker
from sqlalchemy.exc import SQLAlchemyError
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, Task, ThreadedTaskDispatcher, WSGITask
from waitress.utilities import Error, RequestEntityTooLarge

from arena.services.base.texts import described
from arena.words import _, speaking
from web.serving.admission import sender_of
from web.serving.languages import language_of
from web.serving.limits import network
from web.serving.security import FORM_CAP, HARD_CAP, TOO_LARGE
from web.serving.waiting import WAITING, Waiting

CONNECTIONS: Final = 800
"""Number of connections that a process holds. Fewer than the usual limit of 1024 open files."""
HEADERS: Final = 10.0
"""Seconds until the headers of a request must be there, from the start of the connection or its last response."""
BODY: Final = 20.0
"""Seconds by which a body may be behind `RATE`."""
RATE: Final = 2**15
"""Bytes per second at which a body must arrive."""
STALLED: Final = 30.0
"""Seconds after which a client must have read something of its response."""
TURN: Final = 1.0
"""Seconds between two looks at the limits of time, and at whether gunicorn lives."""
LARGE_BODIES: Final = 8 * HARD_CAP
"""Bytes of all bodies above `FORM_CAP` that a process holds on disk at a time."""
SHARE: Final = 2
"""Number of such bodies of an account at a time; those of an address may take the space of as many."""

log: Final = logging.getLogger("gunicorn.access")


def adjustments(body: int) -> Adjustments:
    """Return waitress's settings with this limit for the body of a request, in bytes."""
    return Adjustments(
        ident=None,
        server_name="localhost",
        asyncore_use_poll=True,
        cleanup_interval=TURN,
        connection_limit=2**30,  # `Server` closes another connection instead of letting new ones wait
        max_request_header_size=2**15,
        max_request_body_size=body + 1,
        clear_untrusted_proxy_headers=False,  # the application knows how many proxies it has
        log_socket_errors=False,
    )


SMALL: Final = adjustments(FORM_CAP)
LARGE: Final = adjustments(HARD_CAP)


class Parked(BaseException):
    """A request waits, and its response is dropped. Waitress answers any `Exception` itself."""


class Refusal(Error):  # type: ignore[misc]  # waitress has no types
    """A refused body. `text` makes the sentence when it is sent."""

    def __init__(self, text: Callable[[], str]) -> None:
        super().__init__("")
        self._text = text

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return status, headers and body, in the present language."""
        self.body = self._text()
        return cast(tuple[str, list[tuple[str, str]], bytes], super().to_response(ident))


class TooLarge(Refusal):
    """Response to a body that is larger than its sender may send."""

    code, reason = 413, "Request Entity Too Large"

    def __init__(self) -> None:
        super().__init__(lambda: _(TOO_LARGE))


class Busy(Refusal):
    """Response to a large body while there are too many of them."""

    code, reason = 503, "Service Unavailable"


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that arrives. Its body is small unless it has a length, and a session or token that exists."""

    error: Error | None

    def __init__(self, address: str, large: WeakSet["Request"]) -> None:
        super().__init__(SMALL)
        self.due = time.time() + HEADERS
        """Time at which more must be there."""
        self.undecided = False
        """Whether the rest waits until the sender is known."""
        self.waiting = Waiting()
        self._address, self._large = address, large
        self._sender: int | None = None

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers, and choose the limit of the body."""
        super().parse_header(header_plus)
        self.due = time.time() + BODY
        if self.content_length > FORM_CAP and not self.headers.keys().isdisjoint(("COOKIE", "AUTHORIZATION")):
            self.adj, self.undecided = LARGE, True

    def received(self, data: bytes) -> int:
        """Read more of the request, and return the number of bytes that belong to it."""
        is_body = self.headers_finished
        count = int(super().received(data))
        if isinstance(self.error, RequestEntityTooLarge):
            self.error = TooLarge()
        if is_body:
            self.due = min(self.due + count / RATE, time.time() + BODY)
            self._check_space()
        return count

    def admit(self, sender: int | None) -> None:
        """Let the rest of a large body arrive, or refuse it. `sender` is the account, or None for a visitor."""
        if sender is None:
            self.refuse(TooLarge())
        elif sum(each._sender == sender for each in self._large) >= SHARE:
            self.refuse(Busy(lambda: _("You have too many uploads under way. Try again when one has ended.")))
        else:
            self.undecided, self._sender = False, sender
            self._large.add(self)
            self._check_space()

    def _check_space(self) -> None:
        """Refuse a large body if all, or those from its address, take more space than they may."""
        if self in self._large and (
            sum(each.body_bytes_received for each in self._large) > LARGE_BODIES
            or sum(each.body_bytes_received for each in self._large if each._address == self._address)
            > SHARE * HARD_CAP
        ):
            self.refuse(Busy(lambda: _("Too many uploads at a time. Try again in a minute.")))

    def refuse(self, error: Error) -> None:
        """Answer the request with an error."""
        self.undecided, self.error, self.completed = False, error, True

    def close(self) -> None:
        """Free the space. Waitress calls this when the request is answered."""
        super().close()
        self._sender, self.body_bytes_received = None, 0


class Logged(Task):  # type: ignore[misc]
    """A task that writes a line to the log."""

    def service(self) -> None:
        """Answer the request, and log it. The line has the ID that the application gave the request."""
        super().service()
        address = (self.environ or {}).get("REMOTE_ADDR", self.channel.addr[0])
        line = repr(self.request.first_line)[2:-1]
        taken = 1000 * (time.time() - self.start_time)
        code = self.status.partition(" ")[0]
        log.info('%s "%s" %s %d %dms', address, line, code, self.content_bytes_written, taken)


class Answer(Logged, WSGITask):  # type: ignore[misc]
    """A response of the application, unless the request waits."""

    def get_environment(self) -> dict[str, Any]:
        """Return the environment, through which the application may ask to wait."""
        return {**super().get_environment(), WAITING: self.request.waiting}

    def write(self, data: bytes) -> None:
        """Write a piece of a response that counts, and drop that of a request that waits."""
        if self.request.waiting.enter is None:
            super().write(data)
        else:
            self.content_bytes_written += len(data)

    def finish(self) -> None:
        """End the response. Raises `Parked`."""
        if self.request.waiting.enter is not None:
            raise Parked
        super().finish()


class Complaint(Logged, ErrorTask):  # type: ignore[misc]
    """A response to an invalid request."""

    environ: Mapping[str, Any] | None = None

    def execute(self) -> None:
        """Answer in the language of the request."""
        with speaking(language_of(self.request.headers)):
            super().execute()


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    task_class = Answer
    error_task_class = Complaint

    def parser_class(self, adj: Adjustments) -> Request:
        """Return a request that begins to arrive; waitress calls this like a class."""
        return Request(network(self.addr[0]), self.server.large)

    def readable(self) -> bool:
        """Whether to read on."""
        return bool(super().readable()) and not (self.request and self.request.undecided)

    def received(self, data: bytes) -> bool:
        """Read more, and let a thread find the sender of a large body."""
        read = bool(super().received(data))
        if self.request and self.request.undecided:
            self.server.add_task(Inquiry(self, self.request))
        return read

    def service(self) -> None:
        """Answer the first request, or let it wait: then it is still the first when it is answered again."""
        waiting = self.requests[0].waiting
        try:
            super().service()
        except Parked:
            enter, waiting.enter = waiting.enter, None
            enter(partial(self.server.add_task, self))

    def handle_close(self) -> None:
        """Close the connection, and free the space of a request that has not arrived."""
        super().handle_close()
        if self.request:
            self.request.close()

    def send_continue(self) -> None:
        """Ask the client for the body, unless it may have to be refused."""
        if self.request and not self.request.undecided:
            super().send_continue()

    def go_on(self, request: Request, decide: Callable[[], None]) -> None:
        """Decide on a large body, and read it or answer that it is refused."""
        with self.requests_lock:
            decide()
            if request.completed:
                self.request = None
                self.requests.append(request)
                if len(self.requests) == 1:
                    self.server.add_task(self)
            elif request.expect_continue and not self.requests:
                self.send_continue()

    @property
    def due(self) -> float | None:
        """Time at which the client must have done something; None while it is the application's turn."""
        if self.total_outbufs_len:
            return float(self.last_activity + STALLED)
        if self.requests:
            return None
        return float(self.request.due if self.request else self.last_activity + HEADERS)


class Inquiry(NamedTuple):
    """A task that finds the sender of a large body."""

    channel: Channel
    request: Request

    def service(self) -> None:
        """Find it in a thread, because the database may take its time, and tell the loop."""
        server = self.channel.server
        try:
            answer = partial(self.request.admit, server.sender_of(self.request.headers))
        except SQLAlchemyError as error:
            logging.getLogger("gunicorn.error").warning("no sender of an upload was found: %s", described(error))
            silent = Busy(lambda: _("The database does not answer. Try again in a minute."))
            answer = partial(self.request.refuse, silent)
        server.found.append((self, answer))
        server.pull_trigger()

    def cancel(self) -> None:
        """Forget the request: the process ends."""


class Server(TcpWSGIServer):  # type: ignore[misc]
    """All connections of a listening socket.

    None is closed after a poll began and before a new one is accepted: the new one could get the descriptor of the
    closed one, and with it what the poll found there, such as an error.
    """

    channel_class = Channel
    next_channel_cleanup = inf  # waitress would close connections when a poll begins

    def __init__(
        self,
        application: Callable[..., Iterable[bytes]],
        listener: socket.socket,
        dispatcher: ThreadedTaskDispatcher,
        sender_of: Callable[[Mapping[str, str]], int | None],
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """`sender_of` finds the account of a request by its headers; `beat` is called every `TURN` seconds."""
        self._next_look = 0.0
        self.sender_of = sender_of
        self.found: deque[tuple[Inquiry, Callable[[], None]]] = deque()
        """What follows from the senders that threads have found, for the loop."""
        self.sockets: dict[int, Any] = {}
        self.large: WeakSet[Request] = WeakSet()
        self._beat = beat
        kind = (listener.family, listener.type, None, None)
        super().__init__(
            application, self.sockets, _sock=listener, dispatcher=dispatcher, adj=SMALL, sockinfo=kind,
            bind_socket=False,
        )  # fmt: skip

    def turn(self, seconds: float) -> None:
        """Read and write what is there, waiting up to this long if nothing is; then close what is overdue."""
        wasyncore.poll2(seconds, self.sockets)
        while self.found:
            inquiry, decide = self.found.popleft()
            if inquiry.channel.connected:
                inquiry.channel.go_on(inquiry.request, decide)
        now = time.time()
        if now >= self._next_look:
            self._next_look = now + TURN
            self._beat()
            self.close_overdue(now)

    def close_overdue(self, now: float) -> None:
        """Close the connections whose time is over."""
        for channel in list(self.active_channels.values()):
            if channel.due is not None and channel.due < now:
                channel.handle_close()

    def handle_accept(self) -> None:
        """Accept a connection. If there are too many now, close one of the address with the most."""
        super().handle_accept()
        if len(self.active_channels) > CONNECTIONS:
            self._make_room()

    def _make_room(self) -> None:
        waiting = [channel for channel in self.active_channels.values() if channel.due is not None]
        numbers = Counter(channel.addr[0] for channel in waiting)
        if waiting:
            max(waiting, key=lambda channel: (numbers[channel.addr[0]], -channel.creation_time)).handle_close()

    @property
    def at_work(self) -> bool:
        """Whether a request is being answered."""
        return any(channel.requests or channel.total_outbufs_len for channel in self.active_channels.values())


class Reader(Worker):  # type: ignore[misc]  # gunicorn has no types
    """A web process of gunicorn's that reads requests with waitress."""

    server: Server | None = None

    def run(self) -> None:
        """Serve until a signal to stop, then answer the requests that are there."""
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.queue_logger.setLevel(logging.ERROR)  # it warns of each request that waits
        dispatcher.set_thread_count(self.cfg.threads)
        (listener,) = self.sockets
        find = partial(sender_of, self.wsgi.extensions["arena"])
        self.server = Server(self.wsgi, listener.sock, dispatcher, find, self.notify)
        while self.alive and os.getppid() == self.ppid:
            self.server.turn(TURN)
        self.server.accepting = False
        self.wsgi.extensions["waiting"].close()
        end = time.monotonic() + self.cfg.graceful_timeout
        while self.server.at_work and time.monotonic() < end:
            self.server.turn(TURN / 20)

    def handle_exit(self, sig: signal.Signals, frame: FrameType | None) -> None:
        """Stop at once, even if nothing happens on any connection."""
        super().handle_exit(sig, frame)
        if self.server:
            self.server.pull_trigger()
