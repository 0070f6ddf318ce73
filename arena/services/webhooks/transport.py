"""Requests to addresses that people name: checked, without redirects or proxies, in bounded time and memory."""

import http.client
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from email.message import Message
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from arena.services.base.texts import storable
from arena.services.webhooks.addresses import PORTS, Forbidden, Network, is_inside, resolve

CONNECTING: Final = 5.0
"""Seconds in which a connection must be there."""
LIMIT: Final = 15.0
"""Seconds after which an attempt ends in any case, however lively the receiver is."""
READ: Final = 64 * 1024
"""Largest number of bytes read of an answer."""
SHOWN: Final = 1024
"""Number of bytes of an answer that are kept."""


class Answer(NamedTuple):
    """Answer to a request."""

    status: int
    headers: Message
    body: bytes
    """Its first `READ` bytes."""


class Outcome(NamedTuple):
    """Outcome of an attempt."""

    status: int | None
    """HTTP status; None if there was no answer."""
    answer: str
    """Beginning of the answer, or why there was none."""
    milliseconds: int

    @property
    def delivered(self) -> bool:
        """Whether the receiver accepted it."""
        return self.status is not None and 200 <= self.status < 300


def send(
    url: str, body: bytes, headers: Mapping[str, str], networks: Sequence[Network] = (), limit: float = LIMIT
) -> Outcome:
    """Post a body to a URL. Never raises: what goes wrong is the outcome."""
    began = time.monotonic()
    try:
        status, _, read = request("POST", url, body, {"Content-Type": "application/json", **headers}, networks, limit)
        answer = _text(read)
    except Forbidden as forbidden:
        status, answer = None, f"Not sent: {forbidden}."
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() - began >= limit
        status, answer = None, f"No answer within {limit:g} seconds." if late else _said(error)
    return Outcome(status, answer, round(1000 * (time.monotonic() - began)))


def request(
    method: str, url: str, body: bytes | None, headers: Mapping[str, str], networks: Sequence[Network],
    limit: float = LIMIT,
) -> Answer:  # fmt: skip
    """Send a request. Raises `Forbidden`, `OSError`, `HTTPException` or `ValueError`."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    addresses = resolve(host, port, networks)
    for address in addresses if parts.scheme == "http" else ():
        if not is_inside(address, networks):
            raise Forbidden(f"plain http to {address} is not allowed")
    context = ssl.create_default_context() if parts.scheme == "https" else None
    connection = _Pinned(host, port, [str(address) for address in addresses], context)
    timer = Timer(limit, connection.break_off)
    timer.daemon = True
    timer.start()
    try:
        target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection.request(method, target, body, {**headers, "Connection": "close"})
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read(READ))
    finally:
        timer.cancel()
        connection.close()


class _Pinned(http.client.HTTPConnection):
    """A connection to one of the given addresses, under the host's name in the Host header and in TLS."""

    def __init__(self, host: str, port: int, addresses: Sequence[str], context: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=CONNECTING)
        self.default_port = PORTS["https" if context else "http"]  # left out of the Host header
        self._addresses, self._context = addresses, context
        self._open: socket.socket | None = None
        """The socket; http.client drops its own before the body is read."""

    def connect(self) -> None:
        """Connect to the first address that answers; the certificate must be that of the name."""
        self.sock = self._open = self._reach()
        if self._context:
            wrapped = self._context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock = self._open = wrapped
            wrapped.do_handshake()
        self.sock.settimeout(LIMIT)

    def break_off(self) -> None:
        """End the connection in the middle of anything, from another thread."""
        if self._open:
            with suppress(OSError):  # it may have ended
                socket.socket.shutdown(self._open, socket.SHUT_RDWR)

    def _reach(self) -> socket.socket:
        *others, last = self._addresses
        for address in others:
            with suppress(OSError):
                return socket.create_connection((address, self.port), self.timeout)
        return socket.create_connection((last, self.port), self.timeout)


def _text(answer: bytes) -> str:
    return storable(answer[:SHOWN].decode(errors="replace"))


def _said(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return storable(f"No answer: {reason}"[:SHOWN])
