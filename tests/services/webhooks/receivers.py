"""Receivers of webhooks on this machine, well-behaved and others."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Semaphore, Thread
from typing import Final

OK: Final = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks"
ERROR: Final = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nno\0!"
GONE: Final = b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"
NONSENSE: Final = b"220 smtp.example ESMTP\r\n\r\n"


class Receiver:
    """A server that gives each connection the same answer, and keeps the requests."""

    def __init__(self, answer: bytes | None) -> None:
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ended = Event()
        self.requests: list[bytes] = []
        self.arrived = Semaphore(0)
        """Released once for each request."""
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/hook?key=1"

    def serve(self) -> None:
        """Answer one connection after another; None hangs, and an empty answer never ends."""
        while not self._ended.is_set():
            with suppress(OSError), self._listener.accept()[0] as connection:
                connection.settimeout(1)
                self._take(connection)

    def close(self) -> None:
        """Stop serving."""
        self._ended.set()
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        self._listener.close()

    def _take(self, connection: socket.socket) -> None:
        request = b""
        while b"\r\n\r\n" not in request or not request.endswith(b"}"):
            got = connection.recv(65536)
            if not got:
                return
            request += got
        self.requests.append(request)
        self.arrived.release()
        if self._answer is None:
            connection.recv(1)  # until the sender gives up
        elif self._answer:
            connection.sendall(self._answer)
        else:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65536)


@contextmanager
def receiving(answer: bytes | None = OK) -> Iterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver(answer)
    thread = Thread(target=receiver.serve, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.close()
        thread.join(10)


def redirect(to: str) -> bytes:
    """Return an answer that redirects."""
    return f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()
