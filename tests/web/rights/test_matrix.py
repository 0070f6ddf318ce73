"""The authorisation matrix: every page and operation for every kind of caller, with canaries in all that is hidden.

`tests.web.rights.expected` says who may use what, `tests.web.rights.canaries` who may read what. A caller who may not
use something is refused, changes nothing, and gets no text that is not for them.
"""

import copy
import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile, is_zipfile

import pytest
from werkzeug.test import TestResponse

from arena.services.people import keys, sessions
from tests.web.filled import Filled, fill
from tests.web.rights import callers, canaries, requests
from tests.web.rights.callers import Caller, Who
from tests.web.rights.expected import RULES
from tests.web.rights.requests import Request
from web.app import create_app
from web.serving.limits import limiter


class Surface(NamedTuple):
    """Pages, or the API."""

    callers: Callable[[Filled], Iterator[Caller]]
    requests: Callable[[Filled], Iterator[Request]]
    unread: frozenset[str]
    """Canaries that nobody reads there."""


HIDDEN: Final = frozenset(word for word, who in canaries.READERS.items() if who is Who.NOBODY)
SURFACES: Final = {
    "pages": Surface(callers.browsers, requests.pages, HIDDEN | {"canaryevent", "canarydue"}),
    "api": Surface(callers.programs, requests.programs, HIDDEN),
}
UNREADY: Final = frozenset({"health.ready", "lti.enter", "lti.chosen"})
"""Pages that answer 503, because this arena has no worker, or 400, because nobody comes from a learning platform."""
SETTINGS: Final = {
    "ARENA_CONTACT": "security@arena.example",
    "ARENA_SECRET_KEY": "canarysecret of the arena, long enough",
    "ARENA_METRICS_TOKEN": "canarysecret of the metrics",
}


@pytest.fixture
def filled(tmp_path: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Filled]:
    """An arena with canaries."""
    home = tmp_path / "canaryhome"
    home.mkdir()
    (home / "arena.db").write_bytes(sqlite_template.read_bytes())
    for module in (keys, sessions):
        monkeypatch.setattr(module, "TOUCHED_EVERY", 9999.0)  # no request but a refused one that acts may change a row
    made = fill(home, **SETTINGS)
    canaries.plant(made)
    limiter.enabled = False
    yield made
    limiter.enabled = True
    made.arena.close()


class Watch:
    """A database that shows whether somebody has changed it, and can be restored."""

    def __init__(self, path: Path) -> None:
        self._here, self._kept = sqlite3.connect(path, isolation_level=None), sqlite3.connect(":memory:")
        self._here.backup(self._kept)
        self._version = self._read()

    def changed(self) -> bool:
        """Return whether anything was committed since the last call."""
        before, self._version = self._version, self._read()
        return before != self._version

    def restore(self) -> None:
        """Undo all changes."""
        self._kept.backup(self._here)

    def close(self) -> None:
        """Close the connections."""
        self._here.close()
        self._kept.close()

    def _read(self) -> int:
        return int(self._here.execute("PRAGMA data_version").fetchone()[0])


class Inquiry:
    """Sends requests, and keeps what is wrong with the answers."""

    def __init__(self, filled: Filled) -> None:
        app = create_app(filled.arena, {"WTF_CSRF_ENABLED": False})
        self._client = app.test_client(use_cookies=False)
        self._watch = Watch(filled.arena.settings.home / "arena.db")
        self._tags: dict[str, str] = {}
        self.sent = 0
        self.wrong: list[str] = []
        self.read: set[str] = set()
        """Canaries that somebody has read."""

    def close(self) -> None:
        """Release the database."""
        self._watch.close()

    def ask(self, caller: Caller, request: Request) -> None:
        """Send a request, judge the answer, and undo what it did."""
        response = self._send(caller, request)
        self.sent += 1
        changed = self._watch.changed()
        for fault in (*_faults(caller, request, response, changed), *self._leaks(caller, request, response)):
            self.wrong.append(f"{caller.name}: {request.method} {request.address} ({request.name}) {fault}")
        if changed and not request.is_safe:
            self._watch.restore()
            self._watch.changed()

    def _send(self, caller: Caller, request: Request) -> TestResponse:
        """Send a request with the ETag that others got, which must not help."""
        headers = {**caller.headers, "Accept-Encoding": "identity"}
        if not allowed(caller, request) and request.address in self._tags:
            headers["If-None-Match"] = self._tags[request.address]
        response = self._client.open(
            request.address, method=request.method, headers=headers, **copy.deepcopy(request.body)
        )
        if tag := response.headers.get("ETag"):
            self._tags[request.address] = tag
        return response

    def _leaks(self, caller: Caller, request: Request, response: TestResponse) -> Iterator[str]:
        found = canaries.words(text_of(response)) - canaries.words(str(request))
        self.read |= found
        yield from (
            f"tells {word}, which is for {canaries.READERS.get(word, Who.NOBODY)}"
            for word in sorted(found)
            if not caller.may(canaries.READERS.get(word, Who.NOBODY))
        )


def _faults(caller: Caller, request: Request, response: TestResponse, changed: bool) -> Iterator[str]:
    """Yield what is wrong with an answer, apart from its text."""
    status, refused = response.status_code, is_refused(request, response)
    if not allowed(caller, request):
        if not refused:
            yield f"answers {status}, but is for {request.at_most or RULES[request.name].who} only"
        if changed:
            yield f"answers {status} and changes the database"
    elif request.at_most is None and (refused or (request.is_safe and status >= 400 and request.name not in UNREADY)):
        yield f"answers {status}, but is for {RULES[request.name].who}"


def allowed(caller: Caller, request: Request) -> bool:
    """Return whether a caller may send a request."""
    rule = RULES[request.name]
    return caller.may(request.at_most or rule.who, None if request.at_most is Who.ANYBODY else rule.scope)


def is_refused(request: Request, response: TestResponse) -> bool:
    """Return whether an answer is a refusal, or leads to the log-in."""
    return response.status_code in request.refusals or response.headers.get("Location", "").startswith("/login")


def text_of(response: TestResponse) -> str:
    """Return all of an answer as text: status, headers and body, with the files of an archive."""
    body = response.data
    if is_zipfile(io.BytesIO(body)):
        with ZipFile(io.BytesIO(body)) as archive:
            body += b"\n".join(archive.read(name) for name in archive.namelist())
    return f"{response.status}\n{response.headers}\n{body.decode('latin-1')}"


def test_every_page_and_operation_has_a_rule(filled: Filled) -> None:
    """A new one must be added to the table, and leaves it when it goes."""
    names = {request.name for one in SURFACES.values() for request in one.requests(filled)}

    assert not (missing := names - RULES.keys()), (
        f"tests/web/rights/expected.py does not say who may use {', '.join(sorted(missing))}: "
        "add each page to PAGES, and each operation to OPERATIONS with the scope that it needs"
    )
    assert RULES.keys() - names == set(), "these are in tests/web/rights/expected.py, but there are no such addresses"


@pytest.mark.parametrize("surface", SURFACES)
def test_reading_follows_the_table(
    filled: Filled, surface: str, record_property: Callable[[str, object], None]
) -> None:
    """Nobody reads what is not for them; those for whom it is do; and every canary that has readers is found."""
    read = inquire(filled, SURFACES[surface], lambda request: request.is_safe, record_property)

    assert canaries.READERS.keys() - read == SURFACES[surface].unread


@pytest.mark.parametrize("surface", SURFACES)
def test_acting_follows_the_table(filled: Filled, surface: str, record_property: Callable[[str, object], None]) -> None:
    """A refused request changes nothing and tells nothing."""
    inquire(filled, SURFACES[surface], lambda request: not request.is_safe, record_property)


def inquire(
    filled: Filled, surface: Surface, which: Callable[[Request], bool], record: Callable[[str, object], None]
) -> set[str]:
    """Let all callers send all requests of a kind, and assert that each is judged right. Return the canaries read."""
    asking, asked = list(surface.callers(filled)), [one for one in surface.requests(filled) if which(one)]
    with closing(Inquiry(filled)) as inquiry:
        for caller, request in product(asking, asked):
            inquiry.ask(caller, request)
    record("tells", f"{inquiry.sent:,} requests: {len(asked)} by each of {len(asking)} callers")
    assert inquiry.wrong == [], "\n".join(inquiry.wrong)
    return inquiry.read
