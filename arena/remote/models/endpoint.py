"""Requests to a server of language models in the chat-completions form: bounded in time and size, and tried again."""

import json
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

import click
import requests
from urllib3.exceptions import HTTPError

from arena.games.errors import Refused, Unavailable
from arena.remote.http import CHUNK, Answer, Bearer, explained, patience
from arena.remote.texts import line

Messages = Sequence[Mapping[str, str]]

CONNECT: Final = 10.0
"""Seconds to connect."""
MOST: Final = 2 * 2**20
"""Largest number of bytes of an answer."""
ATTEMPTS: Final = 4
"""Number of times that a request is sent."""
LONGEST_PAUSE: Final = 60.0
"""Most seconds before the next attempt, also if the server names more."""
AGAIN: Final = frozenset({408, 409, 425, 429})
"""Statuses below 500 after which the same request may succeed."""
SAID: Final = 300
"""Characters of a server's reason that are shown."""


class Completion(NamedTuple):
    """An answer of a model."""

    text: str
    refusal: str
    """Reason why there is no usable text; empty if there is one."""
    tokens_in: int | None
    tokens_out: int | None
    """Tokens as the server counts them; None if it does not."""


class Endpoint:
    """A model at an address. The key goes there and nowhere else, and into no message."""

    def __init__(
        self,
        base: str,
        model: str,
        key: str | None,
        *,
        extra: Mapping[str, Any] | None = None,
        timeout: float = 120.0,
        pause: Callable[[float], None] = sleep,
    ) -> None:
        """`extra` has more fields of each request; `timeout` is the number of seconds for a whole answer."""
        self.model = model
        self._url = f"{base.rstrip('/')}/chat/completions"
        self._key, self._extra, self._timeout, self._pause = key, extra or {}, timeout, pause
        self._session = requests.Session()
        self._session.auth = Bearer(key)

    def ask(self, messages: Messages) -> Completion:
        """Return the model's answer. Raises `Unavailable` after the last attempt, and `Refused`."""
        reason, seconds = "", 0.0
        for attempt in range(ATTEMPTS):
            if attempt:
                self._wait(reason, min(seconds, LONGEST_PAUSE))
            seconds = 2.0**attempt
            try:
                answer = self._sent(messages)
                if answer.status < 300:
                    return self._completion(answer)
                reason, seconds = self._reason(answer), patience(answer, seconds)
            except Unavailable as away:
                reason = str(away)
        raise Unavailable(reason)

    def _sent(self, messages: Messages) -> Answer:
        """Send a request once. Raises `Unavailable`, and `Refused` if it cannot succeed as it is."""
        body = {**self._extra, "model": self.model, "messages": list(messages)}
        end = monotonic() + self._timeout
        with (
            explained(self._url),
            self._session.post(
                self._url, json=body, timeout=(CONNECT, self._timeout), allow_redirects=False, stream=True
            ) as response,
        ):
            answer = Answer(response.status_code, response.headers, self._read(response, end))
        if 300 <= answer.status < 500 and answer.status not in AGAIN:
            raise Refused(self._reason(answer))
        return answer

    def _read(self, response: requests.Response, end: float) -> bytes:
        """Return the body of an answer; also one that arrives byte by byte is read until `end` at most."""
        body = b""
        try:
            while part := response.raw.read1(CHUNK, decode_content=True):
                body += part
                if len(body) > MOST:
                    raise Unavailable(f"{self._url} answers with more than {MOST // 2**20} MiB.")
                if monotonic() > end:
                    raise requests.Timeout
        except HTTPError as error:
            raise requests.ConnectionError(error) from None
        return body

    def _reason(self, answer: Answer) -> str:
        said = line(answer.body.decode(errors="replace")).replace(self._key or "\0", "…")[:SAID]
        return f"{self._url} answered with the status {answer.status}: {said}"

    def _completion(self, answer: Answer) -> Completion:
        """Read an answer. Raises `Unavailable` if it has another form."""
        try:
            found = json.loads(answer.body)
            choice, usage = found["choices"][0], found.get("usage") or {}
            text, refused = choice["message"].get("content") or "", choice["message"].get("refusal")
            if not isinstance(text, str):
                raise TypeError("content")
            reason = _unusable(refused, choice.get("finish_reason"))
            return Completion(text, reason, _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise Unavailable(f"{self._url} did not answer in the chat-completions form.") from None

    def _wait(self, reason: str, seconds: float) -> None:
        click.echo(f"arena models: {reason} Next attempt in {seconds:.0f} s.", err=True)
        self._pause(seconds)


def _unusable(refusal: Any, finish: Any) -> str:
    """Return why an answer cannot be used, whatever its text; empty if it can."""
    if refusal or finish == "content_filter":
        return "You declined to answer. This is a card game, and every action is harmless."
    return "Your answer was too long and was cut off." if finish == "length" else ""


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= 10**9 else None
