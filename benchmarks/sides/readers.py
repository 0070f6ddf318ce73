"""Readers of pages: ``python -m benchmarks.sides.readers``, with a `Task` as JSON on stdin and a `Found` on stdout.

Each reader is a thread with a connection of its own, which asks for the next page when it has one, or after a pause.
"""

import random
import socket
import sys
import time
from collections.abc import Mapping
from threading import Thread
from typing import NamedTuple

import msgspec


class Task(NamedTuple):
    """Work of the readers."""

    port: int
    readers: int
    seconds: float
    paths: list[str]
    """Pages that each reader asks for in a random order."""
    pause: float = 0.0
    """Seconds between two requests of a reader; with a pause the readers send the ETag that they know."""
    headers: Mapping[str, str] = {}


class Found(NamedTuple):
    """Measurements of all readers."""

    waits: dict[str, list[float]]
    """Seconds from request to response, by page."""
    received: int
    """Number of bytes received."""
    seconds: float
    statuses: dict[int, int]
    """Number of responses by status."""


class Reader(Thread):
    """One reader."""

    def __init__(self, task: Task, number: int) -> None:
        super().__init__()
        self._task = task
        self._rng = random.Random(number)
        self._end = time.monotonic() + task.seconds
        self._known: dict[str, str] = {}
        """Header lines about the last answer of each page."""
        self.waits: dict[str, list[float]] = {}
        self.statuses: dict[int, int] = {}
        self.received = 0

    def run(self) -> None:
        """Ask until the time is over."""
        if self._task.pause:
            time.sleep(self._rng.random() * self._task.pause)  # viewers come at different times
        connection = self._connect()
        while time.monotonic() < self._end:
            for path in self._rng.sample(self._task.paths, len(self._task.paths)):
                began = time.perf_counter()
                try:
                    closed = self._ask(connection, path)
                except OSError:
                    connection = self._connect()
                    continue
                self.waits.setdefault(path, []).append(time.perf_counter() - began)
                if closed:
                    connection = self._connect()
                time.sleep(self._task.pause)
                if time.monotonic() > self._end:
                    break

    def _connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self._task.port), timeout=60)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def _ask(self, connection: socket.socket, path: str) -> bool:
        """Ask for a page, and return whether the server closes the connection."""
        given = "".join(f"{name}: {value}\r\n" for name, value in self._task.headers.items())
        known = self._known.get(path, "") if self._task.pause else ""
        asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, deflate, br\r\n{given}{known}"
        connection.sendall(f"{asked}\r\n".encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more(connection)
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        size = int(headers.get("content-length", 0))
        while len(body) < size:
            body += self._more(connection)
        status = int(lines[0].split()[1])
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.received += len(head) + 4 + len(body)
        if "etag" in headers:
            self._known[path] = f"If-None-Match: {headers['etag']}\r\n"
        return headers.get("connection", "").lower() == "close"

    @staticmethod
    def _more(connection: socket.socket) -> bytes:
        data = connection.recv(1 << 18)
        if not data:
            raise ConnectionError("the server has closed the connection")
        return data


def read(task: Task) -> Found:
    """Let all readers read, and add up what they found."""
    began = time.monotonic()
    readers = [Reader(task, number) for number in range(task.readers)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    waits: dict[str, list[float]] = {}
    statuses: dict[int, int] = {}
    for reader in readers:
        for path, found in reader.waits.items():
            waits.setdefault(path, []).extend(found)
        for status, count in reader.statuses.items():
            statuses[status] = statuses.get(status, 0) + count
    return Found(waits, sum(reader.received for reader in readers), time.monotonic() - began, statuses)


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(read(msgspec.json.decode(sys.stdin.buffer.read(), type=Task))))
