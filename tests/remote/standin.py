"""A server of language models for tests: it answers in the chat-completions form, or misbehaves in one of many ways."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread
from typing import Any, Final

SILENCE: Final = 0.5
"""Seconds of silence; the tests wait for less."""
_LEGAL: Final = re.compile(r"^([^ \n]+)(?: \(.*\))?$", re.MULTILINE)


def legal_in(messages: list[dict[str, str]]) -> list[str]:
    """Return the legal actions of the question in a conversation; none in another one."""
    question = next((one["content"] for one in messages if "\nLegal actions:\n" in one["content"]), "")
    return _LEGAL.findall(question.partition("\nLegal actions:\n")[2])


class StandIn(ThreadingHTTPServer):
    """A server that plays the last legal action. `ways` decides how it answers the request of a number."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, ways: Callable[[int], str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.ways = ways
        self.asked: list[dict[str, Any]] = []
        """Bodies of all requests."""
        self.keys: list[str | None] = []
        """Authorization of all requests."""
        self.answered: list[str] = []
        """Ways of all answers."""

    @property
    def base(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about clients that have hung up."""


class Handler(BaseHTTPRequestHandler):
    """Answers a request."""

    server: StandIn

    def do_POST(self) -> None:
        """Answer in the way that is due."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        legal = legal_in(body["messages"])
        way = self.server.ways(len(self.server.answered)) if legal else "good"
        self.server.asked.append(body)
        self.server.keys.append(self.headers["Authorization"])
        self.server.answered.append(way)
        assert self.path == "/v1/chat/completions"
        getattr(self, f"answer_{way}")(legal)

    def answer_good(self, legal: list[str]) -> None:
        """Answer with a legal action."""
        self._say(f"I think about it.\n\nACTION: {legal[-1] if legal else 'ready'}")

    def answer_silent(self, legal: list[str]) -> None:
        """Say nothing for a while, and hang up."""
        time.sleep(SILENCE)

    def answer_half(self, legal: list[str]) -> None:
        """Send the first half of an answer."""
        self._send(200, b'{"choices": [{"message": {"content": "ACT')

    def answer_busy(self, legal: list[str]) -> None:
        """Name the seconds after which to ask again."""
        self._send(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "7"})

    def answer_broken(self, legal: list[str]) -> None:
        """Fail."""
        self._send(500, b"<html>Internal Server Error</html>")

    def answer_slow(self, legal: list[str]) -> None:
        """Send a good answer in pieces, with pauses."""
        whole = completion(f"ACTION: {legal[-1]}")
        self._head(200, len(whole), {})
        for start in range(0, len(whole), 1 + len(whole) // 4):
            self.wfile.write(whole[start : start + 1 + len(whole) // 4])
            self.wfile.flush()
            time.sleep(0.01)

    def answer_dripping(self, legal: list[str]) -> None:
        """Send one byte after another, and never an end."""
        self._head(200, 10**6, {})
        for _ in range(100):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(SILENCE / 10)

    def answer_long(self, legal: list[str]) -> None:
        """Talk on until the server cuts the answer off."""
        self._say("Well, " * 20_000, finish_reason="length")

    def answer_endless(self, legal: list[str]) -> None:
        """Send more than anybody reads."""
        self._say("Well, " * 500_000)

    def answer_illegal(self, legal: list[str]) -> None:
        """Name an action that is not legal."""
        self._say("ACTION: ZZ")

    def answer_two(self, legal: list[str]) -> None:
        """Name two actions."""
        self._say(f"ACTION: {legal[0]} {legal[-1]}")

    def answer_prose(self, legal: list[str]) -> None:
        """Name a legal action in another form, with characters that nobody can store."""
        self._say(f"I would play {legal[-1]}, I believe.\0\ud800")

    def answer_declined(self, legal: list[str]) -> None:
        """Decline to answer, as models with a filter do."""
        message = {"role": "assistant", "content": None, "refusal": "I cannot help with gambling."}
        self._send(200, json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode())

    def answer_filtered(self, legal: list[str]) -> None:
        """Let a filter cut the answer."""
        self._say("", finish_reason="content_filter")

    def answer_denied(self, legal: list[str]) -> None:
        """Refuse the key, and repeat it."""
        said = f"no such key: {(self.headers['Authorization'] or '').removeprefix('Bearer ')}"
        self._send(401, json.dumps({"error": {"message": said}}).encode())

    def _say(self, text: str, **more: Any) -> None:
        self._send(200, completion(text, **more))

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._head(status, len(body), headers or {})
        self.wfile.write(body)

    def _head(self, status: int, length: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(length), **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


BAD: Final = tuple(
    sorted(
        name.removeprefix("answer_") for name in vars(Handler) if name.startswith("answer_") and name != "answer_good"
    )
)
"""All ways to misbehave."""


def completion(text: str, **more: Any) -> bytes:
    """Return an answer of a model."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", **more}
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 1000, "completion_tokens": 10}}).encode()


def at_random(seed: int, share: float) -> Callable[[int], str]:
    """Return ways that are bad with a probability."""
    rng = Random(seed)
    return lambda number: rng.choice(BAD) if rng.random() < share else "good"


@contextmanager
def serving(ways: Callable[[int], str] = lambda number: "good") -> Iterator[StandIn]:
    """Run a server while a block runs."""
    with StandIn(ways) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
