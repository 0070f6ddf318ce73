"""Equal requests that arrive together, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import select

from arena.db.models import AccountLink, Repeat
from arena.remote.http import ATTEMPTS
from arena.services.base.context import Arena, open_arena
from arena.services.people import keys, rosters
from arena.services.people.keys import Scope
from arena.services.people.repeats import LONGEST_WORK, InWork
from tests import factories
from tests.web.api.conftest import Program
from web.api.problems import of_refusal
from web.app import create_app

CLIENTS = 4


@pytest.fixture
def arena(database_url: str, tmp_path: Path) -> Iterator[Arena]:
    """An arena on each kind of database."""
    opened = open_arena(factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url), factories.Bell())
    yield opened
    opened.close()


def test_equal_requests_at_once_have_one_effect(arena: Arena) -> None:
    """Each answer is that of the first request, or says that it is in work."""
    admin = factories.user(arena, "root", admin=True)
    app = create_app(arena, {"SHARED_SECONDS": 0.0})
    token = keys.make(arena, admin, "test", [Scope.ORGANISE])
    start = Barrier(CLIENTS)

    def create(_: int) -> tuple[int, object]:
        program = Program(app, token)
        headers = {**program.headers, "Idempotency-Key": "one"}
        start.wait()
        response = program.client.post("/api/v1/groups", json={"name": "Class"}, headers=headers)
        return response.status_code, response.get_json(force=True).get("id")

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = set(pool.map(create, range(CLIENTS)))

    assert (201, 1) in answers
    assert answers <= {(201, 1), (409, None)}
    assert len(rosters.all_groups(arena, admin)) == 1


def test_repeated_request_gets_the_same_secret(arena: Arena) -> None:
    """The database keeps it sealed: without the token of the request nobody reads it, not even its account."""
    admin = factories.user(arena, "root", admin=True)
    app = create_app(arena, {"SHARED_SECONDS": 0.0})
    first, other = (Program(app, keys.make(arena, admin, name, [Scope.ADMINISTER])) for name in ("first", "other"))

    def ask(program: Program, key: str, status: int = 200) -> str:
        answer = program.ask("POST", f"/members/{admin.id}/reset", status, headers={"Idempotency-Key": key})
        return str(answer.get_json(force=True).get("link", answer.text))

    link = ask(first, "one")
    assert ask(first, "one") == link
    assert ask(first, "two") != link
    assert "only its own token or session may see the answer" in ask(other, "one", 409)
    with arena.reading() as session:
        assert len(session.scalars(select(AccountLink)).all()) == 2
        kept = str([row.answer for row in session.scalars(select(Repeat))])
    assert link.rpartition("/")[2] not in kept


def test_request_in_work_names_a_pause() -> None:
    """A client that waits that long each time comes back after the first copy can no longer be in work."""
    pause = of_refusal(InWork("in work")).headers["Retry-After"]

    assert int(pause) * (ATTEMPTS - 1) >= LONGEST_WORK
