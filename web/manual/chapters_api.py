"""Chapters for authors of bots."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Final

from arena.games.errors import NotFound
from web.api.operations import Resource
from web.api.types.base import Part, says
from web.manual.engine import engine_text
from web.manual.pages import text_of, title_of

resource = Resource("Chapters", "Chapters for authors of bots.")

CHAPTERS: Final[Mapping[str, Callable[[], str]]] = {
    "guide": partial(text_of, "guide"),
    "engine": engine_text,
    "learning": partial(text_of, "learning"),
    "lessons": partial(text_of, "lessons"),
}


class Chapter(Part):
    """A chapter."""

    title: str
    text: Annotated[str, says("Text with its title, as Markdown.")]


@resource.get("/chapters/{chapter}")
def get_chapter(chapter: str) -> Chapter:
    """Return a chapter: `guide` for a first bot, `lessons` to improve it, `engine` for views and search, `learning`."""
    if chapter not in CHAPTERS:
        raise NotFound(f"There is no chapter {chapter[:64]}; the chapters are {', '.join(CHAPTERS)}.")
    text = CHAPTERS[chapter]()
    return Chapter(title_of(text), text)
