"""The texts of the rules, and Markdown as HTML."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from web.base.syntax import python

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


@cache
def rules_text(game: str) -> Markup:
    """Render a game's rules page as HTML. Raw HTML in the page is escaped."""
    return html((files("arena.games") / "rules" / f"{game}.md").read_text(encoding="utf-8"))


def html(text: str) -> Markup:
    """Render a page of ours as HTML. Raw HTML in it is escaped."""
    return Markup(reader().render(text))  # noqa: S704 -- our own page, rendered without raw HTML


def reader() -> MarkdownIt:
    """Return a reader of Markdown whose tables and listings scroll by themselves."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("table_open", lambda *_: '<div class="table-wrap" tabindex="0"><table>')
    made.add_render_rule("table_close", lambda *_: "</table></div>")
    made.add_render_rule("th_open", _cell)
    made.add_render_rule("td_open", _cell)
    made.add_render_rule("fence", _listing)
    return made


def _cell(renderer: object, tokens: Sequence[Token], number: int, *_: object) -> str:
    """Render the start of a cell with a class instead of a style, which the policy forbids."""
    kind = ' class="num"' if tokens[number].attrGet("style") == "text-align:right" else ""
    return f"<{tokens[number].tag}{kind}>"


def _listing(renderer: object, tokens: Sequence[Token], number: int, *_: object) -> str:
    """Render a listing so that the keyboard can scroll it; Python in colour."""
    text, kind = tokens[number].content, tokens[number].info
    shown = python(text) if kind == "python" else escape(text)
    return f'<pre tabindex="0" role="group" aria-label="Listing"><code>{shown}</code></pre>\n'
