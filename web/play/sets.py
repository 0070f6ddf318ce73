"""Pages of sets of deals: the next deal, and everybody on the deals."""

from datetime import date

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from arena.games.registry import GAMES, VARIANTS
from arena.services.base.dates import long_day, short_day
from arena.services.live import sets
from arena.services.live.sets import SetResult, SetView
from arena.words import _, ngettext, number
from web.base.forms import Form, creates
from web.play.pages import PRIVATE, limit_tables
from web.play.people import person, seated
from web.serving.session import arena, viewer

bp = Blueprint("sets", __name__, url_prefix="/play/sets")


@bp.get("/<int:set_id>")
def show(set_id: int) -> ResponseReturnValue:
    """Show everybody on the deals of a set."""
    return shown(sets.results(arena(), person(), set_id, viewer()))


@bp.post("/<int:set_id>")
@limit_tables
@creates()
def play(set_id: int) -> ResponseReturnValue:
    """Lead to the next deal of a set."""
    return redirect(url_for("play.show", code=sets.open_next(arena(), seated(), set_id)), 303)


def shown(result: SetResult) -> ResponseReturnValue:
    """Return the page with everybody on the deals of a set."""
    game = GAMES[VARIANTS[result.set.variant].game]
    page = render_template(
        "play/set.html", result=result, title=title(result.set), game=game, line=_line(result), form=Form()
    )
    return page, {"Cache-Control": PRIVATE}


def title(found: SetView) -> str:
    """Return the title of a set."""
    which = (
        long_day(date.fromisoformat(found.day)) if found.day else ngettext("%(num)s deal", "%(num)s deals", found.deals)
    )
    return f"{VARIANTS[found.variant].title}, {which}"


def _line(result: SetResult) -> str:
    """Return a line to share: a square for each deal, and nothing about the cards."""
    mine, found = result.mine, result.set
    if mine is None or mine.share is None:
        return ""
    squares = "".join(
        "⬜" if one is None else "🟩" if one > 0.5 else "🟨" if one == 0.5 else "🟥" for one in mine.beaten
    )
    values = {"game": VARIANTS[found.variant].title, "squares": squares, "share": number(100 * mine.share)}
    if found.day:
        day = short_day(date.fromisoformat(found.day))
        return _("%(game)s daily, %(day)s: %(squares)s better than %(share)s%% of the bots", day=day, **values)
    return _("%(set)s: %(squares)s better than %(share)s%% of the bots", set=title(found), **values)
