"""The way to an arena that is away, and tables that it does not know any more."""

from typing import Any

import pytest
import requests

from arena.games.errors import Unavailable
from arena.remote import connect
from arena.remote.connect import Connection
from arena.remote.http import Rejected, Remote, Untrusted
from arena.remote.link import Link
from tests.remote.conftest import TOKEN, URL, FakeArena, Said, problem
from tests.remote.test_connect import OVER, answers, connection

DENIED = problem(401, "This access token has expired.")


def link(pauses: list[float], *tokens: str) -> Link:
    """Return the way to the fake arena, for a user who logs in again with these tokens."""
    left = iter(tokens)
    return Link(Remote(URL, TOKEN, pauses.append), 20.0, lambda: next(left, TOKEN))


def test_token_that_expires_is_read_again(fake: FakeArena) -> None:
    """The client goes on once its user has logged in again; a token that was never accepted ends it at once."""
    fake.on("GET /me", DENIED, Said({"name": "ada"}), DENIED, DENIED, Said({"name": "ada"}))
    pauses: list[float] = []
    way = link(pauses, TOKEN, "suit_other")

    with pytest.raises(Rejected, match="arena login"):
        way.reached(lambda: way.arena.get("/me"))
    for _ in range(2):
        assert way.reached(lambda: way.arena.get("/me")) == {"name": "ada"}

    assert pauses == [1.0, 2.0]
    assert [one.headers["Authorization"] for one in fake.asked][-1] == "Bearer suit_other"
    assert all(TOKEN not in one.path_url for one in fake.asked)


def test_arena_names_the_time_of_the_next_attempt(fake: FakeArena) -> None:
    """The pause is the one of `Retry-After`, but at most five minutes; what was wrong is known meanwhile."""
    later = {"Retry-After": "7"}
    busy = Said({"detail": "Busy."}, 429, later), Said(b"", 503, later), Said(b"", 503, {"Retry-After": "9999"})
    in_work = Said({"detail": "Its first copy is in work."}, 409, later)
    fake.on("GET /me", *busy, in_work, Said(b"<p>", 502), Said(b"[", 200), Said({"name": "ada"}))
    pauses: list[float] = []
    way = link(pauses)
    reasons = list[str]()

    def ask() -> Any:
        reasons.append(way.away.reason if way.away else "")
        return way.arena.get("/me")

    way.reached(ask)

    assert pauses == [7.0, 7.0, 300.0, 7.0, 8.0, 8.0]
    assert reasons[:2] == ["", "Busy."]
    assert reasons[-1] == f"{URL} did not answer as an arena does."
    assert way.away is None


def test_silent_connection_is_given_up_after_the_wait(fake: FakeArena) -> None:
    """A stream that dies silently does not stop the client: it reads for little longer than the arena may wait."""
    way = link([])

    _, reading = way.arena.timeouts

    assert 20.0 < reading <= 30.0


def test_wrong_certificate_ends_the_command_at_the_start_only(fake: FakeArena) -> None:
    """Trying again does not help a user who has named the wrong arena."""
    wrong = requests.exceptions.SSLError("self-signed certificate")
    fake.on("GET /me", wrong, Said({"name": "ada"}), wrong, Said({"name": "ada"}))
    way = link([])

    with pytest.raises(Untrusted):
        way.reached(lambda: way.arena.get("/me"))
    for _ in range(2):
        assert way.reached(lambda: way.arena.get("/me"))


def test_nothing_is_asked_that_nobody_wants(fake: FakeArena) -> None:
    """A move for a question that is not open any more is not sent again."""
    fake.on("GET /me", requests.ConnectionError("away"))
    way, wanted = link([]), iter([True, True, False])

    assert way.reached(lambda: way.arena.get("/me"), lambda: next(wanted)) is None
    assert len(fake.asked) == 2


def test_tables_that_the_arena_lost_are_ended(
    fake: FakeArena, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the restore of a backup nobody says that they are over: the client looks them up."""
    monkeypatch.setattr(connect, "SILENCE", -1.0)
    fake.on("GET /seats/next", answers())
    fake.on("POST /live-tables", Said({"code": "abc", "page": "/play/abc"}, 201))
    ended = {"code": "abc", "state": "finished", "seat": 1, "scores": [1, 2], "ranks": [2, 1], "problem": None}
    fake.on("GET /live-tables/abc", Said({**ended, "state": "playing"}), Said(ended))

    found = connection(fake, [])
    found.run()
    assert (found.scores, found.ranks) == ([2], [1])

    fake.on("GET /live-tables/abc", problem(404, "There is no such table."))
    connection(fake, []).run()
    assert "abc: lost: the arena does not know it any more" in capsys.readouterr().out


def test_full_arena_ends_only_a_client_without_tables(fake: FakeArena, capsys: pytest.CaptureFixture[str]) -> None:
    """With tables at play, it goes on with those."""
    made = Said({"code": "abc", "page": "/play/abc"}, 201)
    fake.on("POST /live-tables", made, problem(422, "All tables are taken."))
    fake.on("GET /seats/next", answers(), answers(), answers(over=(OVER,)))
    way = link([])
    found = Connection(way, lambda: pytest.fail("no question came"), {}, 2, 2)

    with pytest.raises(Rejected, match="All tables are taken"):
        found.run()

    assert "no other table is opened now: All tables are taken." in capsys.readouterr().out
    assert found.ranks == [1]


def test_answers_of_another_shape_count_as_away(fake: FakeArena) -> None:
    """A page of a proxy that is JSON, too, does not end the command."""
    strange: list[Any] = [None, [], {}, {"cursor": 1, "questions": [{}], "over": []}]
    fake.on("GET /seats/next", *map(Said, strange), answers())
    pauses: list[float] = []
    found = connection(fake, pauses)
    found.end()

    found.run()

    assert len(pauses) == len(strange)
    with pytest.raises(Unavailable):
        raise found.link.arena.strange()
