"""Security: headers, CSRF tokens, rate limits, sizes and caching."""

import io
import re
import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask, request

from arena.services.base.context import Arena
from tests.web.conftest import FIRST_LEGAL, PASSWORD, Person, words
from web.app import create_app
from web.schedules import pages as schedules
from web.serving.limits import limiter
from web.serving.security import HARD_CAP
from web.tournaments import actions as tournament_actions

PUBLIC = [
    "/",
    "/login",
    "/register",
    "/forgotten",
    "/bots",
    "/leaderboard/",
    "/ladders/",
    "/crosstables/",
    "/statistics/",
    "/comparisons/",
    "/tournaments/",
    "/schedules/",
    "/games/",
    "/games/suitability",
    "/help",
    "/about",
    "/nothing",
]


@pytest.fixture
def guarded(arena: Arena) -> Flask:
    """The app with CSRF protection, as in production."""
    made = create_app(arena)
    limiter.reset()
    return made


def token(page: str) -> str:
    """Return the CSRF token of the first form of a page."""
    found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
    assert found
    return found.group(1)


@pytest.mark.parametrize("address", PUBLIC)
def test_every_page_has_a_strict_content_policy(visitor: Person, address: str) -> None:
    """No page runs inline scripts, can be framed, or has its type guessed."""
    response = visitor.client.get(address)

    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bstyle=|\son[a-z]+=", response.text)


def test_session_cookie_is_protected(visitor: Person) -> None:
    """The cookie is always HttpOnly and SameSite, and Secure over https."""
    form = {"name": "grace", "password": PASSWORD, "repeat": PASSWORD}

    plain = visitor.client.post("/register", data=form).headers["Set-Cookie"]
    secure = visitor.client.get("/bots/upload", base_url="https://localhost").headers["Set-Cookie"]

    assert "HttpOnly" in plain
    assert "SameSite=Lax" in plain
    assert "Secure" not in plain
    assert "Secure" in secure


@pytest.mark.parametrize(
    "address",
    ["/register", "/login", "/logout", "/forgotten", "/account/password", "/account/email", "/account/data",
     "/account/delete", "/account/sessions/end", "/account/sessions/1/end",
     "/bots/upload", "/bots/1/upload", "/bots/1/active", "/versions/1/check",
     "/tournaments/new", "/tournaments/preview", "/tournaments/1/edit",
     *(f"/tournaments/1/{action}" for action in tournament_actions.ACTIONS),
     "/comparisons/new", "/comparisons/1/cancel", "/ladders/suitability-4/start",
     "/schedules/new", "/schedules/preview", "/schedules/1/edit",
     *(f"/schedules/1/{action}" for action in schedules.ACTIONS)],
)  # fmt: skip
def test_forms_without_a_token_are_refused(guarded: Flask, address: str) -> None:
    """Another site cannot submit a form in a member's name."""
    page = Person(guarded).send(address, 400, name="grace", password=PASSWORD)

    assert "This form has expired" in page


def test_expired_form_returns_the_input_without_passwords(guarded: Flask) -> None:
    """The input is shown, escaped, so that it can be copied."""
    page = Person(guarded).send("/bots/upload", 400, name="my-bot", source="x = '<script>'\n", password=PASSWORD)

    assert "my-bot" in page
    assert "x = &#39;&lt;script&gt;&#39;" in page
    assert PASSWORD not in page


def test_expired_form_names_its_fields_in_the_language_of_the_page(guarded: Flask) -> None:
    """A field has the label that it had in the form."""
    author = Person(guarded)
    author.client.set_cookie("arena_language", "de")

    assert "füge den Quelltext ein</label>" in author.send("/bots/upload", 400, source="x = 1\n")


def test_forms_with_a_token_are_accepted(guarded: Flask) -> None:
    """Registering and logging out work as in a browser."""
    grace = Person(guarded)
    first = token(grace.visit("/register"))

    welcome = grace.send("/register", csrf_token=first, name="grace", password=PASSWORD, repeat=PASSWORD)
    farewell = grace.send("/logout", csrf_token=token(welcome))

    assert "Welcome, grace" in welcome
    assert "You are logged out." in farewell


def test_password_guessing_is_limited(visitor: Person) -> None:
    """After ten wrong passwords for a name within a minute, the next attempt gets 429."""
    for _ in range(10):
        visitor.send("/login", 400, name="ada", password="not the password")

    page = visitor.send("/login", 429, name="ada", password="not the password")

    assert "Too many requests" in page


def test_uploads_are_limited_without_losing_input(ada: Person) -> None:
    """The twenty-first upload within a minute gets 429, and the page shows its text."""
    for number in range(20):
        ada.client.post("/bots/upload", data={"name": f"bot-{number}", "source": FIRST_LEGAL})

    page = ada.send("/bots/upload", 429, name="one-more", source="# precious\n")

    assert "Too many requests" in page
    assert "# precious" in page


def test_a_class_behind_one_address_can_register_and_log_in(app: Flask) -> None:
    """Thirty registrations from one address are not limited."""
    for number in range(30):
        Person(app, f"pupil-{number}").register().send("/logout")

    assert "30 authors" in words(Person(app).visit("/"))


def test_uploads_above_the_hard_cap_are_not_read(ada: Person) -> None:
    """A body above the hard cap gets 413."""
    huge = {"name": "big", "file": (io.BytesIO(b"#" * (HARD_CAP + 1)), "bot.py")}

    response = ada.client.post("/bots/upload", data=huge)

    assert response.status_code == 413
    assert "Upload too large" in response.text


def test_only_uploads_may_be_large(visitor: Person) -> None:
    """A log-in form of a megabyte gets 413."""
    page = visitor.send("/login", 413, name="ada", password="x" * 2**20)

    assert "Upload too large" in page


def test_static_files_are_cached_by_fingerprint(visitor: Person) -> None:
    """The URL of a static file has its fingerprint, and an ETag avoids a second transfer."""
    address = re.search(r'href="(/static/[0-9a-f]+/site\.css)"', visitor.visit("/"))
    assert address

    first = visitor.client.get(address.group(1))
    again = visitor.client.get(address.group(1), headers={"If-None-Match": first.headers["ETag"]})

    assert "immutable" in first.headers["Cache-Control"]
    assert again.status_code == 304
    assert visitor.client.get("/static/site.css").headers["Cache-Control"] == "no-cache"


def test_pages_are_not_cached_by_proxies(visitor: Person) -> None:
    """Pages may be specific to the viewer, so they are private."""
    assert visitor.client.get("/").headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(("proxies", "address"), [(0, "127.0.0.1"), (1, "203.0.113.7")])
def test_only_configured_proxies_are_trusted(arena: Arena, proxies: int, address: str) -> None:
    """The visitor's address comes from the number of proxies in the settings."""
    settings = replace(arena.settings, proxies=proxies)
    app = create_app(replace(arena, settings=settings))
    seen: list[str | None] = []
    app.before_request(lambda: seen.append(request.remote_addr))
    app.test_client().get("/about", headers={"X-Forwarded-For": "198.51.100.1, 203.0.113.7"})

    assert seen == [address]


LESS_THAN = "<" * 2**20


def test_large_forms_of_visitors_are_not_read(guarded: Flask) -> None:
    """A form of 31 MB without an account gets a small page, whether it is pasted or a file."""
    for data in ({"source": LESS_THAN * 31}, {"file": (io.BytesIO(LESS_THAN.encode() * 31), "bot.py")}):
        response = guarded.test_client().post("/bots/upload", data={"name": "big", **data})

        assert response.status_code == 413
        assert len(response.data) < 16_000


@pytest.mark.parametrize("address", ["/bots/upload", "/login", "/nothing", "/tournaments/new"])
def test_no_page_returns_more_than_some_kilobytes_of_what_strangers_type(guarded: Flask, address: str) -> None:
    """Error pages show the beginning of a long text, and of the fields only some."""
    many = {f"field-{number}": "<" * 100 for number in range(150)}

    for form in ({"name": "<" * 20_000}, {"<" * 20_000: "x"}, many):
        response = guarded.test_client().post(address, data=form)

        assert response.status_code in (400, 404)
        assert len(response.data) < 64_000


def test_pasted_source_is_limited(ada: Person) -> None:
    """Members paste up to 256 KiB; larger bots are files."""
    assert ada.client.post("/bots/upload", data={"name": "big", "source": LESS_THAN}).status_code == 413


def test_beginning_of_a_long_text_is_shown(guarded: Flask) -> None:
    """The page marks where it was cut."""
    page = Person(guarded).send("/bots/upload", 400, source="a" * 5000)

    assert "a" * 4096 + " […]" in page
    assert "a" * 4097 not in page


@pytest.mark.parametrize(
    ("hosts", "host", "status"),
    [
        ("", "localhost", 200),
        ("", "127.0.0.1:8000", 200),
        ("", "[::1]:8000", 200),
        ("", "192.0.2.7", 200),
        ("", socket.gethostname(), 200),
        ("", "evil.example", 421),
        ("", "localhost.evil.example", 421),
        ("", "evil.example:80@localhost", 421),
        ("", "[", 421),
        ("arena.example", "Arena.example:443", 200),
        ("arena.example", "127.0.0.1", 200),
        ("arena.example", "192.0.2.7", 421),
        ("arena.example", "evil.arena.example", 421),
    ],
)
def test_requests_under_other_names_are_refused(arena: Arena, hosts: str, host: str, status: int) -> None:
    """No page contains a Host header that the operator has not named, not even an error page."""
    app = create_app(replace(arena, settings=replace(arena.settings, hosts=hosts)))

    response = app.test_client().get("/about", headers={"Host": host})

    assert response.status_code == status
    assert "evil" not in response.text
    assert "evil" not in str(response.headers)


def test_error_pages_do_not_name_the_host(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The link to try again is a path."""
    app = create_app(arena)

    page = app.test_client().get("/versions/1/source/?a=b", headers={"Host": "127.0.0.1:1234"}).text

    assert "127.0.0.1:1234" not in page


def test_browsers_stay_with_tls(visitor: Person) -> None:
    """After an encrypted visit, browsers use no other; a plain visit says nothing."""
    plain, encrypted = (visitor.client.get("/about", base_url=f"{scheme}://localhost") for scheme in ("http", "https"))

    assert encrypted.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in plain.headers


def test_crawlers_leave_costly_pages_alone(visitor: Person) -> None:
    """robots.txt closes pages for members and tables that are computed per address, not the front page."""
    lines = visitor.visit("/robots.txt").splitlines()

    assert lines[0] == "User-agent: *"
    assert "Disallow: /crosstables/" in lines
    assert "Disallow: /" not in lines


def test_security_contact_is_published(arena: Arena) -> None:
    """security.txt has the operator's contact and a date within a year; without a contact there is none."""
    app = create_app(replace(arena, settings=replace(arena.settings, contact="mailto:security@arena.example")))

    lines = Person(app).visit("/.well-known/security.txt").splitlines()

    assert lines[0] == "Contact: mailto:security@arena.example"
    expires = datetime.fromisoformat(lines[1].removeprefix("Expires: "))
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=365)
    assert lines[3] == "Canonical: http://localhost/.well-known/security.txt"
    Person(create_app(arena)).visit("/.well-known/security.txt", 404)


def test_registration_tells_only_that_a_name_is_taken(ada: Person, visitor: Person) -> None:
    """Names are public; nothing else about an account or its password is told."""
    taken, reserved = (
        visitor.send("/register", 400, name=name, password=PASSWORD, repeat=PASSWORD) for name in ("ada", "admin")
    )

    assert taken.replace("ada", "admin") == reserved


def test_log_in_answers_are_alike(ada: Person, visitor: Person) -> None:
    """An unknown name, a wrong password and an account without a password give the same page."""
    pages = [
        visitor.send("/login", 400, name=name, password="not the password").replace(name, "NAME")
        for name in ("ada", "nobody", "house")
    ]

    assert len(set(pages)) == 1
