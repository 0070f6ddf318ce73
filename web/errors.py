"""What is shown when something cannot be done: pages in the site's style, JSON where ``.json`` was asked for."""

import logging
from typing import Final, NamedTuple

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, InternalServerError

from arena.games.errors import ArenaFault, NotFound, Refused

log = logging.getLogger(__name__)


class Words(NamedTuple):
    """What an error page says."""

    title: str
    text: str


WORDS: Final = {
    400: Words("That request could not be understood", "Go back, reload the page and try once more."),
    403: Words("You may not do that", "This page or action belongs to somebody else, or to the admins of this arena."),
    404: Words("There is nothing here", "The address may be mistyped, or what it named is gone."),
    405: Words("That does not work here", "This address takes a form, not a visit. Start from the page it is on."),
    413: Words("That is too large", "The arena stopped reading, because so many bytes cannot be a bot."),
    429: Words("Slow down a little", "This was asked for too often in a short time."),
    500: Words("Something broke on our side", "It is written down in the arena's log. Please try once more."),
    503: Words("The arena cannot do that now", "Try again in a minute."),
}
SECRET: Final = frozenset({"csrf_token", "password", "repeat"})
"""Fields of forms that are never shown again."""


def register_errors(app: Flask) -> None:
    """Give this app its error pages."""
    app.register_error_handler(CSRFError, stale_form)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Refused, refused)
    app.register_error_handler(NotFound, missing)
    app.register_error_handler(ArenaFault, faulted)


def http_error(error: HTTPException) -> Response | HTTPException:
    """Any status that Flask or a view raised."""
    if error.code is None or error.code < 400:
        return error
    words = WORDS.get(error.code) or Words(error.name, error.description or "")
    if isinstance(error, InternalServerError) and error.original_exception:
        log.error("%s %s failed", request.method, request.path, exc_info=error.original_exception)
    response = answer(error.code, words, typed={} if error.code == 413 else typed())
    if error.code == 429:
        response.headers["Retry-After"] = "60"
    return response


def stale_form(error: CSRFError) -> Response:
    """A form whose token is missing or of another session: nothing was done, and what was typed can be copied."""
    words = Words(
        "This form has expired",
        "You were logged in or out since it was opened, or your browser sends no cookies. Nothing was changed. "
        "Open the page again and send the form once more.",
    )
    return answer(400, words, typed=typed())


def refused(error: Refused) -> Response:
    """A service turned a request down, in words for the reader."""
    return answer(400, Words("That was turned down", str(error)), typed=typed())


def missing(error: NotFound) -> Response:
    """A service found no such thing, and says what."""
    return answer(404, Words(WORDS[404].title, str(error)))


def faulted(error: ArenaFault) -> Response:
    """The machinery failed; the details are for the log."""
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return answer(503, WORDS[503])


def answer(code: int, words: Words, typed: dict[str, str] | None = None) -> Response:
    """The page, or JSON where that was asked for."""
    if request.path.endswith(".json"):
        return make_response(jsonify(error=words.title, detail=words.text), code)
    if code >= 500:
        g.setdefault("viewer", None)  # what broke may be the database: the error page asks it nothing
    return make_response(render_template("error.html", code=code, words=words, typed=typed or {}), code)


def typed() -> dict[str, str]:
    """What was typed into the form of this request, without its secrets."""
    return {name: text for name, text in request.form.items() if name not in SECRET and text.strip()}
