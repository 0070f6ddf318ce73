"""The operations page, for administrators: processes, queue, given-up tables, storage."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services.health import pages
from web.session import admins_only, arena
from workers import broker

bp = Blueprint("operations", __name__, url_prefix="/operations")


@bp.get("/")
@admins_only
def index() -> ResponseReturnValue:
    """Show the page."""
    return _page("operations/index.html")


@bp.get("/live")
@admins_only
def live() -> ResponseReturnValue:
    """Show the changing part of the page, which polls this."""
    return _page("operations/_live.html")


def _page(template: str) -> ResponseReturnValue:
    return render_template(template, page=pages.operations(arena()), broker=broker.look(arena().settings.broker_url))
