"""Markdown as HTML with anchors, and as the sections that the search finds."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from markdown_it.token import Token
from markupsafe import Markup

from web.base.rules import reader

_FENCE: Final = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")


class Section(NamedTuple):
    """A heading with the text below it."""

    level: int
    """1 for the title of a page."""
    slug: str
    title: str
    text: str


class Rendered(NamedTuple):
    """A page."""

    html: Markup
    sections: tuple[Section, ...]


def linked(text: str, place: Callable[[str], str]) -> str:
    """Return Markdown with each relative link replaced; code stays as it is."""
    parts = _FENCE.split(text)
    parts[::2] = [_LINK.sub(lambda found: place(found[1]), part) for part in parts[::2]]
    return "".join(parts)


def targets(text: str) -> Iterator[str]:
    """Yield what the relative links of a page lead to."""
    for part in _FENCE.split(text)[::2]:
        yield from _LINK.findall(part)


def render(text: str) -> Rendered:
    """Return a page as HTML, in which every heading has an anchor."""
    markdown = reader()
    tokens = markdown.parse(text)
    sections = tuple(_sections(tokens))
    return Rendered(Markup(markdown.renderer.render(tokens, markdown.options, {})), sections)  # noqa: S704 -- our own page, rendered without raw HTML


def _sections(tokens: list[Token]) -> Iterator[Section]:
    """Give headings their anchors, and yield the sections."""
    starts = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    taken: dict[str, int] = {}
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        title = _plain(tokens[start + 1])
        slug = _slug(title, taken)
        tokens[start].attrSet("id", slug)
        text = " ".join(_plain(token) for token in tokens[start + 3 : end] if token.type == "inline")
        yield Section(int(tokens[start].tag[1]), slug, title, text)


def _plain(token: Token) -> str:
    return " ".join("".join(one.content or " " * (one.type == "softbreak") for one in token.children or ()).split())


def _slug(title: str, taken: dict[str, int]) -> str:
    """Return the anchor that a heading has in repositories, too; with a number if another has the same."""
    slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    number = taken[slug] = taken.get(slug, -1) + 1
    return f"{slug}-{number}" if number else slug
