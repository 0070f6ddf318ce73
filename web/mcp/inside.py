"""The API as tools ask it: in the process, with the address and the token of the request that called the tool."""

from contextvars import Context
from functools import partial
from io import BytesIO
from typing import Any

from flask import Flask, current_app, request
from werkzeug.test import Client

from arena.games.errors import Refused
from web.api import PREFIX


class Inside:
    """This application's API."""

    def __init__(self) -> None:
        app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
        self._client = Client(app, use_cookies=False)
        self._caller: dict[str, Any] = {
            "base_url": request.host_url,
            "environ_base": {"REMOTE_ADDR": request.remote_addr},
            "headers": {"Authorization": request.headers["Authorization"]},
        }

    def get(self, path: str, **query: object) -> Any:
        """Return the answer to a GET. Raises `Refused`."""
        return self._sent("GET", path, query_string=query)

    def create(self, path: str, body: object = None, **more: Any) -> Any:
        """Create something and return the answer. Raises `Refused`."""
        if body is not None:
            return self._sent("POST", path, json=body)
        files = {field: (BytesIO(data), name) for field, (name, data) in more["files"].items()}
        return self._sent("POST", path, data={**more.get("data", {}), **files})

    def act(self, path: str, body: object = None, again: bool = False) -> Any:
        """Carry out an action and return the answer, None if it is empty. Raises `Refused`."""
        return self._sent("POST", path, json=body)

    def _sent(self, method: str, path: str, **given: Any) -> Any:
        ask = partial(self._client.open, PREFIX + path, method=method, **self._caller, **given)
        answer = Context().run(ask)  # or both requests would share Flask's `g`
        found: Any = answer.json if answer.data else None
        if answer.status_code >= 300:
            pause = answer.headers.get("Retry-After")
            raise Refused(f"{found['detail']} `Retry-After` is {pause}." if pause else found["detail"])
        return found
