"""Exports through the API: the same files as from the database."""

import json
from pathlib import Path
from typing import Any

import pytest
import requests

from arena.exchange import exports
from arena.exchange.lines import DONE, Scope
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.exchange import sources
from tests.remote.conftest import URL, Client, FakeArena, Said, client, fake
from tests.remote.test_real_arena import Bridge
from tests.services.exchange.test_exports import everything
from web.app import create_app
from web.serving.limits import limiter

__all__ = ["client", "fake"]

LINES = {"Content-Type": "application/x-ndjson"}


class Unsteady(Bridge):
    """An arena that is away after some requests for matches."""

    left = 10**6

    def send(self, request: requests.PreparedRequest, *more: Any, **words: Any) -> requests.Response:
        """Answer a request, or fail."""
        self.left -= "/matches?" in request.path_url
        if self.left < 0:
            raise requests.ConnectionError("away")
        self.asked.append(request)
        return super().send(request, *more, **words)

    def paths(self) -> list[str]:
        """Return the paths that were asked for."""
        return [str(request.path_url).partition("?")[0].removeprefix("/api/v1") for request in self.asked]


@pytest.fixture
def bridge(season: Arena, monkeypatch: pytest.MonkeyPatch) -> Unsteady:
    """The API of the season's arena."""
    made = Unsteady(create_app(season, {"SHARED_SECONDS": 0.0}))
    limiter.reset()
    monkeypatch.setattr(requests.Session, "get_adapter", lambda *_, **__: made)
    monkeypatch.setattr("arena.remote.http.Remote._wait", lambda *_: None)
    return made


@pytest.fixture
def visitor(tmp_path: Path, bridge: Unsteady) -> Client:
    """A user without a token."""
    made = Client(tmp_path, bridge)
    made.environ["ARENA_TOKEN"] = ""
    return made


def described(folder: Path) -> Any:
    """Return the season of an export without the time of the cut."""
    return {**json.loads((folder / "season.json").read_text()), "cut": None}


def test_export_through_the_api_is_the_same(visitor: Client, exported: Path, tmp_path: Path) -> None:
    """Records and Parquet files are the same byte for byte, and the season but for the time of its cut."""
    manifest = visitor.json("export", tmp_path / "export", "--arena", URL)

    assert everything(tmp_path / "export") == everything(exported)
    assert described(tmp_path / "export") == described(exported)
    assert manifest == json.loads((tmp_path / "export" / "manifest.json").read_text())


@pytest.mark.parametrize("option", [("--tournament", 1), ("--variant", "suitability-2")])
def test_scope_is_that_of_the_request(
    visitor: Client, season: Arena, tmp_path: Path, option: tuple[str, object]
) -> None:
    """A tournament or a variant is exported alone."""
    scope = Scope(**{option[0][2:]: option[1]})  # type: ignore[arg-type]
    exports.export(sources.DatabaseSource(season, scope), tmp_path / "here", with_parquet=False)

    said = visitor.out("export", tmp_path / "there", *option, "--no-parquet", "--arena", URL)

    assert everything(tmp_path / "there") == everything(tmp_path / "here")
    assert said.startswith(f"{tmp_path / 'there'}: ")


def test_interrupted_download_goes_on(
    visitor: Client, bridge: Unsteady, season: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run of the command goes on with the same cut, and asks for no complete part again."""
    monkeypatch.setattr(exports, "PART", 2)
    exports.export(sources.DatabaseSource(season, Scope()), tmp_path / "whole")
    bridge.left = 1

    assert "cannot be reached" in visitor.run("export", tmp_path / "export", "--arena", URL, code=3).stderr
    assert bridge.paths() == ["/export/cut", "/export/matches"]
    bridge.left = 10**6
    visitor.run("export", tmp_path / "export", "--arena", URL)

    assert everything(tmp_path / "export") == everything(tmp_path / "whole")
    assert bridge.paths().count("/export/cut") == 1
    parts = len(list((tmp_path / "whole" / "records").iterdir()))
    assert bridge.paths().count("/export/matches") <= parts


def test_tables_with_many_matches_come_in_several_answers(
    visitor: Client, exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer ends after the table that reaches the largest number of matches, and the export is the same."""
    monkeypatch.setattr(sources, "MOST_MATCHES", 1)

    visitor.run("export", tmp_path / "export", "--arena", URL)

    assert everything(tmp_path / "export") == everything(exported)


def test_unknown_scope_is_refused_in_the_words_of_the_arena(visitor: Client, tmp_path: Path) -> None:
    """The sentence is that of the local command, and the folder can be used again."""
    result = visitor.run("export", tmp_path / "export", "--tournament", 99, "--arena", URL, code=1)

    assert "There is no rated tournament 99." in result.stderr
    visitor.run("export", tmp_path / "export", "--tournament", 1, "--no-parquet", "--arena", URL)


def test_strange_answers_end_with_a_sentence(exported: Path, tmp_path: Path, fake: FakeArena, client: Client) -> None:
    """A cut without all its tables, other JSON, or a page of a proxy is not taken for an export."""
    season = json.dumps(json.loads((exported / "season.json").read_text())).encode()
    for number, (said, sentence) in enumerate([
        (Said(season, headers=LINES), "did not send all tables"),
        (Said(b"{}\n", headers=LINES), "did not answer as an arena does"),
        (Said(season + b"\n[]\n", headers=LINES), "did not answer as an arena does"),
        (Said(b"<html>"), "did not answer as an arena does"),
    ]):  # fmt: skip
        fake.on("GET /export/cut", said)
        folder = tmp_path / str(number)

        assert sentence in client.run("export", folder, "--no-parquet", "--arena", URL, code=3).stderr
        assert [path.name for path in folder.iterdir() if not path.name.startswith(".")] in ([], ["season.json"])


def test_state_of_played_tables_is_that_of_the_arena() -> None:
    """The format has the arena's own word for a table that was played."""
    assert TableState.DONE.value == str(DONE)
