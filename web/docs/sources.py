"""The Markdown of the pages, by the paths that files have in the repository."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import arena
import web
from web.docs import sdk
from web.manual.engine import engine_text

TREE: Final = Path(__file__).with_name("tree")
"""Files of the repository that lie outside the packages; only a wheel has the folder."""
ROOTS: Final = (TREE, *(Path(one.__path__[0]).parent for one in (web, arena)))
"""Folders that have the first part of a path. A wheel has the rooms in another one than `arena`."""
INDEX: Final = "docs/README.md"
"""The list of all pages, by door: the first page and the navigation are made from it."""
GENERATED: Final[Mapping[str, Callable[[], str]]] = {"web/manual/engine.md": engine_text, "arena/sdk": sdk.text}
"""Pages made from code, by the path of what describes the same in the repository."""
API: Final = "web/api"
"""Path that leads to the pages of the API."""
_ENTRY: Final = re.compile(r"^- \[([^\]]+)\]\(([^)]+)\): (.+)$", re.MULTILINE)


class Entry(NamedTuple):
    """A page in the list of pages."""

    title: str
    path: str
    says: str


class Door(NamedTuple):
    """A group of pages for readers with one aim."""

    title: str
    entries: tuple[Entry, ...]


def find(path: str) -> Path:
    """Return the file or folder with a path in the repository."""
    return next(found for root in ROOTS if (found := root / path).exists())


def read(path: str) -> str:
    """Return the Markdown of a page."""
    return GENERATED.get(path, partial(find(path).read_text, encoding="utf-8"))()


def doors() -> tuple[Door, ...]:
    """Return all pages by door, in the order of the list."""
    _, *parts = re.split(r"^## ", read(INDEX), flags=re.MULTILINE)
    return tuple(
        Door(part.partition("\n")[0], tuple(Entry(title, resolved(INDEX, path), says) for title, path, says in found))
        for part in parts
        if (found := _ENTRY.findall(part))
    )


def resolved(page: str, target: str) -> str:
    """Return the path in the repository of what a page links to."""
    parts = page.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
