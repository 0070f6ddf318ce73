"""Fixtures: an arena with its own database, its web app, and people with browsers."""

import html
import io
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from arena.db.models import User, Version
from arena.sandbox import Cage
from arena.services.base.access import Account
from arena.services.base.context import PLAY, Arena, Bell, Doorbell, open_arena
from arena.services.bots.house import ensure_house
from arena.services.formats.plans import Plan
from arena.services.tournaments.actions import create
from arena.services.work.play import play_tables
from arena.services.work.validation import validate
from arena.settings import Settings
from bots import ENTERED
from tests import factories
from tests.thrift import made_once, shared_folder
from web.app import create_app
from web.manual.pages import FIRST_BOT
from web.serving.limits import limiter

PASSWORD = "correct horse battery"
FIRST_LEGAL = "def act(view):\n    return view.legal[0]\n"


class Person:
    """A person with a browser that keeps cookies and follows redirects."""

    def __init__(self, app: Flask, name: str = "") -> None:
        self.client: FlaskClient = app.test_client()
        self.name = name

    def visit(self, address: str, status: int = 200) -> str:
        """Return the page at an address as text."""
        return self._page(self.client.get(address, follow_redirects=True), status)

    def send(self, address: str, status: int = 200, **fields: object) -> str:
        """Submit a form and return the resulting page."""
        return self._page(self.client.post(address, data=fields, follow_redirects=True), status)

    def register(self) -> "Person":
        """Register an account and stay logged in."""
        self.send("/register", name=self.name, password=PASSWORD, repeat=PASSWORD)
        return self

    def log_in(self) -> "Person":
        """Log in to the account."""
        self.send("/login", name=self.name, password=PASSWORD)
        return self

    def upload(self, name: str, source: bytes | str = FIRST_LEGAL, status: int = 200) -> str:
        """Upload a file as a new bot."""
        file = (io.BytesIO(source if isinstance(source, bytes) else source.encode()), "bot.py")
        return self.send("/bots/upload", status, name=name, file=file)

    @staticmethod
    def _page(response: TestResponse, status: int) -> str:
        assert response.status_code == status, response.text
        return response.text


def words(page: str) -> str:
    """Return the text of a page without tags and with single spaces."""
    plain = re.sub(r'<span class="t-[a-z]+">([^<]*)</span>', r"\1", page).replace("<wbr>", "")  # syntax colours
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", plain)).split())


@pytest.fixture
def doorbells() -> list[Doorbell]:
    """Doorbells sent to the workers."""
    return []


def collect(heard: list[Doorbell]) -> Bell:
    """Return a bell that appends every doorbell to a list."""

    def bell(doorbells: Sequence[Doorbell]) -> bool:
        heard.extend(doorbells)
        return True

    return bell


@pytest.fixture
def arena(tmp_path: Path, sqlite_template: Path, doorbells: list[Doorbell]) -> Iterator[Arena]:
    """An arena without users."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    opened = open_arena(Settings.from_env({"ARENA_HOME": str(tmp_path)}), collect(doorbells))
    yield opened
    opened.close()


@pytest.fixture
def app(arena: Arena) -> Flask:
    """The web app of the arena, without CSRF protection."""
    made = create_app(arena, {"WTF_CSRF_ENABLED": False, "SHARED_SECONDS": 0.0})
    limiter.reset()
    return made


@pytest.fixture
def visitor(app: Flask) -> Person:
    """A person without an account."""
    return Person(app)


@pytest.fixture
def ada(app: Flask) -> Person:
    """A member."""
    return Person(app, "ada").register()


@pytest.fixture
def bob(app: Flask) -> Person:
    """Another member."""
    return Person(app, "bob").register()


@pytest.fixture
def promote(arena: Arena) -> Callable[[Person], Person]:
    """Function that makes a person an admin."""
    return partial(make_admin, arena)


def make_admin(arena: Arena, person: Person) -> Person:
    """Make a person an admin."""
    with arena.transaction() as session:
        session.query(User).filter_by(name=person.name).update({"is_admin": True})
    return person


class League(NamedTuple):
    """An arena with finished tables."""

    arena: Arena
    app: Flask
    ada: Person
    """Author of Ducker, of Crasher, which fails when it meets Ducker, and of Broken, which cannot be loaded."""
    admin: Person
    visitor: Person


CRASHER = """
from arena.sdk import Bot

class Crasher(Bot):
    def act(self, view):
        if "Ducker" in self.seats:
            print("<b>out</b>", "".join(map(chr, range(160))) * 400)
            raise ValueError("<script>alert(1)</script>")
        return view.legal[0]
"""


BROKEN = "import nothing_like_this  # <b>bold</b>\n"
DEMO, MEETING = 1, 8
DUCKER, CRASHING, REJECTED = (len(ENTERED) + upload for upload in (1, 2, 3))
"""Ids in the league: the house bots come first, and the placements of the two uploads precede the meeting."""


QUICK = "greedy"
"""House bot whose program all slower ones have in the league: nobody looks at how well they play."""


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[League]:
    """An arena with a queued demo and three uploads that have been checked and played. Do not change it."""
    played = shared_folder(tmp_path_factory) / "league"
    with made_once(played) as first:
        if first:
            play_league(played, sqlite_template)
    home = tmp_path_factory.mktemp("league")
    shutil.copytree(played, home, dirs_exist_ok=True)
    arena = open_arena(Settings.from_env({"ARENA_HOME": str(home)}), collect([]))
    app = create_app(arena, {"WTF_CSRF_ENABLED": False, "SHARED_SECONDS": 0.0})
    yield League(arena, app, Person(app, "ada").log_in(), Person(app, "grace").log_in(), Person(app))
    arena.close()


def play_league(home: Path, empty: Path) -> None:
    """Play the league in this folder."""
    shutil.copy(empty, home / "arena.db")
    bells: list[Doorbell] = []
    arena = open_arena(Settings.from_env({"ARENA_HOME": str(home)}), collect(bells))
    app = create_app(arena, {"WTF_CSRF_ENABLED": False, "SHARED_SECONDS": 0.0})
    ada = Person(app, "ada").register()
    ensure_house(arena)
    hurry_house(arena)
    bells.clear()
    with Cage("one") as cage:
        for name, source in (("Ducker", FIRST_BOT), ("Crasher", CRASHER), ("Broken", BROKEN)):
            ada.upload(name, source)
            work(arena, cage, bells)
        for table_id in meet(arena):
            play_tables(arena, [table_id], cage, "test")
    make_admin(arena, Person(app, "grace").register())
    arena.close()


def hurry_house(arena: Arena) -> None:
    """Give the slower house bots the program of a quick one."""
    with arena.transaction() as session:
        versions = {version.bot.name: version for version in session.query(Version)}
        for name, version in versions.items():
            if list(ENTERED).index(name) > list(ENTERED).index(QUICK):
                version.source = versions[QUICK].source


def work(arena: Arena, cage: Cage, bells: list[Doorbell]) -> None:
    """Do the workers' urgent tasks until there are no more doorbells."""
    while bells:
        bell = bells.pop(0)
        if not bell.urgent:
            continue
        if bell.task == PLAY:
            play_tables(arena, [bell.id], cage, "test")
        else:
            validate(arena, bell.id, cage)


def meet(arena: Arena) -> list[int]:
    """Create a table at which Ducker and Crasher meet, and return the ids of its tournament's tables."""
    ids = [bot.id for bot in factories.bots(arena) if bot.name in ("Ducker", "Crasher", "random", "greedy")]
    plan = Plan("Meeting <of> four", "suitability-4", entry_rule="chosen", chosen=ids)
    return factories.table_ids(arena, create(arena, Account(1, "admin", is_admin=True), plan, start=True))
