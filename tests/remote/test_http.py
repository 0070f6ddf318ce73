"""Requests of the client: the token, retries, and errors as sentences."""

from itertools import count

import pytest
import requests

from arena.games.errors import NotFound, Unavailable
from arena.remote.http import ATTEMPTS, Rejected, Remote
from tests.remote.conftest import URL, FakeArena, Said, problem


class Waits:
    """Pauses that are noted instead of waited for."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def waits() -> Waits:
    """Pauses of the client."""
    return Waits()


@pytest.fixture
def remote(fake: FakeArena, waits: Waits) -> Remote:
    """The client's end of the connection."""
    return Remote(URL, "suit_secret", waits)


def test_token_is_sent_in_its_header(fake: FakeArena, remote: Remote) -> None:
    """The token is in no address, and a netrc file does not replace it."""
    fake.on("GET /me", Said({"name": "ada"}))

    assert remote.get("/me", page=None) == {"name": "ada"}
    assert fake.asked[0].headers["Authorization"] == "Bearer suit_secret"
    assert fake.asked[0].url == f"{URL}/api/v1/me"


def test_busy_arena_is_asked_again(fake: FakeArena, remote: Remote, waits: Waits) -> None:
    """The client waits as long as the arena says, and longer each time if it names no seconds."""
    late = [Said(None, 503, {"Retry-After": text}) for text in ("7", "nan", "Wed, 21 Oct 2026 07:28:00 GMT")]
    fake.on("GET /me", requests.ConnectionError("away"), *late, Said({"name": "ada"}))

    assert remote.get("/me") == {"name": "ada"}
    assert waits.seconds == [1.0, 7.0, 4.0, 8.0]


def test_request_in_work_is_asked_for_again(fake: FakeArena, remote: Remote, waits: Waits) -> None:
    """After a restart of the arena, the first copy of a request counts as in work; other conflicts are final."""
    fake.on("POST /bots", Said({"detail": "in work"}, 409, {"Retry-After": "20"}), Said({"id": 3}, 201))
    assert remote.create("/bots") == {"id": 3}
    assert waits.seconds == [20.0]

    fake.on("POST /bots", problem(409, "Look for what the request made."))
    with pytest.raises(Rejected, match="Look for"):
        remote.create("/bots")


def test_long_pause_is_not_waited_for(fake: FakeArena, remote: Remote, waits: Waits) -> None:
    """If the arena asks for more than five minutes, its sentence ends the command."""
    busy = problem(429, "20 uploads an hour.")
    busy.headers["Retry-After"] = "900"
    fake.on("GET /me", busy)

    with pytest.raises(Rejected, match="20 uploads an hour"):
        remote.get("/me")
    assert waits.seconds == []

    fake.on("GET /me", Said(None, 503, {"Retry-After": "300"}), Said({"name": "ada"}))
    assert remote.get("/me") == {"name": "ada"}
    assert waits.seconds == [300.0]


def test_impatient_client_gives_up_early(fake: FakeArena, remote: Remote, waits: Waits) -> None:
    """No pause is longer than allowed, neither its own nor one that the arena asks for."""
    remote.patience = 2.0
    fake.on("GET /me", requests.ConnectionError("away"))
    with pytest.raises(Unavailable, match="away"):
        remote.get("/me")
    assert waits.seconds == [1.0, 2.0]

    fake.on("GET /me", Said({"detail": "Wait."}, 429, {"Retry-After": "3"}))
    with pytest.raises(Rejected, match="Wait"):
        remote.get("/me")


def test_client_gives_up(fake: FakeArena, remote: Remote) -> None:
    """After some attempts the reason is one sentence."""
    fake.on("GET /me", requests.ConnectionError("no route to host"))
    with pytest.raises(Unavailable, match=r"https://arena.example cannot be reached: no route to host\."):
        remote.get("/me")
    assert len(fake.asked) == ATTEMPTS

    fake.on("GET /me", requests.Timeout())
    with pytest.raises(Unavailable, match="does not answer in time"):
        remote.get("/me")
    fake.on("GET /me", requests.exceptions.SSLError(OSError("self-signed certificate")))
    with pytest.raises(Unavailable, match=r"not trusted: self-signed certificate\. For one of your own, set REQUESTS"):
        remote.get("/me")
    assert len(fake.asked) == 2 * ATTEMPTS + 1
    fake.on("GET /me", requests.exceptions.SSLError(OSError("certificate is not yet valid")))
    with pytest.raises(Unavailable, match="Check the clock of this machine"):
        remote.get("/me")
    fake.on("GET /me", problem(503, "The arena is being upgraded."))
    with pytest.raises(Unavailable, match="is being upgraded"):
        remote.get("/me")


def test_creation_is_repeated_with_its_key(fake: FakeArena, remote: Remote) -> None:
    """A lost answer is asked for again with the same key, so that nothing is created twice."""
    fake.on("POST /trials", requests.ConnectionError(), Said({"id": 1}, 201))

    assert remote.create("/trials", {"bot": 1}) == {"id": 1}
    first, second = (one.headers["Idempotency-Key"] for one in fake.asked)
    assert first == second
    remote.create("/trials", {"bot": 1})
    assert fake.asked[2].headers["Idempotency-Key"] != first


def test_action_is_repeated_only_if_it_was_not_done(fake: FakeArena, remote: Remote) -> None:
    """A request that was turned away for its rate is sent again, one whose answer was lost is not."""
    fake.on("POST /tournaments/1/start", problem(429, "Too many requests."), Said({"state": "running"}))
    assert remote.act("/tournaments/1/start") == {"state": "running"}

    fake.on("POST /tournaments/1/start", requests.ConnectionError("reset"))
    with pytest.raises(Unavailable):
        remote.act("/tournaments/1/start", {})
    assert len(fake.asked) == 3


def test_changes_and_deletions(fake: FakeArena, remote: Remote) -> None:
    """A deletion has no answer."""
    fake.on("PATCH /bots/1", Said({"name": "new"}))
    fake.on("DELETE /bots/1", Said(b"", 204))

    assert remote.change("/bots/1", {"name": "new"}) == {"name": "new"}
    remote.delete("/bots/1")
    assert [one.method for one in fake.asked] == ["PATCH", "DELETE"]


def test_lists_are_followed(fake: FakeArena, remote: Remote) -> None:
    """Each part is asked for when it is needed."""
    numbers = count(1)

    def part(_: requests.PreparedRequest) -> Said:
        number = next(numbers)
        return Said({"items": [number], "next": "more" if number < 3 else None})

    fake.on("GET /matches", part)

    assert list(remote.items("/matches", limit=1)) == [1, 2, 3]
    assert [one.path_url for one in fake.asked[:2]] == [
        "/api/v1/matches?limit=1", "/api/v1/matches?limit=1&cursor=more",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "kind", "sentence"),
    [
        (problem(422, "The name bot is taken."), Rejected, "^The name bot is taken.$"),
        (problem(400, "Wrong.", errors=[{"place": "body.x", "detail": "No."}]), Rejected, "Wrong. body.x: No."),
        (problem(401, "Send a token."), Rejected, "^Send a token. Log in: arena login https://arena.example$"),
        (problem(404, "There is no bot 7."), NotFound, "^There is no bot 7.$"),
        (problem(500, "The error has been logged."), Unavailable, "has been logged"),
        (problem(403, "\x1b[31mred\u202e\n"), Rejected, "^\ufffd\\[31mred\ufffd\ufffd$"),
        (Said(b"<h1>Bad gateway</h1>", 403), Rejected, "answered with the status 403"),
        (Said([1], 403), Rejected, "answered with the status 403"),
        (Said(b"", 301, {"Location": "https://other.example/"}), Unavailable, "has moved to https://other.example/"),
        (Said(b"", 304), Unavailable, "did not answer as an arena does"),
        (Said(b"[" * 100_000), Unavailable, "did not answer as an arena does"),
        (Said(b"[" * 100_000, 500), Unavailable, "with the status 500"),
        (Said(b'{"name": "a'), Unavailable, "did not answer as an arena does"),
        (Said(b"<html>"), Unavailable, "did not answer as an arena does"),
    ],
)  # fmt: skip
def test_errors_are_sentences(
    fake: FakeArena, remote: Remote, answer: Said, kind: type[Exception], sentence: str
) -> None:
    """Errors are the arena's own sentences, without control characters."""
    fake.on("GET /me", answer)

    with pytest.raises(kind, match=sentence):
        remote.get("/me")
