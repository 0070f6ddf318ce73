"""Help pages: the guide for bot authors, starters to download, and the about page; the texts of the rules."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from importlib.metadata import version
from importlib.resources import files
from io import BytesIO
from typing import Final
from zipfile import ZipFile

from flask import Blueprint, abort, redirect, render_template, send_file, url_for
from flask.typing import ResponseReturnValue
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.match.clock import MOST_COMPUTING
from arena.sandbox.limits import limits_of
from arena.services.health import heartbeats
from bots import HOUSE, STARTERS
from web import kit
from web.engine import engine_text
from web.session import arena
from web.shared import shared
from web.syntax import python

bp = Blueprint("help", __name__)

FIRST_BOT: Final = (files("web") / "first_bot.py").read_text(encoding="utf-8")
"""Source of the first bot of the guide; the tests play it."""
SEARCH_BOT: Final = (files("web") / "search_bot.py").read_text(encoding="utf-8")
"""Source of the guide's bot that searches; the tests play it."""

REFUSALS: Final = {
    "threading.Thread(...).start()": "RuntimeError: can't start new thread",
    "os.fork()": "PermissionError: [Errno 1] Operation not permitted",
    'open("notes.txt")': "PermissionError: [Errno 1] Operation not permitted: 'notes.txt'",
    "import subprocess": "ModuleNotFoundError: No module named 'subprocess'",
}
"""Forbidden operations and the exceptions that they raise in the cage; the tests try them."""
SEVERAL_FILES: Final = {
    name: (files("web") / "several_files" / name).read_text(encoding="utf-8")
    for name in ("bot.py", "ranks.py", "data/ranks.json")
}
"""Files of the guide's bot of several files; the tests play it."""
LEARNER: Final = ("bot.py", "network.py", "train.py", "imitate.py")
"""Files of the example of a bot that learns; the tests train it."""
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)]+)\)")
CI: Final = {
    name: (files("web") / "ci" / f"{name.split()[0].lower()}.yml").read_text(encoding="utf-8")
    for name in ("GitHub Actions", "GitLab")
}
"""Builds that upload a bot on push; the tests run their commands."""
PARTS: Final[Mapping[str, Mapping[str, str]]] = {
    "suitability": {
        "deal": "The deal", "exchange": "The deal", "nominate": "Giving the suits their roles",
        "plain": "Giving the suits their roles", "privilege": "The privilege", "play": "Play", "trick": "Play",
        "score": "Scoring", "end": "Scoring",
    },
    "suit_yourself": {
        "deal": "A round", "bid": "A round", "pass": "A round", "take": "A round", "play": "The levels of a trick",
        "trick": "The levels of a trick", "reveal": "Scoring", "score": "Scoring", "end": "Scoring",
    },
    "suits_barnhart": {
        "deal": "The piles", "draw": "The piles", "play": "A trick", "flip": "Solitaire", "trick": "A trick",
        "discard": "A trick", "return": "A trick", "score": "Four players", "end": "Four players",
    },
    "suits_steere": {
        "deal": "A hand", "play": "What the cards of a trick are worth",
        "trick": "What the cards of a trick are worth", "score": "The end", "tie-break": "The end", "end": "The end",
    },
    "separate_suits": {
        "deal": "The cards", "packet": "Variations", "reveal": "A hand", "play": "A hand", "cancel": "A hand",
        "replay": "A hand", "trick": "A hand", "void": "Rulings", "discard": "A hand", "score": "Scoring",
        "end": "Scoring",
    },
}  # fmt: skip
"""Heading in a game's rules that explains each kind of event, by game; the replay opens the rules there."""


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
        "help/guide.html",
        first_bot=FIRST_BOT,
        search_bot=SEARCH_BOT,
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
        version=version("suit-arena"),
        kit=kit.NAME,
        settings=arena().settings,
    )


@bp.get("/help/engine")
@shared()
def engine() -> ResponseReturnValue:
    """Show the page on the engine."""
    return render_template("help/chapter.html", title="The engine", text=_html(engine_text()))


@bp.get("/help/<any(guide, learning):chapter>")
@shared()
def chapter(chapter: str) -> ResponseReturnValue:
    """Show a further chapter for authors."""
    text = (files("web") / f"{chapter}.md").read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    return render_template("help/chapter.html", title=title, text=_html(_LINK.sub(_link, text)))


@bp.get("/help/learner.zip")
def learner() -> ResponseReturnValue:
    """Download the example of a bot that learns."""
    return send_file(BytesIO(_learner()), "application/zip", as_attachment=True, download_name="learner.zip")


@bp.get("/about")
@shared()
def about() -> ResponseReturnValue:
    """Show the about page."""
    return render_template("help/about.html")


def _link(found: re.Match[str]) -> str:
    """Return a link of a chapter as a page here has it; the words alone if it leads elsewhere in the repository."""
    words, target = found.groups()
    pages = {
        "learning.md": url_for("help.chapter", chapter="learning"),
        "learner": url_for("help.learner"),
        "../arena/games/rules": url_for("games.index"),
    }
    return f"[{words}]({pages[target]})" if target in pages else words


@cache
def _learner() -> bytes:
    """Return the files of the example as a zip."""
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for name in LEARNER:
            archive.writestr(f"learner/{name}", (files("web") / "learner" / name).read_bytes())
    return made.getvalue()


@cache
def _digest(made: bytes) -> str:
    return sha256(made).hexdigest()


@cache
def rules_text(game: str) -> Markup:
    """Render a game's rules page as HTML. Raw HTML in the page is escaped."""
    return _html((files("arena.games") / "rules" / f"{game}.md").read_text(encoding="utf-8"))


def _html(text: str) -> Markup:
    """Render a page of ours as HTML. Raw HTML in it is escaped."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", lambda *_: '<div class="table-wrap" tabindex="0"><table>')
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    reader.add_render_rule("fence", _listing)
    return Markup(reader.render(text))  # noqa: S704 -- our own page, rendered without raw HTML


def _listing(renderer: object, tokens: Sequence[Token], number: int, *_: object) -> str:
    """Render a listing so that the keyboard can scroll it; Python in colour."""
    text, kind = tokens[number].content, tokens[number].info
    shown = python(text) if kind == "python" else escape(text)
    return f'<pre tabindex="0" role="group" aria-label="Listing"><code>{shown}</code></pre>\n'
