"""The site of the docs: its pages, their links on the site and in an arena, the references and the search."""

import io
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urldefrag, urljoin

import pytest

import arena.sdk
from arena.games.registry import GAMES
from tests.web.conftest import Person, words
from web.api.operations import operations
from web.app import site
from web.app.resources import RESOURCES
from web.docs.sources import INDEX, doors
from web.manual.pages import LEARNER, LESSONS

ROOT: Final = Path(__file__).parents[3]
LINK: Final = re.compile(r'(?:href|src)="([^"]*)"')
ID: Final = re.compile(r'\bid="([^"]*)"')
MARKDOWN_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
ELSEWHERE: Final = ("http:", "https:", "mailto:")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """Return the files that `make site` writes, by their names."""
    folder = tmp_path_factory.mktemp("site")
    site.write(folder)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_links_on_the_site_lead_to_its_files(files: Mapping[str, bytes]) -> None:
    """Each link of each page is relative and leads to a file, and to a heading if it has an anchor."""
    anchors = {name: set(ID.findall(data.decode())) for name, data in files.items() if name.endswith(".html")}
    broken = [
        (name, link)
        for name in anchors
        for link in LINK.findall(files[name].decode())
        if not link.startswith(ELSEWHERE) and not leads(name, link, files, anchors)
    ]

    assert len(anchors) > 60
    assert broken == []


def leads(name: str, link: str, files: Mapping[str, bytes], anchors: Mapping[str, set[str]]) -> bool:
    """Return whether a link of a page leads to a file, and its anchor to an element there."""
    target, anchor = urldefrag(link)
    target = target or name
    return target in files and (not anchor or anchor in anchors[target])


def test_links_in_the_markdown_lead_to_markdown(files: Mapping[str, bytes]) -> None:
    """The plain texts of pages lead to each other, and llms.txt leads to all that are listed."""
    for name in (name for name in files if name.endswith(".md")):
        text = re.sub(r"^```.*?^```$|`[^`\n]+`", "", files[name].decode(), flags=re.MULTILINE | re.DOTALL)
        links = [urldefrag(link)[0] for link in MARKDOWN_LINK.findall(text) if not link.startswith((*ELSEWHERE, "#"))]
        assert [link for link in links if link not in files or link.endswith(".html")] == [], name
    listed = {entry.title for door in doors() for entry in door.entries}
    contents = files["llms.txt"].decode()
    assert contents.startswith("# Suit Arena\n\n> ")
    assert set(re.findall(r"^- \[([^\]]+)\]\([\w-]+\.html\.md\): \S", contents, re.MULTILINE)) == listed


def test_arena_serves_the_site(visitor: Person, files: Mapping[str, bytes]) -> None:
    """Every page is the one that `make site` writes, except for a link to the arena; each file has its type."""
    types = set()
    for name, data in files.items():
        answer = visitor.client.get(f"/docs/{name}", follow_redirects=True)
        link = b'      <a class="button quiet" href="../">Arena</a>\n'
        assert (answer.status_code, answer.data.replace(link, b"")) == (200, data), name
        types.add(answer.content_type)

    assert {"text/html; charset=utf-8", "text/markdown; charset=utf-8", "text/javascript; charset=utf-8"} < types
    assert visitor.client.get("/docs").headers["Location"].endswith("/docs/")
    assert visitor.client.get("/docs/%2e%2e/README.md").status_code == 404
    assert visitor.client.get("/docs/nothing.html").status_code == 404


def test_links_of_the_docs_work_in_an_arena(visitor: Person) -> None:
    """A crawler that starts at the first page finds no broken link and nothing that the policy forbids."""
    ahead, seen = ["/docs/"], {"/docs/"}
    while ahead:
        address = ahead.pop()
        answer = visitor.client.get(address, follow_redirects=True)
        assert answer.status_code == 200, address
        if answer.mimetype == "text/html" and address.startswith("/docs/"):
            assert not re.search(r"<script>|<style|\sstyle=|\son\w+=\"", answer.text), address
            links = (urljoin(address, urldefrag(link)[0]) for link in LINK.findall(answer.text))
            fresh = {link for link in links if link.startswith("/") and link not in seen}
            ahead += fresh
            seen |= fresh

    assert len(seen) > 60


def test_pages_of_the_arena_lead_to_the_docs(visitor: Person) -> None:
    """The footer of every page leads to the docs, and the guide to the chapters."""
    guide = visitor.visit("/help")

    assert 'href="/docs/">Docs</a>' in visitor.visit("/about")
    assert all(f'href="/docs/{name}.html"' in guide for name in ("guide", "engine", "lessons", "learning"))


def test_every_page_of_the_docs_is_listed() -> None:
    """The list of pages has every file of the folder, and four doors."""
    listed = {entry.path for door in doors() for entry in door.entries}
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")} - {INDEX}
    rules = {f"arena/games/rules/{game}.md" for game in GAMES}

    assert [door.title for door in doors()] == ["Play and watch", "Write a bot", "Run an arena", "Change the code"]
    assert (there | rules | {"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}) - listed == set()


def test_reference_of_the_sdk_has_every_public_name(files: Mapping[str, bytes]) -> None:
    """Each name has a heading and a description; methods, attributes and functions have theirs."""
    page = files["sdk.html.md"].decode()
    _, *parts = re.split(r"^## (\w+)\n\n", page, flags=re.MULTILINE)
    described = dict(zip(parts[::2], parts[1::2], strict=True))

    assert [*described] == arena.sdk.__all__
    assert [name for name, text in described.items() if len(text) < 60] == []
    assert "act(view: View) -> str\n```\n\nReturn one of ``view.legal``" in described["Bot"]
    assert "| `ask_forced` | `bool` | Whether `act` is also called" in described["Bot"]
    assert "| `legal` | `list[str]` | All legal actions" in described["View"]
    assert "| `error` | `float` | Standard error of `points`" in described["Estimate"]
    assert "resource(name: str) -> bytes" in described["resource"]


def test_reference_of_the_api_has_every_operation(files: Mapping[str, bytes]) -> None:
    """Each operation has its method and path on the page of its noun."""
    text = "\n".join(data.decode() for name, data in files.items() if re.match(r"api-.*\.md$", name))

    assert [
        one.name for one in operations(RESOURCES) if f"## {one.name}\n\n`{one.method} {one.path}`" not in text
    ] == []


def test_page_on_the_engine_has_the_views_of_all_games(files: Mapping[str, bytes]) -> None:
    """The page names the class of each game's views, and the keyboard can scroll its listings."""
    html = files["engine.html"].decode()

    assert all(
        f"{game.title}: {game.view_type.__module__.rpartition('.')[0]}" in words(html) for game in GAMES.values()
    )
    assert html.count("<pre") == html.count('<pre tabindex="0"') > 0


@pytest.mark.parametrize(("example", "names"), [("learner", LEARNER), ("lessons", (*LESSONS, "learn_habits.py"))])
def test_examples_can_be_downloaded(files: Mapping[str, bytes], example: str, names: tuple[str, ...]) -> None:
    """The archive has the programs of the chapter, and the chapter leads to it."""
    name = f"web/manual/examples/{example}.zip"

    assert {f"{example}/{one}" for one in names} == set(zipfile.ZipFile(io.BytesIO(files[name])).namelist())
    assert any(f'href="{name}"'.encode() in data for data in files.values())


def test_index_of_the_search_has_every_section(files: Mapping[str, bytes]) -> None:
    """A row has the page, the anchor, the titles and the text; the first row of a page is its beginning."""
    rows = json.loads(files["search-index.js"].decode().removeprefix("globalThis.sections = ").rstrip(";\n"))
    found = {(page, slug): text for page, slug, _, _, text in rows}

    assert {page for page, *_ in rows} == {name for name in files if name.endswith(".html")}
    assert "the only place that rings" in found["architecture.html", "decisions"]
