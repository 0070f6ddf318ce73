"""Programs that use the API."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.web.conftest import FIRST_LEGAL
from web.api import PREFIX


class Program:
    """A program with a token."""

    def __init__(self, app: Flask, token: str = "") -> None:
        self.client = app.test_client()
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, status: int = 200, **more: Any) -> TestResponse:
        """Send a request and check the status of the answer."""
        headers = {**self.headers, **more.pop("headers", {})}
        response = self.client.open(f"{PREFIX}{path}", method=method, headers=headers, **more)
        assert response.status_code == status, response.text
        return response

    def get(self, path: str, status: int = 200, **more: Any) -> Any:
        """Return the JSON at a path."""
        return self.ask("GET", path, status, **more).json

    def send(self, method: str, path: str, status: int, body: Any = None, **more: Any) -> Any:
        """Send a JSON body and return that of the answer; None if it has none."""
        return self.ask(method, path, status, json={} if body is None else body, **more).json

    def upload(self, path: str, status: int = 201, source: bytes | str = FIRST_LEGAL, **fields: Any) -> TestResponse:
        """Upload a file."""
        headers = fields.pop("headers", {})
        data = source if isinstance(source, bytes) else source.encode()
        form = {**fields, "file": (io.BytesIO(data), "bot.py")}
        return self.ask("POST", path, status, data=form, headers=headers)


Programs = Callable[..., Program]


@pytest.fixture
def program(arena: Arena, app: Flask) -> Programs:
    """Function that returns a program of an account with these scopes."""

    def make(account: Account, *scopes: Scope) -> Program:
        return Program(app, keys.make(arena, account, "test", scopes))

    return make


@pytest.fixture
def nobody(app: Flask) -> Program:
    """A program without a token."""
    return Program(app)


@pytest.fixture
def author(arena: Arena) -> Account:
    """A member."""
    return factories.user(arena, "author")


@pytest.fixture
def uploader(program: Programs, author: Account) -> Program:
    """A program of the member that may upload."""
    return program(author, Scope.UPLOAD)
