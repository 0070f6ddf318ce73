"""The manual: rules, how to write a bot, and what this arena is."""

from functools import cache
from importlib.resources import files
from typing import Final

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from markdown_it import MarkdownIt
from markupsafe import Markup

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.match.clock import CLOCKS
from arena.sandbox.limits import limits_of
from web.session import arena

bp = Blueprint("help", __name__)

FIRST_BOT: Final = (files("web") / "first_bot.py").read_text(encoding="utf-8")
"""The bot that the help page shows; the tests play it."""
SEARCH_BOT: Final = (files("web") / "search_bot.py").read_text(encoding="utf-8")
"""The one that searches; the tests play it too."""

REFUSALS: Final = {
    "threading.Thread(...).start()": "RuntimeError: can't start new thread",
    "os.fork()": "PermissionError: [Errno 1] Operation not permitted",
    'open("notes.txt")': "PermissionError: [Errno 1] Operation not permitted: 'notes.txt'",
    "import subprocess": "ModuleNotFoundError: No module named 'subprocess'",
}
"""What a bot may not do, and the exception with which it is told; the tests try it."""
SEVERAL_FILES: Final = {
    name: (files("web") / "several_files" / name).read_text(encoding="utf-8")
    for name in ("bot.py", "ranks.py", "data/ranks.json")
}
"""The bot of several files; the tests play it too."""


@bp.get("/rules", defaults={"game": next(iter(GAMES))})
@bp.get("/rules/<game>")
def rules(game: str) -> ResponseReturnValue:
    """How a game is played."""
    if game not in GAMES:
        abort(404)
    variants = [variant for variant in VARIANTS.values() if variant.game == game]
    return render_template(
        "help/rules.html",
        game=GAMES[game],
        variants=variants,
        text=rules_text(game),
        clocks=CLOCKS,
        limits=limits_of(arena().settings),
    )


@bp.get("/help")
def guide() -> ResponseReturnValue:
    """How to write a bot."""
    return render_template(
        "help/guide.html",
        first_bot=FIRST_BOT,
        search_bot=SEARCH_BOT,
        several_files=SEVERAL_FILES,
        banks=[clock.bank for clock in CLOCKS.values()],
        clock=CLOCKS[DEFAULT_VARIANT],
        refusals=REFUSALS,
        limits=limits_of(arena().settings),
        settings=arena().settings,
    )


@bp.get("/about")
def about() -> ResponseReturnValue:
    """What this is, whose games these are, and what it is made of."""
    return render_template("help/about.html")


@cache
def rules_text(game: str) -> Markup:
    """The rules of a game as HTML, from the page that comes with it. Raw HTML in that page is shown, not obeyed."""
    page = files("arena.games") / "rules" / f"{game}.md"
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", lambda *_: '<div class="table-wrap" tabindex="0"><table>')
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    return Markup(reader.render(page.read_text(encoding="utf-8")))  # noqa: S704 -- of our own page, and it has no raw HTML
