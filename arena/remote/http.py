"""Requests to the API of an arena: the token, retries, and errors as sentences."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import IO, Any, Final
from uuid import uuid4

import click
import requests

from arena.games.errors import ArenaError, NotFound, Refused, Unavailable
from arena.release import release
from arena.remote.texts import line

API: Final = "/api/v1"
TIMEOUTS: Final = (10.0, 60.0)
"""Seconds to connect, and between two parts of an answer."""
LONGEST_ANSWER: Final = 300.0
"""Seconds for a whole answer."""
MOST: Final = 64 * 2**20
"""Largest number of bytes of an answer."""
LARGEST_DOWNLOAD: Final = 2**34
"""Like `MOST`, for an answer that goes to a file."""
ATTEMPTS: Final = 7
LONGEST_PAUSE: Final = 300.0
"""Seconds before the next attempt that a command waits if the arena asks for them; it gives up if they are more."""
BUSY: Final = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may succeed."""
LONGEST_SENTENCE: Final = 2000
CHUNK: Final = 2**16
_OBJECT: Final = re.compile(r"^HTTPS?Connection(Pool)?\([^)]*\): ")
"""How urllib3 begins some of its messages."""
JSON: Final = "application/json"
CSV: Final = "text/csv"
LINES: Final = "application/x-ndjson"


@dataclass(frozen=True)
class Answer:
    """An answer that was read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Rejected(Refused):
    """A request that the arena refused, with its status."""

    def __init__(self, status: int, sentence: str, after: float = 0.0) -> None:
        super().__init__(sentence)
        self.status = status
        self.after = after
        """Seconds after which the arena asks for the next attempt; 0 if it names none."""


class Busy(Unavailable):
    """An arena that is away for a while."""

    def __init__(self, sentence: str, after: float) -> None:
        super().__init__(sentence)
        self.after = after
        """As `Rejected` has it."""


class Untrusted(Unavailable):
    """An arena whose certificate is wrong: trying again does not help."""


class Bearer(requests.auth.AuthBase):
    """Sends the token, also if the user's netrc file knows the host."""

    def __init__(self, token: str | None) -> None:
        self.token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the token to a request."""
        if self.token:
            request.headers["Authorization"] = f"Bearer {self.token}"
        return request


class Remote:
    """An arena as its API shows it. Proxies and certificates follow the usual variables, such as ``HTTPS_PROXY``."""

    def __init__(
        self,
        url: str,
        token: str | None,
        pause: Callable[[float], None] = sleep,
        adapter: requests.adapters.BaseAdapter | None = None,
    ) -> None:
        self.url = url
        self.site = url
        """Address with which links begin; empty if it is unknown."""
        self.patience = LONGEST_PAUSE
        """Seconds before the next attempt for which it waits; it gives up if they are more."""
        self.timeouts = TIMEOUTS
        self.attempts = ATTEMPTS
        self.pause = pause
        self._session = requests.Session()
        if adapter:
            self._session.mount(url, adapter)
        self.present(token)
        self._session.headers["User-Agent"] = f"suit-arena/{release()}"

    def present(self, token: str | None) -> None:
        """Send this token from now on."""
        self._session.auth = Bearer(token)

    def get(self, path: str, **query: object) -> Any:
        """Return the answer to a GET. Raises `NotFound`, `Rejected` and `Unavailable`."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._decoded(self._sent("GET", path, again=True, params=given))

    def items(self, path: str, **query: object) -> Iterator[Any]:
        """Yield all items of a list."""
        cursor: str | None = ""
        while cursor is not None:
            part = self.get(path, **query, cursor=cursor or None)
            yield from part["items"]
            cursor = part["next"]

    def create(self, path: str, body: object = None, key: str = "", **more: Any) -> Any:
        """Create something and return the answer; a lost answer is asked for again, and nothing is created twice.

        With the same `key`, several calls create one thing.
        """
        given = more if body is None else {"json": body, **more}
        headers = {"Idempotency-Key": key or str(uuid4())}
        return self._decoded(self._sent("POST", path, again=True, headers=headers, **given))

    def act(self, path: str, body: object = None, again: bool = False) -> Any:
        """Carry out an action and return the answer, None if it is empty. With `again`, twice is the same as once."""
        given = {"json": body} if body is not None else {}
        return self._decoded(self._sent("POST", path, again=again, **given))

    def change(self, path: str, body: object) -> Any:
        """Change something and return the answer."""
        return self._decoded(self._sent("PATCH", path, again=True, json=body))

    def delete(self, path: str) -> None:
        """Delete something."""
        self._sent("DELETE", path, again=False)

    def form(self, path: str, again: bool = False, **fields: str) -> tuple[int, Any]:
        """Send a form and return the status and the answer, which may be an error of OAuth."""
        answer = self._tried("POST", path, again=again, data=fields)
        return answer.status, self._decoded(answer)

    def file(self, path: str) -> bytes:
        """Return a file of JSON as it is."""
        return self._checked(self._sent("GET", path, again=True), JSON).body

    def sheet(self, path: str) -> bytes:
        """Return a file of CSV as it is."""
        return self._checked(self._sent("GET", path, again=True), CSV).body

    def lines(self, path: str, into: IO[bytes] | None = None, **query: object) -> bytes:
        """Return lines of JSON as they are; with `into` they go to that file instead."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._checked(self._sent("GET", path, again=True, params=given, into=into), LINES).body

    def _checked(self, answer: Answer, kind: str) -> Answer:
        if answer.headers.get("Content-Type", "").partition(";")[0] != kind:
            raise self.strange()
        return answer

    def _sent(self, method: str, path: str, *, again: bool, **given: Any) -> Answer:
        answer = self._tried(method, path, again=again, **given)
        if answer.status >= 300:
            raise self._problem(answer)
        return answer

    def _tried(self, method: str, path: str, *, again: bool, **given: Any) -> Answer:
        """Send a request, and after a pause again if the arena is away or busy and `again` allows it."""
        for attempt in range(self.attempts - 1):
            try:
                answer = self._once(method, path, **given)
            except Untrusted:
                raise
            except Unavailable as reason:
                if not again or 2.0**attempt > self.patience:
                    raise
                self._wait(str(reason), 2.0**attempt)
                continue
            seconds = patience(answer, 2.0**attempt)
            busy = _is_busy(answer) if again else answer.status == 429
            if not busy or seconds > self.patience:
                return answer
            self._wait(_sentence(answer), seconds)
        return self._once(method, path, **given)

    def _wait(self, reason: str, seconds: float) -> None:
        click.echo(f"arena: {reason} Next attempt in {seconds:.0f} s.", err=True)
        self.pause(seconds)

    def _once(self, method: str, path: str, *, into: IO[bytes] | None = None, **given: Any) -> Answer:
        """Send a request and read the whole answer, to a file if one is given and it succeeds. Raises `Unavailable`."""
        with explained(self.url):
            response = self._session.request(
                method, self.url + API + path, timeout=self.timeouts, allow_redirects=False, stream=True, **given
            )
            with response:
                if into is None or response.status_code >= 300:
                    return Answer(response.status_code, response.headers, b"".join(self._parts(response, MOST)))
                into.seek(0)
                into.truncate()
                into.writelines(self._parts(response, LARGEST_DOWNLOAD))
                return Answer(response.status_code, response.headers, b"")

    def _parts(self, response: requests.Response, most: int) -> Iterator[bytes]:
        """Yield the parts of an answer, unless it is too long or too slow."""
        size, end = 0, monotonic() + LONGEST_ANSWER
        for part in response.iter_content(CHUNK):
            size += len(part)
            if size > most:
                raise Unavailable(f"{self.url} answers with more than {most // 2**20} MiB.")
            if monotonic() > end:
                raise Unavailable(f"{self.url} does not answer in time.")
            yield part

    def _problem(self, answer: Answer) -> ArenaError:
        """Return the error that an answer stands for, with the arena's own sentence."""
        sentence = _sentence(answer)
        if answer.status < 400:
            place = line(answer.headers.get("Location", ""))[:LONGEST_SENTENCE]
            return Unavailable(f"The arena has moved to {place}. Log in there.") if place else self.strange()
        if answer.status == 401:
            return Rejected(answer.status, f"{sentence} Log in: arena login {self.url}")
        if answer.status == 404:
            return NotFound(sentence)
        after = patience(answer, 0.0)
        return Busy(sentence, after) if answer.status >= 500 else Rejected(answer.status, sentence, after)

    def _decoded(self, answer: Answer) -> Any:
        if not answer.body:
            return None
        try:
            return json.loads(answer.body)
        except (ValueError, RecursionError):
            raise self.strange() from None

    def strange(self) -> Unavailable:
        """Return the error that an answer of another kind than expected stands for."""
        return Unavailable(f"{self.url} did not answer as an arena does.")


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Raise `Unavailable` with a sentence if the arena cannot be reached."""
    try:
        yield
    except requests.exceptions.SSLError as error:
        reason = _reason(error)
        raise Untrusted(f"The certificate of {url} is not trusted: {reason}. {_remedy(reason)}") from None
    except requests.Timeout:
        raise Unavailable(f"{url} does not answer in time.") from None
    except (requests.RequestException, OSError, UnicodeError) as error:
        raise Unavailable(f"{url} cannot be reached: {_reason(error)}.") from None


def _remedy(reason: str) -> str:
    """Return what helps if a certificate is not trusted."""
    if "expired" in reason or "not yet valid" in reason:
        return "Check the clock of this machine."
    return "For one of your own, set REQUESTS_CA_BUNDLE."


def _sentence(answer: Answer) -> str:
    """Return what an error says, with each wrong field."""
    try:
        said = json.loads(answer.body)
        wrong = [f"{one['place']}: {one['detail']}" for one in said.get("errors", ())]
        return line(" ".join([str(said["detail"]), *wrong]))[:LONGEST_SENTENCE]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return f"The arena answered with the status {answer.status}."


def _is_busy(answer: Answer) -> bool:
    """Return whether the same request may succeed later; 409 with a pause means that its first copy is in work."""
    return answer.status in BUSY or (answer.status == 409 and "Retry-After" in answer.headers)


def patience(answer: Answer, usual: float) -> float:
    """Return the number of seconds before the next attempt, which the arena may have named."""
    named = answer.headers.get("Retry-After", "")
    return float(named) if named.isascii() and named.isdecimal() else usual  # clocks disagree about dates


def _reason(error: BaseException) -> str:
    """Return the innermost reason of an error, as a part of a sentence."""
    while inner := [one for one in (getattr(error, "reason", None), *error.args) if isinstance(one, Exception)]:
        error = inner[0]
    return _OBJECT.sub("", line(error)).rstrip(".") or type(error).__name__
