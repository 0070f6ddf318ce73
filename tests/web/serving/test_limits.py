"""Rate limits: their keys, guesses of passwords, and the memory that counts take."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis
from flask import Flask

from arena.cli import parts
from tests.cli.processes import until
from tests.web.conftest import PASSWORD, Person
from web.serving import limits
from web.serving.security import VISITOR_CAP


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("localhost", "unknown"),
        (None, "unknown"),
    ],
)
def test_addresses_of_a_network_count_as_one(address: str | None, client: str) -> None:
    """An IPv6 client has a whole network; an IPv4 address may be written as IPv6."""
    assert limits.network(address) == client


def test_keys_are_short_and_few(app: Flask) -> None:
    """Whatever name is tried, its key has four digits, and capitals make no other key."""
    with app.test_request_context("/login", method="POST", data={"name": "x" * 50_000}):
        long = limits.guessed()
    with app.test_request_context("/login", method="POST", data={"name": " ADA "}):
        capitals = limits.guessed()
    with app.test_request_context("/login", method="POST", data={"name": "ada"}):
        assert limits.guessed() == capitals

    assert long.startswith("account:")
    assert len(long) == len(capitals) == len("account:0000")


def test_names_too_large_to_be_read_do_not_switch_off_the_storage(app: Flask) -> None:
    """The request gets 413, and counts stay where other web servers see them."""
    Person(app).send("/login", 413, name="x" * (VISITOR_CAP + 1), password=PASSWORD)

    assert not limits.limiter._storage_dead


@pytest.fixture
def classes(app: Flask) -> None:
    """Classes of addresses by a key with which no two addresses of these tests share one."""
    app.secret_key = "one"


def guess(app: Flask, address: str, name: str = "ada", password: str = PASSWORD[1:]) -> int:
    """Return the status of an attempt to log in from an address."""
    form = {"name": name, "password": password}
    return app.test_client().post("/login", data=form, environ_overrides={"REMOTE_ADDR": address}).status_code


@pytest.mark.usefixtures("classes")
def test_guesses_are_limited_whatever_the_address(ada: Person, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 addresses with two guesses each within an hour, 40 guess once, and 20 others are answered."""
    clock = Clock(monkeypatch)
    first, second = [], []
    for number in range(60):
        clock.now += 25
        first.append(guess(app, f"2001:db8:{number:x}::1"))
        second.append(guess(app, f"2001:db8:{number:x}::1"))

    assert (first, second.count(400)) == ([400] * 40 + [429] * 20, 20)


def test_a_network_is_not_many_addresses(ada: Person, app: Flask) -> None:
    """Only the first guess from an IPv6 site counts as that of a new address, so it cannot use up all of those."""
    answered = [guess(app, f"2001:db8:1:{number:x}::1") for number in range(30)]

    assert answered == [400] * 21 + [429] * 9
    assert guess(app, "2001:db8:2::1", password=PASSWORD) == 302


def test_an_address_is_slowed_by_its_failures(ada: Person, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address has ten wrong guesses an hour for an account and 300 for all, and log-ins do not count."""
    clock = Clock(monkeypatch)
    assert [guess(app, "192.0.2.1") for _ in range(11)] == [400] * 10 + [429]
    assert [guess(app, "192.0.2.2", password=PASSWORD) for _ in range(5)] == [302] * 5
    answered = []
    for number in range(310):
        clock.now += 1
        answered.append(guess(app, "192.0.2.3", f"name-{number}"))
    assert answered == [400] * 300 + [429] * 10


@pytest.mark.usefixtures("classes")
def test_names_without_account_are_limited_alike(ada: Person, app: Flask) -> None:
    """The limit does not tell whether a name exists."""
    for name in ("nobody", "ada"):
        assert [guess(app, "192.0.2.1", name) for _ in range(11)] == [400] * 10 + [429]
        assert [guess(app, f"198.51.100.{number}", name) for number in range(40)] == [400] * 39 + [429]


class Clock:
    """Time of the limits, which a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_800_000_000.0
        monkeypatch.setattr("limits.storage.memory.time.time", lambda: self.now)


def test_owner_logs_in_while_strangers_guess(ada: Person, app: Flask) -> None:
    """The right password opens from an address without failures, and from a browser with an earlier log-in."""
    ada.send("/logout")
    for number in (1, 2, 3):
        while guess(app, f"192.0.2.{number}") == 400:
            pass

    assert guess(app, "192.0.2.1", password=PASSWORD) == 429
    assert guess(app, "192.0.2.4", password=PASSWORD) == 302
    assert "My bots" in ada.send("/login", name="Ada", password=PASSWORD)


def test_known_browser_is_no_licence_to_guess(ada: Person) -> None:
    """Guesses from it are limited as well, and it is known to its own accounts only."""
    ada.send("/logout")

    statuses = [ada.client.post("/login", data={"name": "ada", "password": "wrong"}).status_code for _ in range(11)]
    assert statuses == [400] * 10 + [429]
    assert ada.client.post("/login", data={"name": "bob", "password": "wrong"}).status_code == 400


def test_forged_and_shared_browsers(ada: Person, app: Flask) -> None:
    """A cookie that the arena has not signed is worth nothing, and a browser remembers several accounts."""
    ada.send("/logout")
    ada.name = "bob"
    ada.register().send("/logout")
    while guess(app, "192.0.2.1") == 400:
        pass
    forger = app.test_client()
    forger.set_cookie("arena_device", "WyIwMCIsWyJhZGEiXV0.aaaaaa.bbbb")
    there = {"REMOTE_ADDR": "192.0.2.1"}

    assert "My bots" in ada.send("/login", name="ada", password=PASSWORD)
    form = {"name": "ada", "password": PASSWORD}
    assert forger.post("/login", data=form, environ_overrides=there).status_code == 429


def test_storage_that_dies_costs_no_request(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that finds it dead just after another one did is counted in this process, and answered."""

    def die(*_: object, **__: object) -> bool:
        limits.limiter._storage_dead = True  # as the other request does meanwhile
        raise redis.ConnectionError

    monkeypatch.setattr(limits.limiter._limiter, "hit", die)
    monkeypatch.setattr(limits.limiter._limiter, "test", die)
    monkeypatch.setattr(limits.limiter._storage, "check", lambda: False)
    monkeypatch.setattr(limits.limiter, "_storage_dead", False)

    assert guess(app, "192.0.2.9") == 400


def test_storage_that_dies_after_the_count_costs_no_answer(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that has waited comes without the headers about what is left."""

    def die(*_: object, **__: object) -> int:
        raise redis.ConnectionError

    answer = app.test_client().get("/api/v1/")
    monkeypatch.setattr(limits.limiter._limiter, "get_window_stats", die)
    later = app.test_client().get("/api/v1/")

    assert (answer.status_code, later.status_code) == (200, 200)
    assert ("RateLimit" in answer.headers, "RateLimit" in later.headers) == (True, False)


def test_requests_are_counted_before_the_token_is_checked(app: Flask) -> None:
    """Requests without a token use up the limit, too."""
    app.config["WTF_CSRF_ENABLED"] = True

    assert [guess(app, "192.0.2.1") for _ in range(11)] == [400] * 10 + [429]


@pytest.fixture
def broker() -> Iterator[redis.Redis]:
    """A broker as the arena runs it, with a hundredth of the memory."""
    size, _, *policy = parts.BOUNDED[1:2], *parts.BOUNDED[1:]
    assert size == ("256mb",)
    with TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:
        path = Path(folder) / "valkey.sock"
        command = [parts.valkey_program(), "--port", "0", "--unixsocket", str(path), "--save", "", "--maxmemory", "3mb"]
        with subprocess.Popen([*command, *policy], cwd=folder, stdout=subprocess.DEVNULL) as process:
            until(lambda: parts.pings(path), "the broker answers")
            yield redis.Redis(unix_socket_path=str(path))
            process.terminate()


def test_counts_never_cost_a_doorbell(broker: redis.Redis) -> None:
    """If the memory of the broker is full, counts make room, and doorbells are kept and accepted."""
    broker.rpush("tables", *range(100))
    with broker.pipeline(transaction=False) as pipeline:
        for number in range(3000):
            pipeline.set(f"LIMITS:{number}", b"x" * 1000, ex=60)
        pipeline.execute()

    assert len(list(broker.scan_iter("LIMITS:*"))) < 3000
    assert broker.rpush("tables", 100) == 101
