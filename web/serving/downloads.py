"""Files to save. One that takes long to make holds a thread until it is sent, so a process sends few at a time."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import IO, Final, Generic, Self, TypeVar, cast

from flask import Flask, Response, current_app, request, send_file
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from web.serving.limits import uploader

T = TypeVar("T", bytes, str)

MOST: Final = 4
"""Largest number of files that a process sends at a time, half of its threads."""
EACH: Final = 2
"""Largest number of them that are for one account or address."""


class Downloads:
    """Clients to which this process sends files."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sent = Counter[str]()

    def begin(self, client: str) -> None:
        """Count a file. Raises `TooManyRequests` or `ServiceUnavailable` if its client or all have too many."""
        with self._lock:
            if self._sent[client] >= EACH:
                raise TooManyRequests
            if self._sent.total() >= MOST:
                raise ServiceUnavailable
            self._sent[client] += 1

    def end(self, client: str) -> None:
        """Count a file no longer."""
        with self._lock:
            self._sent -= Counter((client,))  # without clients that have none


class _Counted(Generic[T]):
    """Pieces of a file that counts until the last, or until it is closed before."""

    def __init__(self, pieces: Iterator[T], downloads: Downloads, client: str) -> None:
        downloads.begin(client)
        self._pieces: Iterator[T] = pieces
        self._downloads, self._client = downloads, client
        self._open = True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        try:
            return next(self._pieces)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the file."""
        if self._open:
            self._open = False
            self._downloads.end(self._client)


def _downloads() -> Downloads:
    return cast("Downloads", current_app.extensions["downloads"])


def init_app(app: Flask) -> None:
    """Count the files that the app sends."""
    app.extensions["downloads"] = Downloads()


@contextmanager
def _room() -> Iterator[None]:
    """Count a file while it is made. Raises `TooManyRequests` and `ServiceUnavailable`."""
    client = uploader()
    _downloads().begin(client)
    try:
        yield
    finally:
        _downloads().end(client)


def counted(pieces: Iterator[T]) -> Iterator[T]:
    """Count a file while its pieces are made and sent. Raises `TooManyRequests` and `ServiceUnavailable`."""
    return _Counted(pieces, _downloads(), uploader())


def streamed(pieces: Iterator[T], name: str, kind: str) -> Response:
    """Return a file that is sent as it is made. Raises `TooManyRequests` and `ServiceUnavailable`."""
    return attached(counted(pieces), name, kind)


def zipped(write: Callable[[IO[bytes]], object], name: str) -> Response:
    """Return a zip file that `write` fills. Raises `TooManyRequests` and `ServiceUnavailable`."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 -- sent later; it may have hundreds of megabytes
    with _room():
        write(file)
    file.seek(0)
    return send_file(file, "application/zip", as_attachment=True, download_name=name)


def attached(data: bytes | str | Iterable[bytes] | Iterable[str], name: str, kind: str, cache: str = "") -> Response:
    """Return a file to be saved under a name, with a Cache-Control unless it is the usual one."""
    response = Response(data, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    if cache:
        response.headers["Cache-Control"] = cache
    return response


def sent(data: bytes, name: str, kind: str, cache: str = "") -> Response:
    """Return a file like `attached`, with an ETag; 304 if the client has it."""
    response = attached(data, name, kind, cache)
    response.add_etag()
    response.make_conditional(request.environ)
    return response
