"""Static files: read once, compressed once, and cached by browsers for ever.

Their addresses contain a hash of all files, so that a module finds those that it imports beside it; a new release has
new addresses. An address with another hash is never cached, and a file without a hash is checked each time.
"""

import hashlib
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path, PurePath
from typing import Any, Final

from flask import Flask

from web.serving.bodies import Answer, Body
from web.serving.security import HEADERS, YEAR

PREFIX: Final = "/static/"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
"""Content types by suffix. Files with other suffixes are not served."""
MISSING: Final = Answer(
    404, [("Content-Type", "text/plain"), ("Cache-Control", "no-store")], b"There is no such file.\n"
)
REFUSED: Final = Answer(405, [("Content-Type", "text/plain"), ("Allow", "GET, HEAD")], b"This is a file.\n")


class Assets:
    """WSGI middleware that answers all requests below `PREFIX` with the files of a folder, others by name."""

    def __init__(self, app: Any, folder: Path, others: Iterable[tuple[str, str]] = ()) -> None:
        self._app = app
        found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.*"))}
        found.update((name, text.encode()) for name, text in others)
        self._files = {
            name: Body(data, TYPES[suffix], thorough=True)
            for name, data in found.items()
            if (suffix := PurePath(name).suffix) in TYPES
        }
        self.hash = hashlib.sha256(
            "".join(f"{name} {file.tag}\n" for name, file in self._files.items()).encode()
        ).hexdigest()[:12]
        """Hash of the names and contents of all files."""

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer with a file, or pass the request on."""
        path: str = environ["PATH_INFO"]
        if not path.startswith(PREFIX):
            return self._app(environ, start_response)  # type: ignore[no-any-return]
        status, headers, data = self._answer(path.removeprefix(PREFIX), environ)
        code = HTTPStatus(status)
        start_response(f"{code.value} {code.phrase}", [*headers, *HEADERS.items()])
        return [data if environ["REQUEST_METHOD"] == "GET" else b""]

    def named(self, endpoint: str, values: dict[str, Any]) -> None:
        """Put the hash into the values of a URL for a file; for `Flask.url_defaults`."""
        if endpoint == "static" and values.get("filename") in self._files:
            values["filename"] = f"{self.hash}/{values['filename']}"

    def _answer(self, name: str, environ: dict[str, Any]) -> Answer:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return REFUSED
        begin, _, rest = name.partition("/")
        hashed = begin == self.hash
        file = self._files.get(rest if hashed else name)
        if file is None:
            return MISSING
        status, headers, data = file.answer(
            environ.get("HTTP_ACCEPT_ENCODING", ""), environ.get("HTTP_IF_NONE_MATCH", "")
        )
        kept = f"public, max-age={YEAR}, immutable" if hashed else "no-cache"
        return Answer(status, [*headers, ("Cache-Control", kept), ("Vary", "Accept-Encoding")], data)


def init_app(app: Flask, folder: Path, others: Iterable[tuple[str, str]] = ()) -> None:
    """Serve the files of a folder, and others by their names; their URLs are those of the endpoint ``static``."""
    assets = Assets(app.wsgi_app, folder, others)
    app.add_url_rule(f"{PREFIX}<path:filename>", "static", build_only=True)
    app.url_defaults(assets.named)
    app.wsgi_app = assets  # type: ignore[method-assign]
