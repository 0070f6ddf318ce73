"""The server in each web process: waitress under gunicorn.

One loop reads requests and writes responses; a thread gets a request only when all of it is there. So slow connections
cost no thread. They have limits of time, and when there are too many, the address with the most of them loses one.
"""

import logging
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import inf
from types import FrameType
from typing import Any, Final
from weakref import WeakSet

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, Task, ThreadedTaskDispatcher, WSGITask
from waitress.utilities import Error

from web.security import FORM_CAP, HARD_CAP

CONNECTIONS: Final = 400
"""Number of connections that a process holds. Fewer than the usual limit of 1024 open files."""
HEADERS: Final = 10.0
"""Seconds until the headers of a request must be there, from the start of the connection or its last response."""
BODY: Final = 20.0
"""Seconds until the body of a request must be there, in addition to those at `RATE`."""
RATE: Final = 2**15
"""Bytes per second at which a body must arrive."""
STALLED: Final = 30.0
"""Seconds after which a client must have read something of its response."""
TURN: Final = 1.0
"""Seconds between two looks at the limits of time, and at whether gunicorn lives."""
LARGE_BODIES: Final = 8 * HARD_CAP
"""Bytes of all bodies above `FORM_CAP` that a process holds on disk at a time."""

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


class Busy(Error):  # type: ignore[misc]  # waitress has no types
    """Response to a large body while there are too many of them."""

    code, reason = 503, "Service Unavailable"


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that arrives. Its body is small unless it has a cookie, so may belong to a member, and a length."""

    def __init__(self, large: WeakSet["Request"]) -> None:
        super().__init__(SMALL)
        self.began = time.time()
        self._large = large

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers, and choose the limit of the body."""
        super().parse_header(header_plus)
        if self.content_length > FORM_CAP and "COOKIE" in self.headers:
            self.adj = LARGE
            if sum(other.content_length for other in self._large) > LARGE_BODIES:
                self.error, self.completed = Busy("Too many uploads at a time. Try again in a minute."), True
            self._large.add(self)

    @property
    def due(self) -> float:
        """Time at which the rest must be there."""
        seconds = BODY + self.content_length / RATE if self.headers_finished else HEADERS
        return float(self.began + seconds)


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
    """A response of the application."""


class Complaint(Logged, ErrorTask):  # type: ignore[misc]
    """A response to an invalid request."""

    environ: Mapping[str, Any] | None = None


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    task_class = Answer
    error_task_class = Complaint

    def parser_class(self, adj: Adjustments) -> Request:
        """Return a request that begins to arrive; waitress calls this like a class."""
        return Request(self.server.large)

    @property
    def due(self) -> float | None:
        """Time at which the client must have done something; None while it is the application's turn."""
        if self.total_outbufs_len:
            return float(self.last_activity + STALLED)
        if self.requests:
            return None
        return self.request.due if self.request else float(self.last_activity + HEADERS)


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
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """`beat` is called every `TURN` seconds."""
        self._next_look = 0.0
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
        self.server = Server(self.wsgi, listener.sock, dispatcher, self.notify)
        while self.alive and os.getppid() == self.ppid:
            self.server.turn(TURN)
        self.server.accepting = False
        end = time.monotonic() + self.cfg.graceful_timeout
        while self.server.at_work and time.monotonic() < end:
            self.server.turn(TURN / 20)

    def handle_exit(self, sig: signal.Signals, frame: FrameType | None) -> None:
        """Stop at once, even if nothing happens on any connection."""
        super().handle_exit(sig, frame)
        if self.server:
            self.server.pull_trigger()
