"""The page on the engine for authors: the prose of ``engine.md``, with tables made from the types that bots meet."""

import inspect
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from arena.games.base import Game, State, View
from arena.games.registry import GAMES
from web.manual.reference import Member, members_of, method_of, reference

METHODS: Final = {
    Game: ("start", "draw_board", "sample", "token", "action"),
    State: ("legal", "apply", "clone", "scores", "finished", "actors", "view", "deal"),
}
"""Methods that authors use, by class."""
DECISIONS: Final = (files("web.manual") / "decisions.md").read_text(encoding="utf-8")
"""Table of the decisions in a match, as measured by ``python -m tests.docs.engine``."""


@cache
def engine_text() -> str:
    """Return the page in Markdown."""
    parts = {
        "methods": _methods(),
        "common": _members(members_of(View)),
        "views": "\n\n".join(map(_view, GAMES)),
        "events": _events(),
        "decisions": DECISIONS.strip(),
    }
    text = (files("web.manual") / "engine.md").read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return text


def _methods() -> str:
    rows = [
        (f"`{'rules' if kind is Game else 'state'}.{name}{_signature(kind, name)}`", _sentence(kind, name))
        for kind, names in METHODS.items()
        for name in names
    ]
    return _table(("call", "meaning"), rows)


def _signature(kind: type, name: str) -> str:
    member = vars(kind)[name]
    return method_of(name, member).type if inspect.isfunction(member) else ""


def _sentence(kind: type, name: str) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join((inspect.getdoc(vars(kind)[name]) or "").partition("\n\n")[0].split())


def _view(game: str) -> str:
    shown, common = reference(game), {member.name for member in members_of(View)}
    own = [member for member in shown.attributes if member.name not in common]
    methods = [member._replace(name=f"{member.name}()") for member in shown.methods]
    return f"### {GAMES[game].title}: `{shown.module}.{shown.view}`\n\n{_members([*own, *methods])}"


def _members(members: Iterable[Member]) -> str:
    return _table(("attribute", "type", "meaning"), [(f"`{one.name}`", f"`{one.type}`", one.text) for one in members])


def _events() -> str:
    rows = [(GAMES[id].title, ", ".join(f"`{event['kind']}`" for event in reference(id).events)) for id in GAMES]
    return _table(("game", "kinds of events"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in (head, ["---"] * len(head), *rows))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
