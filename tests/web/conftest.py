"""An arena with a database of its own, its web app, and people with browsers."""

import html
import io
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from arena.db import migrate
from arena.db.models import User
from arena.services.context import Arena, Doorbell, open_arena
from arena.settings import Settings
from web.app import create_app
from web.limits import limiter

PASSWORD = "correct horse battery"
FIRST_LEGAL = "def act(view):\n    return view.legal[0]\n"


class Person:
    """Somebody with a browser that keeps cookies and follows redirects."""

    def __init__(self, app: Flask, name: str = "") -> None:
        self.client: FlaskClient = app.test_client()
        self.name = name

    def visit(self, address: str, status: int = 200) -> str:
        """The page at that address, as text."""
        return self._page(self.client.get(address, follow_redirects=True), status)

    def send(self, address: str, status: int = 200, **fields: object) -> str:
        """Send a form, and read the page that comes back."""
        return self._page(self.client.post(address, data=fields, follow_redirects=True), status)

    def register(self) -> "Person":
        """Make an account, and be logged in."""
        self.send("/register", name=self.name, password=PASSWORD, repeat=PASSWORD)
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
    """What a page says, without its tags, each run of white space a blank."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the schema and nothing in it."""
    path = tmp_path_factory.mktemp("empty") / "arena.db"
    migrate.upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def doorbells() -> list[Doorbell]:
    """What workers were asked to do."""
    return []


@pytest.fixture
def arena(tmp_path: Path, empty_database: Path, doorbells: list[Doorbell]) -> Iterator[Arena]:
    """An arena where nobody has registered."""
    shutil.copy(empty_database, tmp_path / "arena.db")
    opened = open_arena(Settings.from_env({"ARENA_HOME": str(tmp_path)}), doorbells.extend)
    yield opened
    opened.close()


@pytest.fixture
def app(arena: Arena) -> Flask:
    """Its web app, without tokens in forms; the tests of those switch them on."""
    made = create_app(arena, {"WTF_CSRF_ENABLED": False})
    limiter.reset()
    return made


@pytest.fixture
def visitor(app: Flask) -> Person:
    """Somebody without an account."""
    return Person(app)


@pytest.fixture
def ada(app: Flask) -> Person:
    """Somebody with an account."""
    return Person(app, "ada").register()


@pytest.fixture
def bob(app: Flask) -> Person:
    """Somebody else with an account."""
    return Person(app, "bob").register()


@pytest.fixture
def promote(arena: Arena) -> Callable[[Person], Person]:
    """Makes a person an admin."""

    def make_admin(person: Person) -> Person:
        with arena.transaction() as session:
            session.query(User).filter_by(name=person.name).update({"is_admin": True})
        return person

    return make_admin
