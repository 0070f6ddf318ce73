"""Error responses: a page in the site's style, a problem for the API, or JSON if the path ends in ``.json``."""

import inspect
import logging
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from werkzeug.exceptions import HTTPException, InternalServerError
from wtforms.fields.core import UnboundField

from arena.db.schema import ForeignSchema
from arena.games.errors import ArenaFault, Forbidden, NotFound, OptionError, Refused
from arena.words import N_, _
from web.api import problems
from web.api.problems import Problem
from web.base.forms import Form
from web.serving import releases
from web.serving.security import TOO_LARGE
from web.serving.session import arena

log = logging.getLogger(__name__)


class Words(NamedTuple):
    """Text of an error page, translated when it is shown."""

    title: str
    text: str


WORDS: Final = {
    400: Words(N_("Bad request"), N_("Go back, reload the page and try again.")),
    403: Words(N_("Not allowed"), N_("Only the owner, an organiser or an administrator can use this page or action.")),
    404: Words(N_("Page not found"), N_("The address may be mistyped, or the page no longer exists.")),
    405: Words(N_("Method not allowed"), N_("This address only accepts a form. Open the page that contains it.")),
    413: Words(N_("Upload too large"), TOO_LARGE),
    421: Words(
        N_("Unknown address"),
        N_("This site is not reached under this name. Its operator lists its names in ARENA_HOSTS."),
    ),
    429: Words(N_("Too many requests"), N_("Wait a minute and try again.")),
    500: Words(N_("Internal error"), N_("The error has been logged. Please try again.")),
    503: Words(N_("Temporarily unavailable"), N_("Try again in a minute.")),
}
UPGRADE: Final = Words(N_("The arena is being upgraded"), N_("Your bots and results are safe. Try again in a minute."))
SECRET: Final = frozenset({
    "csrf_token", "password", "present", "repeat", "id_token", "state", "error_description",
})  # fmt: skip
"""Form fields that an error page never shows; the last three come from learning platforms."""
ECHO: Final = 4096
"""Number of characters of a form that an error page shows."""


def register_errors(app: Flask) -> None:
    """Register the error handlers. Failures end the operator's own commands instead, which explain them."""
    app.register_error_handler(CSRFError, stale_form)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Refused, refused)
    app.register_error_handler(OptionError, refused)
    app.register_error_handler(NotFound, missing)
    app.register_error_handler(Problem, problems.respond)
    if app.extensions["operator"]:
        app.config["PROPAGATE_EXCEPTIONS"] = True
        return
    app.register_error_handler(ArenaFault, faulted)
    app.register_error_handler(ForeignSchema, upgrading)
    app.register_error_handler(SQLAlchemyError, database_failed)


def http_error(error: HTTPException) -> Response | HTTPException:
    """Answer an HTTP error raised by Flask or a view."""
    if error.code is None or error.code < 400:
        return error
    words = WORDS.get(error.code) or Words(error.name, error.description or "")
    if isinstance(error, InternalServerError) and error.original_exception:
        return failed(error.code, error.original_exception)
    if problems.concerned():
        return problems.respond(problems.of_http(error))
    return answer(error.code, words, typed=[] if error.code == 413 else typed())


def stale_form(error: CSRFError) -> Response:
    """Answer a form with a missing or stale CSRF token, showing the entered text so that it can be copied."""
    words = Words(
        N_("This form has expired"),
        N_(
            "You have logged in or out since opening it, or your browser does not send cookies. Nothing was changed. "
            "Open the page again and resubmit the form."
        ),
    )
    return answer(400, words, typed=typed())


def refused(error: Refused | OptionError) -> Response:
    """Answer a request that a service refused."""
    if problems.concerned():
        return problems.respond(problems.of_refusal(error))
    if isinstance(error, Forbidden):
        return answer(403, Words(WORDS[403].title, str(error)))
    return answer(400, Words(N_("Request refused"), str(error)), typed=typed())


def missing(error: NotFound) -> Response:
    """Answer a request for something that does not exist."""
    if problems.concerned():
        return problems.respond(problems.of_refusal(error))
    return answer(404, Words(WORDS[404].title, str(error)))


def faulted(error: ArenaFault) -> Response:
    """Answer a failure of the arena; the details go to the log."""
    return failed(503, error)


def database_failed(error: SQLAlchemyError) -> Response:
    """Answer a failure of the database: perhaps it is being upgraded."""
    try:
        releases.check(arena())
    except ForeignSchema as foreign:
        return upgrading(foreign)
    _query_nothing()
    return failed(503 if isinstance(error, OperationalError) else 500, error)


def failed(code: int, error: BaseException) -> Response:
    """Answer an internal error, and log it."""
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return answer(code, WORDS[code], typed=typed())


def upgrading(error: ForeignSchema) -> Response:
    """Answer a request during an upgrade; the operator finds the reason in the log."""
    log.error("%s %s refused: %s", request.method, request.path, error)
    _query_nothing()
    return answer(503, UPGRADE, typed=typed())


def answer(code: int, words: Words, typed: Sequence[tuple[str, str]] = ()) -> Response:
    """Return the error page; a problem for programs that use the API, or JSON if the path ends in ``.json``."""
    if problems.concerned():
        return problems.respond(problems.of_status(code, words.text))
    if request.path.endswith(".json"):
        response = make_response(jsonify(error=_(words.title), detail=_(words.text), request=g.request_id), code)
    else:
        if code >= 500:
            g.setdefault("viewer", None)  # the database may be down: render the page without queries
            g.setdefault("announcements", [])
        response = make_response(render_template("base/error.html", code=code, words=words, typed=typed), code)
    if code in (429, 503):
        response.headers["Retry-After"] = "60"
    return response


def _query_nothing() -> None:
    """Let the error page be rendered without queries: it shows a visitor's page without announcements."""
    g.viewer, g.announcements = None, []


def typed() -> list[tuple[str, str]]:
    """Return the non-empty form fields of the request as (label, beginning), without secrets.

    The beginnings have `ECHO` characters in all.
    """
    try:
        form = request.form
    except HTTPException:  # too large: it was not read
        return []
    shown, left = [], ECHO
    for name, text in form.items():
        if left and name not in SECRET and text.strip():
            label = _labels().get(name) or name[:40].replace("_", " ").capitalize()
            shown.append((label, text if len(text) <= left else f"{text[:left]} […]"))
            left -= min(left, len(text) + len(name))
    return shown


@cache
def _labels() -> dict[str, str]:
    """Return the shortest label of the fields of each name: forms share names, and this request belongs to no form."""
    labels: dict[str, str] = {}
    for form in _forms(Form):
        for name, field in inspect.getmembers(form, lambda one: isinstance(one, UnboundField)):
            if label := field.kwargs.get("label") or next(iter(field.args), ""):
                labels[name] = min(label, labels.get(name, label), key=len)
    return labels


def _forms(parent: type[Form]) -> Iterator[type[Form]]:
    for form in parent.__subclasses__():
        yield form
        yield from _forms(form)
