"""Pages that visitors share: rendered once per change of the database, compressed once, and sent with an ETag.

Views marked with `shared` depend on nothing but their address, the named parameters, the language and the account. A
visitor gets the same bytes as the one before, until something is committed; members, whose pages differ, get theirs
rendered. Both are compressed. Pages of members contain CSRF tokens, but these views repeat nothing that the request
says, so lengths reveal nothing about the tokens (BREACH); for that reason no other page is compressed.
"""

from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from http import HTTPStatus
from time import perf_counter
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar, cast

from flask import Flask, Response, current_app, make_response, request, session
from flask.typing import ResponseReturnValue

from arena import words
from web.base import links
from web.base.context import outages
from web.serving import health, request_ids
from web.serving.bodies import Body, Headers
from web.serving.languages import negotiated
from web.serving.session import arena, viewer
from web.serving.shelf import Shelf

P = ParamSpec("P")
T = TypeVar("T")

SECONDS: Final = 1.5
"""Number of seconds for which a page is sent without a look at the database."""
REST: Final = 20.0
"""Ratio of the time for which figures that take long to compute are kept to the time that they take."""
PAGES_LIMIT: Final = 32 * 2**20
"""Maximum number of bytes of pages that a process keeps."""
FIGURES_LIMIT: Final = 32 * 2**20
"""Like `PAGES_LIMIT`, for figures."""
ADDRESSES: Final = 5000
"""Maximum number of addresses that are answered without Flask."""
VARY: Final = "Accept-Encoding, Accept-Language, Cookie"
_SLOT: Final = "web.base.shared.page"
_OWN: Final = frozenset(
    {
        "content-length",
        "content-type",
        "content-encoding",
        "etag",
        "set-cookie",
        "x-request-id",
        "ratelimit",
        "ratelimit-policy",
    }
)
"""Headers that belong to one response or follow from the body."""


class _Page(NamedTuple):
    """A rendered page."""

    key: Hashable
    body: Body
    cache: str | None
    """Value of its Cache-Control; None for the usual one."""


class _Ready(NamedTuple):
    """The key of a page and the headers that all hooks have added to it."""

    key: Hashable
    headers: Headers


class Pages:
    """WSGI middleware that answers visitors with shared pages before Flask sees the request."""

    def __init__(self, app: Flask) -> None:
        self._app = app.wsgi_app
        seconds = app.config.get("SHARED_SECONDS", SECONDS)
        self.pages: Shelf[_Page] = Shelf(PAGES_LIMIT, seconds)
        self.figures: Shelf[Any] = Shelf(FIGURES_LIMIT, 0.0, REST if seconds else 0.0)
        self._ready: dict[Hashable, _Ready] = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer with a page that is ready, or pass the request on and take over the page that it renders."""
        began = perf_counter()
        address = _address(environ)
        ready = self._ready.get(address)
        page = None if ready is None else self.pages.fresh(ready.key)
        if ready is not None and page is not None:
            return _send(page, ready.headers, began, environ, start_response)

        def start(status: str, headers: Headers, *more: Any) -> Any:
            if address is not None and _SLOT in environ:
                self._take(address, environ[_SLOT].key, headers)
            return start_response(status, headers, *more)

        return self._app(environ, start)

    def _take(self, address: Hashable, key: Hashable, headers: Headers) -> None:
        if any(name == "Set-Cookie" for name, _ in headers):
            return
        if len(self._ready) >= ADDRESSES:
            self._ready.clear()
        self._ready[address] = _Ready(key, [one for one in headers if one[0].lower() not in _OWN])


def init_app(app: Flask) -> None:
    """Let visitors share pages. Call it when all other middleware that sees the session is in place."""
    app.extensions["shared"] = pages = Pages(app)
    app.wsgi_app = pages  # type: ignore[method-assign]


def shared(
    *names: str, typed: Iterable[str] = ()
) -> Callable[[Callable[P, ResponseReturnValue]], Callable[P, ResponseReturnValue]]:
    """Let visitors share the responses of a view that reads no parameters of the query but these.

    The response must not repeat anything from the request but what the arena knows by itself. Responses to a request
    with one of the parameters `typed`, which people fill in as they like, are neither shared nor compressed.
    """

    def decorate(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
        @wraps(view)
        def answer(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
            if any(request.args.get(name) for name in typed):
                return view(*args, **kwargs)
            if viewer() is not None or session.get("_flashes"):
                response = make_response(view(*args, **kwargs))
                return compressed(response) if response.status_code == 200 else response
            key = (links.root(), request.endpoint, *sorted(kwargs.items()), *(request.args.get(name) for name in names))
            return visited(key, lambda: view(*args, **kwargs))

        return answer

    return decorate


def visited(key: Hashable, make: Callable[[], ResponseReturnValue]) -> Response:
    """Return the response to a visitor, made unless the one with this key still holds."""
    try:
        key = (words.spoken().tag, key)
        page = _pages().pages.get(key, _stamp, lambda: _rendered(key, make()), _size)
    except _Unshared as other:
        return other.response
    request.environ[_SLOT] = page
    return _respond(page)


def compressed(response: Response) -> Response:
    """Return a response to a member as one with an ETag, compressed if its client accepts that."""
    return _respond(_page(None, response))


def figure(key: Hashable, stamp: Callable[[], Hashable], make: Callable[[], T], size: Callable[[T], int]) -> T:
    """Return figures that take long to compute, computed again if their stamp has changed.

    Between two computations some time passes, at most `web.serving.shelf.LONGEST` seconds.
    """
    return cast("T", _pages().figures.get(key, stamp, make, size))


class _Unshared(Exception):
    """A response that must not be shared."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


def _pages() -> Pages:
    return cast("Pages", current_app.extensions["shared"])


def _size(page: _Page) -> int:
    return page.body.size


def _stamp() -> Hashable:
    """Return a value that changes when anything changes that a page may show."""
    shown = tuple((one, one.is_due) for one in outages(arena().settings))
    return arena().database.stamp(), shown


def _rendered(key: Hashable, result: ResponseReturnValue) -> _Page:
    """Return the page of a visitor. Raises `_Unshared` if it is not a page, or belongs to the visitor's session."""
    response = make_response(result)
    if response.status_code != 200 or session.modified:
        raise _Unshared(response)
    return _page(key, response)


def _page(key: Hashable, response: Response) -> _Page:
    return _Page(key, Body(response.get_data(), response.content_type), response.headers.get("Cache-Control"))


def _respond(page: _Page) -> Response:
    """Return the response to the present request, compressed if its client accepts that."""
    status, headers, data = page.body.answer(
        request.headers.get("Accept-Encoding", ""), request.headers.get("If-None-Match", "")
    )
    response = Response(data, status, headers)
    response.headers["Vary"] = VARY
    if page.cache:
        response.headers["Cache-Control"] = page.cache
    return response


def _address(environ: dict[str, Any]) -> Hashable:
    """Return what distinguishes a request of a visitor without cookies or token from others; None for all others."""
    if "HTTP_COOKIE" in environ or "HTTP_AUTHORIZATION" in environ or environ["REQUEST_METHOD"] != "GET":
        return None
    names = ("wsgi.url_scheme", "HTTP_HOST", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING")
    return (negotiated(environ.get("HTTP_ACCEPT_LANGUAGE", "")), *(environ.get(name) for name in names))


def _send(page: _Page, headers: Headers, began: float, environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answer with a page as Flask would with all its hooks."""
    status, own, data = page.body.answer(environ.get("HTTP_ACCEPT_ENCODING", ""), environ.get("HTTP_IF_NONE_MATCH", ""))
    start_response(_LINES[status], [*headers, *own, (request_ids.HEADER, request_ids.new())])
    health.observe(status, began)
    return [data]


_LINES: Final = {status: f"{status} {HTTPStatus(status).phrase}" for status in (200, 304)}
