"""Arenas that answer nonsense: each command ends with one sentence and its exit code."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from arena.games.errors import Unavailable
from arena.remote import http
from arena.remote.http import Remote
from tests.remote.conftest import Client, FakeArena, Said

SHAPES: Final[tuple[object, ...]] = (
    [],
    [1],
    "text",
    None,
    7,
    {},
    {"items": None, "next": None},
    {"items": [{}], "next": None},
    {"items": [{"id": "../x"}], "matches": [{"id": "/etc/x"}], "next": None},
    {"items": [{"id": float("inf")}], "matches": [{"id": float("inf")}], "next": None},
)
COMMANDS: Final = (
    ("status",), ("status", "sharp"), ("logs", "sharp"), ("standings", "1"), ("standings", "suitability-4"),
    ("watch", "1"), ("fetch", "table", "1"), ("fetch", "tournament", "1"), ("tournament", "show", "1"),
    ("tournament", "list"), ("schedule", "list"), ("schedule", "next", "1"), ("schedule", "next", "* * * * *"),
)  # fmt: skip


class Anything(dict[str, list[Any]]):
    """One answer for every request."""

    def __init__(self, answer: Said) -> None:
        super().__init__()
        self.answer = answer

    def get(self, *_: Any) -> list[Any]:
        """Return the answer."""
        return [self.answer]


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_other_shapes_end_with_a_sentence(client: Client, fake: FakeArena, tmp_path: Path, shape: object) -> None:
    """JSON of another shape than the client expects is never a traceback."""
    fake.answers = Anything(Said(shape))
    for words in COMMANDS:
        elsewhere = ("--arena", client.environ["ARENA_URL"]) if words[0] in ("tournament", "schedule") else ()
        result = client.run(*words, *elsewhere, code=None)

        assert result.exit_code in (0, 1, 3), (words, result.output)
        assert "Traceback" not in result.output
        assert len(result.stderr.splitlines()) <= 1


def test_page_of_a_proxy_is_not_kept_as_a_record(client: Client, fake: FakeArena, tmp_path: Path) -> None:
    """A download is kept only if it is JSON."""
    fake.on("GET /matches/1/record", Said(b"<html>", headers={"Content-Type": "text/html"}))

    assert "did not answer as an arena does" in client.run("fetch", "match", 1, "--into", tmp_path, code=3).stderr
    assert list(tmp_path.glob("*.json")) == []
    (tmp_path / "file").write_text("")
    assert "Cannot read or write" in client.run("fetch", "match", 1, "--into", tmp_path / "file" / "x", code=1).stderr


@contextmanager
def server(answer: bytes) -> Iterator[str]:
    """Answer every connection with these bytes, close it, and yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"", "cannot be reached"),
        (b"nonsense\r\n\r\n", "cannot be reached"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "cannot be reached"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 5000, "answers with more than"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "cannot be reached"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "cannot be reached"),
    ],
    ids=["nothing", "no HTTP", "half", "endless", "many headers", "broken gzip"],
)
def test_broken_answers_are_sentences(monkeypatch: pytest.MonkeyPatch, answer: bytes, sentence: str) -> None:
    """Whatever comes over the wire is one error."""
    monkeypatch.setattr(http, "MOST", 4096)
    with server(answer) as url, pytest.raises(Unavailable, match=sentence):
        Remote(url, "suit_secret", lambda _: None).act("/me")


def test_closed_port_is_a_sentence() -> None:
    """The sentence names the address and the reason, and no objects of a library."""
    with server(b"") as url:
        pass
    with pytest.raises(Unavailable, match=f"^{url} cannot be reached: Failed to establish a new connection: "):
        Remote(url, None, lambda _: None).act("/me")


def test_slow_answer_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that does not end in time is given up."""
    monkeypatch.setattr(http, "LONGEST_ANSWER", -1.0)
    with server(b"HTTP/1.1 200 OK\r\n\r\n{}") as url, pytest.raises(Unavailable, match="does not answer in time"):
        Remote(url, None, lambda _: None).act("/me")


def test_redirect_takes_no_token_along() -> None:
    """The client does not follow a redirect, so no other host sees the token."""
    answer = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"
    with server(answer) as url, pytest.raises(Unavailable, match=r"has moved to http://127\.0\.0\.1:9/"):
        Remote(url, "suit_secret", lambda _: None).get("/me")
