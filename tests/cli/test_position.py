"""`arena position` as an author uses it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.games.registry import GAMES


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a random match of one deal."""
    words = ("random-records", "suitability", "--option", "deals=1", "--count", "1", "--out", str(tmp_path))
    CliRunner().invoke(main, words)
    return tmp_path / "0.json"


def position(*words: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["position", *map(str, words)])


def test_position_is_printed_as_the_seat_sees_it(record: Path) -> None:
    """The line has the view that the seat was sent, ready for the game's view class, and the action of the record."""
    shown = json.loads(position(record, "--move", 20).stdout)
    seat, action = json.loads(record.read_text())["moves"][20]
    view = GAMES[shown["game"]].view_type(shown["view"])

    assert (shown["move"], shown["seat"], shown["action"]) == (20, seat, action)
    assert view.seat == seat
    assert action in view.legal


def test_bots_play_on_from_a_position(record: Path, tmp_path: Path) -> None:
    """The new record has the same moves before the position, and verifies; the result is printed."""
    bots = ("greedy", "random", "random", "greedy")
    result = position(record, "--move", 20, *bots, "--record", tmp_path / "on.json")
    before, after = (json.loads(path.read_text()) for path in (record, tmp_path / "on.json"))

    assert "CPU seconds" in result.stdout
    assert after["moves"][:20] == before["moves"][:20]
    assert [seat["name"] for seat in after["seats"]] == list(bots)
    assert CliRunner().invoke(main, ["verify", str(tmp_path / "on.json")]).exit_code == 0
    assert "CPU seconds" in position(record, *bots).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("0.json", "--move", 999), "there is no move 999; the moves are 0 to"),
        (("0.json", "greedy"), "this match needs 4 bots, one per seat; you gave 1"),
        (("missing.json",), "cannot read missing.json: No such file or directory"),
        (("wrong.json",), "wrong.json: not a record: format"),
    ],
)
def test_mistakes_are_one_line(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...], says: str
) -> None:
    """The line says what is wrong and what is allowed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.json").write_text("{}")
    result = position(*words)

    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert says in result.stderr
