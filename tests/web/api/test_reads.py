"""Every answer fits its type, and programs get what pages show."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from arena.services.base.context import Arena
from arena.services.numbers import crosstables
from arena.services.people import keys
from arena.services.ratings import boards
from arena.services.tables import matches
from arena.services.tournaments import pages as tournament_pages
from tests import factories
from tests.web.api.conftest import Program
from tests.web.filled import VARIANT, fill
from tests.web.rights import requests
from web.api import PREFIX
from web.api.operations import is_raw, operations
from web.app.resources import RESOURCES

READS: Final = {one.name: one for one in operations(RESOURCES) if one.is_safe}


class Readers(NamedTuple):
    """An arena with something of everything, and programs that read there. Do not change it."""

    arena: Arena
    ids: dict[str, Any]
    """IDs and names, by the names of parameters."""
    paths: dict[str, str]
    """Path and query of each operation."""
    admin: Program
    author: Program
    nobody: Program


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Readers]:
    """An arena with something of everything."""
    home = tmp_path_factory.mktemp("filled")
    shutil.copy(sqlite_template, home / "arena.db")
    made = fill(home)
    tokens = [
        keys.make(made.arena, made.people[name], "all", keys.offered(made.people[name])) for name in ("admin", "owner")
    ]
    programs = (Program(made.app, token) for token in (*tokens, ""))
    paths = {one.name: one.address.removeprefix(PREFIX) for one in requests.programs(made) if one.at_most is None}
    yield Readers(made.arena, made.ids, paths, *programs)
    made.arena.close()


OWN: Final = {"get_webhook", "get_live_table"}
"""Operations with tests of their own."""


@pytest.mark.parametrize("name", [name for name, one in READS.items() if name not in OWN and not is_raw(one)])
def test_every_answer_fits_its_type(filled: Readers, name: str) -> None:
    """Answers to an administrator have the fields and types that the document promises, and no other fields."""
    answer = filled.admin.ask("GET", filled.paths[name])

    found = msgspec.json.decode(answer.data, type=READS[name].answer)
    assert json.loads(msgspec.json.encode(found)) == answer.json
    assert answer.headers["ETag"]


def test_files_are_those_of_the_pages(filled: Readers) -> None:
    """Records and sources are sent byte for byte, with an ETag; a seed only when it is public."""
    match, version = filled.ids["match_id"], filled.ids["version_id"]
    record = filled.nobody.ask("GET", f"/matches/{match}/record")

    assert record.data == matches.record_bytes(filled.arena, match)
    again = {"If-None-Match": record.headers["ETag"]}
    assert filled.nobody.ask("GET", f"/matches/{match}/record", 304, headers=again).data == b""
    assert filled.author.ask("GET", f"/versions/{version}/source").data == factories.FIRST
    assert b"commitment" in filled.nobody.ask("GET", f"/tournaments/{filled.ids['tournament_id']}/seed").data
    filled.nobody.ask("GET", f"/tournaments/{filled.ids['later']}/seed", 422)


def test_numbers_are_those_of_the_pages(filled: Readers) -> None:
    """Leaderboard, standings and crosstable have the values that pages get from the same services."""
    leaders = filled.nobody.get(f"/leaderboards/{VARIANT}?sort=-mu&limit=2")
    board = boards.board(filled.arena, VARIANT, sort="-mu", size=2)
    standings = filled.nobody.get(f"/tournaments/{filled.ids['tournament_id']}/standings")
    page = tournament_pages.page(filled.arena, filled.ids["tournament_id"])
    grid = filled.nobody.get(f"/crosstables/{VARIANT}")

    assert [one["mu"]["value"] for one in leaders["items"]] == [row.mu for row in board.listed.rows]
    assert (leaders["rated"], leaders["next"] is None) == (board.rated, board.listed.pages == 1)
    assert [(one["bot"], one["points"]) for one in standings] == [(row.bot, row.points) for row in page.standings]
    cells = crosstables.of_variant(filled.arena, VARIANT).cells
    assert {(one["a"], one["b"]): one["share"]["value"] for one in grid["cells"]} == {
        pair: cell.share for pair, cell in cells.items()
    }


def test_lists_are_read_to_the_end(filled: Readers) -> None:
    """Following `next` gives every item once, by pages and by keys."""
    for path in ("/bots", "/tournaments", f"/tournaments/{filled.ids['tournament_id']}/tables", "/matches"):
        whole = [one["id"] for one in filled.nobody.get(f"{path}?limit=200")["items"]]
        found, cursor = [], ""
        while True:
            part = filled.nobody.get(f"{path}?limit=2{cursor and '&cursor='}{cursor}")
            found += [one["id"] for one in part["items"]]
            cursor = part["next"]
            if cursor is None:
                break
        assert found == whole


def test_contradicting_filters_are_refused(filled: Readers) -> None:
    """The latest matches are those of a bot or of a tournament; matches with faults may be of both."""
    problem = filled.nobody.ask("GET", "/matches?bot=1&tournament=1", 422).get_json(force=True)

    assert "not of both" in problem["detail"]
    filled.nobody.ask("GET", "/matches?bot=1&tournament=1&show=faults", 200)
