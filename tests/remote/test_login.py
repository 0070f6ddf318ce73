"""Log-in, log-out, and where tokens are kept."""

import json
from pathlib import Path

import pytest

from arena.remote import logins
from arena.settings import unknown
from tests.remote.conftest import TOKEN, URL, Client, FakeArena, Said, problem

CODES = {
    "device_code": "secret", "user_code": "BCDF-GHJK", "interval": 5,
    "verification_uri_complete": f"{URL}/device?code=BCDF-GHJK",
}  # fmt: skip
PENDING = Said({"error": "authorization_pending"}, 400)


def kept(client: Client) -> Path:
    """Return the path of the file with the tokens."""
    return client.home / "suit-arena" / "logins.json"


@pytest.fixture
def fresh(client: Client) -> Client:
    """A user without variables."""
    client.environ |= {"ARENA_TOKEN": "", "ARENA_URL": ""}
    return client


def test_login_waits_for_the_browser(fresh: Client, fake: FakeArena) -> None:
    """The code and its page are shown, and the token is kept in a file that only its owner reads."""
    fake.on("POST /device", Said(CODES))
    granted = Said({"access_token": TOKEN})
    fake.on("POST /device/token", PENDING, Said({"error": "slow_down"}, 400), granted)
    fake.on("GET /me", Said({"name": "ada"}))

    result = fresh.run("login", "arena.example", "--scope", "organise")

    assert result.stdout == f"You are logged in to {URL} as ada.\n"
    assert f"Open {URL}/device?code=BCDF-GHJK\nand confirm the code BCDF-GHJK" in result.stderr
    assert "scope=organise" in str(fake.asked[0].body)
    assert fake.asked[-1].headers["Authorization"] == f"Bearer {TOKEN}"
    assert kept(fresh).stat().st_mode & 0o777 == 0o600
    assert json.loads(kept(fresh).read_text()) == {"default": URL, "tokens": {URL: TOKEN}}


def test_refused_login_keeps_nothing(fresh: Client, fake: FakeArena) -> None:
    """The reason is the arena's sentence."""
    fake.on("POST /device", Said(CODES))
    fake.on("POST /device/token", Said({"error": "access_denied", "error_description": "It was refused."}, 400))
    assert fresh.run("login", URL, code=1).stderr.endswith("arena: It was refused.\n")

    fake.on("POST /device", problem(403, "Not today."))
    assert "Not today." in fresh.run("login", URL, code=1).stderr
    assert not kept(fresh).exists()


def test_token_from_standard_input(fresh: Client, fake: FakeArena) -> None:
    """A token is tried before it is stored, and an unencrypted connection gives a warning."""
    fake.on("GET /me", Said({"name": "ada"}))
    assert (
        "others on the way can read" in fresh.run("login", "http://arena.example", "--token-stdin", stdin=TOKEN).stderr
    )
    assert "others" not in fresh.run("login", "http://127.0.0.1:8000/", "--token-stdin", stdin=f"{TOKEN}\n").stderr

    fake.on("GET /me", problem(401, "Send a valid access token."))
    assert "Log in: arena login" in fresh.run("login", URL, "--token-stdin", stdin="bad", code=1).stderr
    assert list(json.loads(kept(fresh).read_text())["tokens"]) == ["http://arena.example", "http://127.0.0.1:8000"]


def test_logout_revokes_and_forgets(fresh: Client, fake: FakeArena) -> None:
    """Another log-in becomes the default."""
    fake.on("GET /me", Said({"name": "ada"}))
    fake.on("POST /device/revoke", Said({}))
    for url in (URL, "https://other.example"):
        fresh.run("login", url, "--token-stdin", stdin=TOKEN)

    assert fresh.out("logout") == "You are logged out of https://other.example.\n"
    assert fake.asked[-1].body == f"token={TOKEN}"
    assert fresh.json("logout", "--arena", URL) == {"arena": URL}
    assert "You are not logged in to an arena." in fresh.run("logout", code=1).stderr
    assert json.loads(kept(fresh).read_text()) == {"default": None, "tokens": {}}


def test_arena_must_be_named(fresh: Client) -> None:
    """Without a log-in the message says what to do, and a wrong address is a usage error."""
    assert "no arena is named: run arena login URL" in fresh.run("status", code=2).stderr
    for wrong in (
        "ftp://arena.example",
        "https://ann:secret@arena.example",
        "https://",
        "https://a:b",
        "https://a?b=1",
        "a\tb",
    ):
        assert "is not the address of an arena" in fresh.run("login", wrong, code=2).stderr


def test_file_of_tokens_is_private(fresh: Client) -> None:
    """A file that others may read, or that is damaged, is named."""
    kept(fresh).parent.mkdir()
    kept(fresh).write_text("{}")
    kept(fresh).chmod(0o644)
    assert "chmod 600" in fresh.run("status", code=1).stderr

    kept(fresh).chmod(0o600)
    assert "is damaged" in fresh.run("status", code=1).stderr
    kept(fresh).unlink()
    kept(fresh).mkdir(0o700)
    assert f"Cannot read or write {kept(fresh)}: Is a directory." in fresh.run("status", code=1).stderr


def test_variables_need_no_file(client: Client, fake: FakeArena) -> None:
    """A build with both variables does not look for the file."""
    kept(client).mkdir(parents=True)
    fake.on("GET /me/bots", Said({"items": [], "next": None}))

    assert client.json("status") == []


@pytest.mark.parametrize("token", ["suit_\u00e9", "suit_a b", "suit_a\nX-Header: 1"])
def test_token_that_no_header_may_have_is_not_repeated(fresh: Client, fake: FakeArena, token: str) -> None:
    """The sentence says where it came from, and nothing is sent."""
    fresh.environ |= {"ARENA_TOKEN": token, "ARENA_URL": URL}

    result = fresh.run("status", code=1)

    assert "ARENA_TOKEN has no token of an arena" in result.stderr
    assert "suit_" not in result.output
    assert fake.asked == []


def test_each_arena_gets_its_own_token(fresh: Client, fake: FakeArena) -> None:
    """A token goes only to the arena that made it."""
    fake.on("GET /me", Said({"name": "ada"}))
    fake.on("GET /me/bots", Said({"items": [], "next": None}))
    for number in (1, 2):
        fresh.run("login", f"https://{number}.example", "--token-stdin", stdin=f"suit_{number}")

    fresh.json("status", "--arena", "https://1.example")
    assert fake.asked[-1].headers["Authorization"] == "Bearer suit_1"
    fresh.json("status", "--arena", "https://3.example")
    assert "Authorization" not in fake.asked[-1].headers
    assert "has no token" in fresh.run("login", URL, "--token-stdin", stdin=" ", code=2).stderr


def test_home_folder_has_the_file_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The place follows the usual rule for settings of users."""
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert logins.path() == tmp_path / ".config/suit-arena/logins.json"


def test_token_variable_is_no_wrong_setting() -> None:
    """Other commands do not complain about it."""
    assert unknown({"ARENA_TOKEN": TOKEN}) == []
