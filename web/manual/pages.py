"""Help pages: the guide for bot authors, starters to download, and the about page."""

from functools import cache
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from io import BytesIO
from typing import Final

from flask import Blueprint, abort, redirect, render_template, send_file, url_for
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.match.clock import MOST_COMPUTING
from arena.sandbox.limits import limits_of
from arena.services.health import heartbeats
from arena.words import number
from bots import HOUSE, STARTERS
from web.base.shared import shared
from web.manual import kit
from web.serving.session import arena

bp = Blueprint("help", __name__)

_EXAMPLES: Final = files("web.manual") / "examples"

FIRST_BOT: Final = (_EXAMPLES / "first_bot.py").read_text(encoding="utf-8")
"""Source of the first bot of the guide; the tests play it."""
SEARCH_BOT: Final = (_EXAMPLES / "search_bot.py").read_text(encoding="utf-8")
"""Source of the guide's bot that searches; the tests play it."""

SHORTEST_BOT: Final = "def act(view):\n    return view.legal[0]"

REFUSALS: Final = {
    "threading.Thread(...).start()": "RuntimeError: can't start new thread",
    "os.fork()": "PermissionError: [Errno 1] Operation not permitted",
    'open("notes.txt")': "PermissionError: [Errno 1] Operation not permitted: 'notes.txt'",
    "import subprocess": "ModuleNotFoundError: No module named 'subprocess'",
}
"""Forbidden operations and the exceptions that they raise in the cage; the tests try them."""
SEVERAL_FILES: Final = {
    name: (_EXAMPLES / "several_files" / name).read_text(encoding="utf-8")
    for name in ("bot.py", "ranks.py", "data/ranks.json")
}
"""Files of the guide's bot of several files; the tests play it."""
LEARNER: Final = ("bot.py", "network.py", "train.py", "imitate.py")
"""Files of the example of a bot that learns; the tests train it."""
LESSONS: Final = tuple(f"lesson_{number:02}.py" for number in range(1, 11))
"""Bots of the ten lessons; the tests play them."""
CI: Final = {
    name: (_EXAMPLES / "ci" / f"{name.split()[0].lower()}.yml").read_text(encoding="utf-8")
    for name in ("GitHub Actions", "GitLab")
}
"""Builds that upload a bot on push; the tests run their commands."""


@bp.get("/rules", defaults={"game": ""})
@bp.get("/rules/<game>")
def rules(game: str) -> ResponseReturnValue:
    """Redirect the addresses that older releases had for the rules."""
    if not game:
        return redirect(url_for("games.index"), HTTPStatus.MOVED_PERMANENTLY)
    if game not in GAMES:
        abort(404)
    return redirect(url_for("games.show", game=game), HTTPStatus.MOVED_PERMANENTLY)


@bp.get("/help/starters/<game>.py")
def starter(game: str) -> ResponseReturnValue:
    """Download the bot that authors of a game may start from."""
    if game not in STARTERS:
        abort(404)
    return send_file(STARTERS[game], "text/x-python", as_attachment=True, download_name=f"{game}_starter.py")


@bp.get(f"/help/{kit.NAME}")
def wheel() -> ResponseReturnValue:
    """Download the kit."""
    made = kit.wheel()
    return send_file(BytesIO(made), "application/zip", as_attachment=True, download_name=kit.NAME, etag=_digest(made))


@bp.get("/help")
@shared()
def guide() -> ResponseReturnValue:
    """Show the guide for bot authors."""
    return render_template(
        "manual/help/guide.html",
        first_bot=FIRST_BOT,
        search_bot=SEARCH_BOT,
        shortest=SHORTEST_BOT,
        several_files=SEVERAL_FILES,
        ci=CI,
        site=arena().settings.url or "https://arena.example",
        banks=[variant.clock.bank for variant in VARIANTS.values()],
        paid=[variant.clock.paid for variant in VARIANTS.values()],
        idle=[variant.clock.idle for variant in VARIANTS.values()],
        computing=MOST_COMPUTING,
        clock=VARIANTS[DEFAULT_VARIANT].clock,
        refusals=REFUSALS,
        limits=limits_of(arena().settings),
        packages=heartbeats.packages(arena()),
        starters=STARTERS,
        house=HOUSE,
        kit=kit.NAME,
        settings=arena().settings,
    )


@bp.get("/about")
@shared()
def about() -> ResponseReturnValue:
    """Show the about page."""
    return render_template("manual/help/about.html")


def text_of(chapter: str) -> str:
    """Return a chapter that is a file here."""
    return (files("web.manual") / f"{chapter}.md").read_text(encoding="utf-8")


def title_of(text: str) -> str:
    """Return the title of a chapter."""
    return text.partition("\n")[0].removeprefix("# ")


@cache
def _digest(made: bytes) -> str:
    return sha256(made).hexdigest()


@bp.app_template_filter("plain")
def plain(value: float) -> str:
    """Format a number with as many decimals as it has: 0.25, 1,200."""
    return number(value, len(f"{value:g}".partition(".")[2]))
