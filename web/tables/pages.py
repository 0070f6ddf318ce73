"""A table: the same boards in each seating, side by side."""

from collections.abc import Sequence
from typing import Final

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from arena.services.tables import pages as table_pages
from arena.services.tables.views import TableMatch
from web.base.shared import shared
from web.serving.session import arena

bp = Blueprint("tables", __name__, url_prefix="/tables")

SHOWN: Final = 240
"""Maximum number of matches on a page; a page has at least one set of boards."""

Sets = Sequence[Sequence[TableMatch]]


@bp.get("/<int:table_id>")
@shared("page")
def show(table_id: int) -> ResponseReturnValue:
    """Show a table."""
    page = table_pages.table_page(arena(), table_id)
    sets = max([page.sets, *(attempt.sets for attempt in page.attempts)], key=len)
    height = _height(sets)
    pages = -(-len(sets) // height) or 1
    number = min(max(request.args.get("page", 1, int), 1), pages)
    first = (number - 1) * height
    return render_template("tables/show.html", page=page, first=first, last=first + height, number=number, pages=pages)


def _height(sets: Sets) -> int:
    """Return the number of sets of boards on a page."""
    return max(1, SHOWN // max(map(len, sets), default=1))
