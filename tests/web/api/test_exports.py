"""Exports: a cut of all rated results, and the matches of its tables."""

import gzip
import json
from typing import Any

import msgspec
import pytest

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.trials import actions as trials
from arena.services.trials.views import NewTrial
from tests import factories
from tests.web.api.conftest import Program
from web.exports import api as exports


@pytest.fixture
def cup(arena: Arena, author: Account) -> int:
    """ID of a finished cup with three tables."""
    versions = factories.field_of(arena, author, 3)
    made = factories.tournament(arena, author, versions, "suitability-2", rounds=1)
    factories.play_all(arena, factories.table_ids(arena, made))
    return made


def lines(program: Program, path: str, **headers: str) -> list[Any]:
    """Return the objects of an answer, one on each line."""
    answer = program.ask("GET", path, headers=headers)
    assert answer.content_type == "application/x-ndjson"
    data = gzip.decompress(answer.data) if headers else answer.data
    return [json.loads(line) for line in data.splitlines()]


def test_cut_names_all_tables_that_count(nobody: Program, cup: int) -> None:
    """The season comes first, then a line for each table, and compressed the same."""
    season, *tables = lines(nobody, f"/export/cut?tournament={cup}")

    assert [one["id"] for one in season["tournaments"]] == [cup]
    assert len(tables) == season["tournaments"][0]["tables"] == 3
    assert all(len(one["ratings"]) == len(one["table"]["places"]) == 2 for one in tables)
    assert lines(nobody, "/export/cut", **{"Accept-Encoding": "gzip"})[1:] == tables
    nobody.ask("GET", "/export/cut?tournament=99", 404)
    nobody.ask("GET", "/export/cut?game=chess", 404)
    nobody.ask("GET", "/export/cut?tournament=x", 400)


def test_a_client_gets_two_cuts_at_a_time(nobody: Program, cup: int) -> None:
    """A cut holds a thread until it is sent, so a third is refused while two are being sent."""
    path = f"/api/v1/export/cut?tournament={cup}"
    first, second = nobody.client.get(path), nobody.client.get(path)

    assert nobody.client.get(path).status_code == 429
    for sending in (first, second):
        sending.close()
    assert nobody.client.get(path).get_data()


def test_matches_are_read_from_a_cursor(nobody: Program, cup: int) -> None:
    """`after` and `limit` give each attempt of the cut once, with the records that pages offer, and an ETag."""
    _, *tables = lines(nobody, "/export/cut")
    whole = lines(nobody, "/export/matches")
    found: list[Any] = []
    while part := lines(nobody, f"/export/matches?limit=1&after={found[-1]['table'] if found else 0}"):
        found += part

    assert found == whole
    assert [(one["table"], one["fence"]) for one in whole] == [(one["table"]["id"], one["fence"]) for one in tables]
    for match in whole[0]["matches"]:
        assert match["record"] == nobody.ask("GET", f"/matches/{match['id']}/record").json
    assert lines(nobody, f"/export/matches?until={whole[0]['table']}") == whole[:1]
    tag = nobody.ask("GET", "/export/matches").headers["ETag"]
    nobody.ask("GET", "/export/matches", 304, headers={"If-None-Match": tag})
    nobody.ask("GET", "/export/matches?limit=51", 400)
    nobody.ask("GET", "/export/matches?variant=chess", 404)


@pytest.mark.usefixtures("cup")
def test_unrated_trials_are_left_out(nobody: Program, arena: Arena, author: Account) -> None:
    """Matches that only a team may see are in no export."""
    before = lines(nobody, "/export/matches")
    trial = trials.create(arena, author, NewTrial("suitability-2", 1, (2,), 1))
    factories.play_all(arena, factories.table_ids(arena, trial))

    assert lines(nobody, "/export/matches") == before


@pytest.mark.usefixtures("cup")
def test_slow_reader_does_not_hold_a_transaction_for_ever(nobody: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut that is not read in time breaks off, so that its reader can tell."""
    monkeypatch.setattr(exports, "PATIENCE", 0.0)

    with pytest.raises(TimeoutError, match="took more than 0 s to receive the cut"):
        lines(nobody, "/export/cut")


@pytest.mark.usefixtures("cup")
def test_slow_arena_finishes_its_cut(nobody: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time in which the arena reads its results is not charged to the client."""
    whole = lines(nobody, "/export/cut")
    line = exports._line
    read: list[msgspec.Struct] = []

    def slow(value: msgspec.Struct) -> bytes:
        read.append(value)
        return line(value)

    monkeypatch.setattr(exports, "_line", slow)
    monkeypatch.setattr(exports, "monotonic", lambda: 3600.0 * len(read))
    assert lines(nobody, "/export/cut")[1:] == whole[1:]
