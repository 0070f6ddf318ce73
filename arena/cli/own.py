"""This machine's own arena, for commands that ask an arena: its application, called in the process of the command.

`create_app` is given the account of the first administrator, and the application acts for it. That needs access to the
arena's settings and database. No token, secret or address gives this authority to a request from outside, so commands
use the application even while a server runs.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import requests
from flask import Flask
from werkzeug.test import Client, TestResponse

from arena.cli.database import explained, operated
from arena.remote.http import Remote
from web.app import create_app

HERE: Final = "http://localhost"
"""Address of the application if the arena has no public one."""


@contextmanager
def own_arena() -> Iterator[Remote]:
    """Open this machine's arena for its operator. Raises `ArenaError`."""
    with operated() as (arena, account):
        app = create_app(arena, {"SHARED_SECONDS": 0.0}, operator=account)
        url = arena.settings.url
        remote = Remote(url or HERE, None, adapter=InProcess(app))
        remote.site = url or ""
        try:
            yield remote
        finally:
            app.extensions["background"].shutdown()  # mail, for example, needs the database


class InProcess(requests.adapters.BaseAdapter):
    """Sends requests to an application in this process."""

    def __init__(self, app: Flask) -> None:
        super().__init__()
        self._client = Client(app, use_cookies=False)

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Answer a request. Raises `ArenaError` if the database fails."""
        headers = {name: text for name, text in request.headers.items() if name != "Accept-Encoding"}
        base, path = str(request.url).removesuffix(request.path_url), request.path_url
        with explained():
            answer = self._client.open(path, base, method=request.method, headers=headers, data=request.body)
        made = requests.Response()
        made.status_code, made.url, made.request = answer.status_code, str(request.url), request
        made.headers.update(answer.headers.items())
        made.raw = _Body(answer)
        return made

    def close(self) -> None:
        """Close nothing."""


class _Body:
    """Body of an answer as requests reads it, part by part."""

    def __init__(self, answer: TestResponse) -> None:
        self._answer = answer

    def stream(self, *_: Any, **__: Any) -> Iterable[bytes]:
        """Yield the parts. Raises `ArenaError` if the database fails."""
        with explained():
            yield from self._answer.iter_encoded()

    def close(self) -> None:
        """End an answer that may not have been read to its end."""
        self._answer.close()
