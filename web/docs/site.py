"""The files of the site by their names."""

import json
import mimetypes
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from jinja2 import Environment, PackageLoader

from arena.release import release
from web.api.reference import Noun, nouns
from web.docs import markdown, operations
from web.docs.markdown import Rendered
from web.docs.sources import API, INDEX, Door, doors, find, read, resolved

HOME: Final = "index.html"
CONTENTS: Final = "llms.txt"
"""The list of pages for language models (llmstxt.org)."""
SEARCH: Final = "search-index.js"
"""What the search finds. A script, because pages that are files cannot fetch."""
ASSETS: Final = ("docs.css", "docs.js", "favicon.svg", "site.css", "theme.js", "vendor/minisearch.js")
"""Files of `web/static` that the pages use."""
_TEMPLATES: Final = Environment(loader=PackageLoader("web.docs"), autoescape=True, trim_blocks=True, lstrip_blocks=True)


class Site:
    """The docs of this release.

    `document` returns the OpenAPI document. `arena` is the address of the arena's first page, as a page of the site has
    it; empty without an arena.
    """

    def __init__(self, document: Callable[[], Mapping[str, Any]], arena: str = "") -> None:
        self._document = document
        self._arena = arena
        self._rendered = cache(self._render)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all files."""
        texts = (f"{name}.md" for name in self.pages)
        return frozenset((*self.pages, *texts, CONTENTS, SEARCH, *ASSETS, *self._linked))

    @cached_property
    def doors(self) -> tuple[Door, ...]:
        """All pages by door."""
        return doors()

    @cached_property
    def pages(self) -> dict[str, str]:
        """The paths of all pages by their names."""
        listed = [entry.path for door in self.doors for entry in door.entries]
        return {name_of(path): path for path in (INDEX, *listed, *self._nouns)}

    def file(self, name: str) -> bytes:
        """Return a file."""
        if name in self.pages:
            return self._page(name).encode()
        if name.removesuffix(".md") in self.pages:
            return self._text(self.pages[name.removesuffix(".md")], ".md").encode()
        if name in (CONTENTS, SEARCH):
            return self._text(INDEX, ".md").encode() if name == CONTENTS else self._index().encode()
        if name in ASSETS:
            return find(f"web/static/{name}").read_bytes()
        return _content(find(self._linked[name]))

    @cached_property
    def _nouns(self) -> dict[str, Noun]:
        """The nouns of the API by the paths of their pages."""
        return {f"{API}/{noun.slug}": noun for noun in nouns(self._document())}

    @cached_property
    def _linked(self) -> dict[str, str]:
        """Paths of the files that pages show or link to, by their names."""
        paths = self.pages.values()
        found = (resolved(path, target) for path in paths for target in markdown.targets(self._source(path)))
        return {name_of(path): path for path in found if name_of(path) not in self.pages}

    def _source(self, path: str) -> str:
        if path in self._nouns:
            return operations.text(self._nouns[path])
        return operations.index(self._nouns.values()) if path == API else read(path)

    def _text(self, path: str, suffix: str) -> str:
        """Return the Markdown of a page with links to pages whose names have the suffix."""

        def place(target: str) -> str:
            name = name_of(resolved(path, target))
            return f"{name}{suffix}" if name in self.pages else name

        return markdown.linked(self._source(path), place)

    def _render(self, name: str) -> Rendered:
        return markdown.render(self._text(self.pages[name], ""))

    def _page(self, name: str) -> str:
        page = self._rendered(name)
        path = self.pages[name]
        return _TEMPLATES.get_template("page.html").render(
            name=name,
            title=page.sections[0].title,
            html=page.html,
            headings=[one for one in page.sections if one.level == 2],
            current=API if path in self._nouns else path,
            doors=self.doors,
            name_of=name_of,
            release=release(),
            arena=self._arena,
        )

    def _index(self) -> str:
        """Return the script of the search's index: page, anchor, title, heading and text of each section."""
        rows = [
            (name, section.slug if section.level > 1 else "", page.sections[0].title, section.title, section.text)
            for name in self.pages
            for page in (self._rendered(name),)
            for section in page.sections
        ]
        return f"globalThis.sections = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n"


def name_of(path: str) -> str:
    """Return the name in the site of a file or folder of the repository."""
    if path in (INDEX, "README.md"):
        return HOME
    if path.startswith(API):
        return f"{path.removeprefix('web/').replace('/', '-')}.html"
    if path == "arena/sdk":
        return "sdk.html"
    if path.endswith(".md"):
        return f"{Path(path).stem.lower()}.html"
    return path.removeprefix("docs/") if Path(path).suffix else f"{path}.zip"


def type_of(name: str) -> str:
    """Return the content type of a file."""
    kind = {".md": "text/markdown", ".py": "text/x-python", ".yml": "text/yaml", ".js": "text/javascript"}
    found = kind.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{found}; charset=utf-8" if found.startswith("text/") else found


def _content(path: Path) -> bytes:
    return _packed(path) if path.is_dir() else path.read_bytes()


def _packed(folder: Path) -> bytes:
    """Return the files of a folder as a zip; equal files make equal bytes."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for path in sorted(one for one in folder.iterdir() if one.is_file()):
            archive.writestr(ZipInfo(f"{folder.name}/{path.name}"), path.read_bytes())
    return made.getvalue()
