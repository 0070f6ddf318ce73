"""What every response and every request is held to."""

import io
import re
from dataclasses import replace

import pytest
from flask import Flask, request

from arena.services.context import Arena
from tests.web.conftest import FIRST_LEGAL, PASSWORD, Person, words
from web import organising, schedules
from web.app import create_app
from web.limits import limiter
from web.security import HARD_CAP

PUBLIC = [
    "/",
    "/login",
    "/register",
    "/bots",
    "/leaderboard/",
    "/ladders/",
    "/crosstables/",
    "/statistics/",
    "/comparisons/",
    "/tournaments/",
    "/schedules/",
    "/rules",
    "/help",
    "/about",
    "/nothing",
]


@pytest.fixture
def guarded(arena: Arena) -> Flask:
    """The app as it is in production, with tokens in forms."""
    made = create_app(arena)
    limiter.reset()
    return made


def token(page: str) -> str:
    """The token in the first form of a page."""
    found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
    assert found
    return found.group(1)


@pytest.mark.parametrize("address", PUBLIC)
def test_every_page_forbids_what_it_does_not_need(visitor: Person, address: str) -> None:
    """No page runs inline scripts, is framed, or is guessed to be of another type."""
    response = visitor.client.get(address)

    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bstyle=|\son[a-z]+=", response.text)


def test_the_session_cookie_is_kept_from_scripts_and_from_other_sites(visitor: Person) -> None:
    """HttpOnly and SameSite always; Secure over https, so that it works on a laptop too."""
    form = {"name": "grace", "password": PASSWORD, "repeat": PASSWORD}

    plain = visitor.client.post("/register", data=form).headers["Set-Cookie"]
    secure = visitor.client.get("/bots/upload", base_url="https://arena.example").headers["Set-Cookie"]

    assert "HttpOnly" in plain
    assert "SameSite=Lax" in plain
    assert "Secure" not in plain
    assert "Secure" in secure


@pytest.mark.parametrize(
    "address",
    ["/register", "/login", "/logout", "/bots/upload", "/bots/1/upload", "/bots/1/active", "/versions/1/check",
     "/tournaments/new", "/tournaments/preview", "/tournaments/1/edit",
     *(f"/tournaments/1/{action}" for action in organising.ACTIONS),
     "/comparisons/new", "/comparisons/1/cancel", "/ladders/suitability-4/start",
     "/schedules/new", "/schedules/preview", "/schedules/1/edit",
     *(f"/schedules/1/{action}" for action in schedules.ACTIONS)],
)  # fmt: skip
def test_no_form_is_taken_without_its_token(guarded: Flask, address: str) -> None:
    """Another site cannot send a form in somebody's name."""
    page = Person(guarded).send(address, 400, name="grace", password=PASSWORD)

    assert "This form has expired" in page


def test_an_expired_form_gives_back_what_was_typed_but_no_password(guarded: Flask) -> None:
    """What somebody wrote can be copied, with every tag in it shown as text."""
    page = Person(guarded).send("/bots/upload", 400, name="my-bot", source="x = '<script>'\n", password=PASSWORD)

    assert "my-bot" in page
    assert "x = &#39;&lt;script&gt;&#39;" in page
    assert PASSWORD not in page


def test_a_form_with_its_token_is_taken(guarded: Flask) -> None:
    """Registering works as a browser does it, and so does logging out from the menu."""
    grace = Person(guarded)
    first = token(grace.visit("/register"))

    welcome = grace.send("/register", csrf_token=first, name="grace", password=PASSWORD, repeat=PASSWORD)
    farewell = grace.send("/logout", csrf_token=token(welcome))

    assert "Welcome, grace" in welcome
    assert "You are logged out." in farewell


def test_guessing_passwords_is_slowed_down(visitor: Person) -> None:
    """After ten wrong guesses at one name in a minute the arena asks to wait."""
    for _ in range(10):
        visitor.send("/login", 400, name="ada", password="not the password")

    page = visitor.send("/login", 429, name="ada", password="not the password")

    assert "Slow down a little" in page


def test_a_flood_of_uploads_is_slowed_down_and_loses_nothing(ada: Person) -> None:
    """The twenty-first upload in a minute has to wait; its text can be copied from the page."""
    for number in range(20):
        ada.client.post("/bots/upload", data={"name": f"bot-{number}", "source": FIRST_LEGAL})

    page = ada.send("/bots/upload", 429, name="one-more", source="# precious\n")

    assert "Slow down a little" in page
    assert "# precious" in page


def test_a_class_behind_one_address_can_register_and_log_in(app: Flask) -> None:
    """Thirty people on one router are no attack."""
    for number in range(30):
        Person(app, f"pupil-{number}").register().send("/logout")

    assert "30 authors" in words(Person(app).visit("/"))


def test_more_bytes_than_any_upload_are_not_read(ada: Person) -> None:
    """Beyond the hard cap the arena stops reading, and says so."""
    huge = {"name": "big", "file": (io.BytesIO(b"#" * (HARD_CAP + 1)), "bot.py")}

    response = ada.client.post("/bots/upload", data=huge)

    assert response.status_code == 413
    assert "That is too large" in response.text


def test_only_uploads_may_be_large(visitor: Person) -> None:
    """A log-in form of a megabyte is turned away."""
    page = visitor.send("/login", 413, name="ada", password="x" * 2**20)

    assert "That is too large" in page


def test_static_files_are_kept_by_browsers_until_they_change(visitor: Person) -> None:
    """The address of a static file has its fingerprint, and an ETag saves bytes besides."""
    address = re.search(r'href="(/static/site\.css\?v=[0-9a-f]+)"', visitor.visit("/"))
    assert address

    first = visitor.client.get(address.group(1))
    again = visitor.client.get(address.group(1), headers={"If-None-Match": first.headers["ETag"]})

    assert "immutable" in first.headers["Cache-Control"]
    assert again.status_code == 304
    assert visitor.client.get("/static/site.css").headers["Cache-Control"] == "no-cache"


def test_pages_are_not_kept_by_anybody_else(visitor: Person) -> None:
    """A page may show what only its reader may know."""
    assert visitor.client.get("/").headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(("proxies", "address"), [(0, "127.0.0.1"), (1, "203.0.113.7")])
def test_only_the_proxies_that_the_operator_names_are_believed(arena: Arena, proxies: int, address: str) -> None:
    """Behind one proxy each visitor counts for its own limits; without one nobody can pretend to be somebody else."""
    settings = replace(arena.settings, proxies=proxies)
    app = create_app(replace(arena, settings=settings))
    seen: list[str | None] = []
    app.before_request(lambda: seen.append(request.remote_addr))
    app.test_client().get("/about", headers={"X-Forwarded-For": "198.51.100.1, 203.0.113.7"})

    assert seen == [address]
