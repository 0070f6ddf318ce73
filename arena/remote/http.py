"""Requests to the API of an arena: the token, retries, and errors as sentences."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, Final
from uuid import uuid4

import requests

from arena.games.errors import NotFound, Refused, Unavailable
from arena.remote.texts import line

API: Final = "/api/v1"
TIMEOUTS: Final = (10.0, 60.0)
"""Seconds to connect, and between two parts of an answer."""
ATTEMPTS: Final = 6
LONGEST_PAUSE: Final = 60.0
BUSY: Final = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may succeed."""
CHUNK: Final = 2**16


class Rejected(Refused):
    """A request that the arena refused, with its status."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


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
    """An arena on another machine. Proxies and certificates follow the usual variables, such as ``HTTPS_PROXY``."""

    def __init__(self, url: str, token: str | None, pause: Callable[[float], None] = time.sleep) -> None:
        self.url = url
        self._pause = pause
        self._session = requests.Session()
        self._session.auth = Bearer(token)
        self._session.headers["User-Agent"] = f"suit-arena/{version('suit-arena')}"

    def get(self, path: str, **query: object) -> Any:
        """Return the answer to a GET. Raises `NotFound`, `Rejected` and `Unavailable`."""
        given = {name: value for name, value in query.items() if value is not None}
        return _decoded(self._sent("GET", path, again=True, params=given))

    def items(self, path: str, **query: object) -> Iterator[Any]:
        """Yield all items of a list."""
        cursor: str | None = ""
        while cursor is not None:
            part = self.get(path, **query, cursor=cursor or None)
            yield from part["items"]
            cursor = part["next"]

    def create(self, path: str, body: object = None, **more: Any) -> Any:
        """Create something and return the answer; a lost answer is asked for again, and nothing is created twice."""
        given = more if body is None else {"json": body, **more}
        key = {"Idempotency-Key": str(uuid4())}
        return _decoded(self._sent("POST", path, again=True, headers=key, **given))

    def act(self, path: str, body: object = None) -> Any:
        """Carry out an action and return the answer, None if it is empty."""
        given = {"json": body} if body is not None else {}
        return _decoded(self._sent("POST", path, again=False, **given))

    def change(self, path: str, body: object) -> Any:
        """Change something and return the answer."""
        return _decoded(self._sent("PATCH", path, again=True, json=body))

    def delete(self, path: str) -> None:
        """Delete something."""
        self._sent("DELETE", path, again=False)

    def form(self, path: str, **fields: str) -> tuple[int, Any]:
        """Send a form and return the status and the answer, which may be an error of OAuth."""
        response = self._tried("POST", path, again=False, data=fields)
        return response.status_code, _decoded(response)

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[bytes]]:
        """Yield the parts of a large answer."""
        response = self._sent("GET", path, again=True, stream=True)
        with response, _explained(self.url):
            yield response.iter_content(CHUNK)

    def _sent(self, method: str, path: str, *, again: bool, **given: Any) -> requests.Response:
        response = self._tried(method, path, again=again, **given)
        if response.status_code >= 300:
            raise _problem(response)
        return response

    def _tried(self, method: str, path: str, *, again: bool, **given: Any) -> requests.Response:
        """Send a request, and after a pause again if the arena is away or busy and `again` allows it."""
        for attempt in range(ATTEMPTS):
            last = attempt == ATTEMPTS - 1
            try:
                with _explained(self.url):
                    response = self._session.request(
                        method, self.url + API + path, timeout=TIMEOUTS, allow_redirects=False, **given
                    )
            except Unavailable:
                if last or not again:
                    raise
                self._pause(2.0**attempt)
                continue
            busy = response.status_code in BUSY if again else response.status_code == 429
            if last or not busy:
                return response
            self._pause(_patience(response, 2.0**attempt))
        raise AssertionError("the last attempt returns or raises")


@contextmanager
def _explained(url: str) -> Iterator[None]:
    """Raise `Unavailable` with a sentence if the arena cannot be reached."""
    try:
        yield
    except requests.exceptions.SSLError as error:
        raise Unavailable(
            f"The certificate of {url} is not trusted: {_reason(error)}. For one of your own, set REQUESTS_CA_BUNDLE."
        ) from None
    except requests.Timeout:
        raise Unavailable(f"{url} does not answer in time.") from None
    except requests.RequestException as error:
        raise Unavailable(f"{url} cannot be reached: {_reason(error)}.") from None


def _problem(response: requests.Response) -> Refused | NotFound | Unavailable:
    """Return the error that an answer stands for, with the arena's own sentence."""
    status = response.status_code
    sentence = _sentence(response)
    if status < 400:
        return Unavailable(f"The arena has moved to {line(response.headers.get('Location', ''))}. Log in there.")
    if status == 401:
        return Rejected(status, f"{sentence} Log in: arena login {response.url.partition(API)[0]}")
    if status == 404:
        return NotFound(sentence)
    return Unavailable(sentence) if status >= 500 else Rejected(status, sentence)


def _sentence(response: requests.Response) -> str:
    """Return what an error says, with each wrong field."""
    try:
        said = response.json()
        wrong = [f"{one['place']}: {one['detail']}" for one in said.get("errors", ())]
        return line(" ".join([str(said["detail"]), *wrong]))
    except (ValueError, LookupError, TypeError, AttributeError):
        return f"The arena answered with the status {response.status_code}."


def _decoded(response: requests.Response) -> Any:
    if not response.content:
        return None
    try:
        return response.json()
    except ValueError:
        raise Unavailable(f"{response.url.partition(API)[0]} did not answer as an arena does.") from None


def _patience(response: requests.Response, usual: float) -> float:
    """Return the number of seconds before the next attempt, which the arena may have named."""
    named: Mapping[str, str] = response.headers
    try:
        seconds = float(named.get("Retry-After", usual))
    except ValueError:  # a date, which clocks disagree about
        seconds = usual
    return min(max(seconds, 0.0), LONGEST_PAUSE)


def _reason(error: Exception) -> str:
    """Return the innermost reason of an error, as a part of a sentence."""
    while (inner := getattr(error, "reason", None) or (error.args and error.args[0])) and isinstance(inner, Exception):
        error = inner
    return line(error).rstrip(".")
