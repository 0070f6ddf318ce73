"""`arena analyse`: where points were lost in a match record."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.match import estimate
from arena.match.analysis import VERSION
from tests.golden import path

RECORD = path("suits-steere-3")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make estimates from few games."""
    for name, value in {"WORLDS": 1, "SLOW_WORLDS": 1, "REPEATS": 1}.items():
        monkeypatch.setattr(estimate, name, value)


def run(*words: object) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["analyse", *map(str, words)], prog_name="arena")


def test_seats_phases_and_the_worst_decisions_are_listed() -> None:
    """The last ones are as many as wanted, the worst first."""
    done = run(RECORD, "--worst", 3, "--seat", 1)

    seats, phases, worst = (part.splitlines() for part in done.output.split("\n\n")[1:])
    assert done.exit_code == 0
    assert done.output.startswith("suits_steere, 3 deals, ")
    assert [line.split()[0] for line in seats] == ["seat", "1"]
    assert {line.split()[1] for line in phases[1:]} == {"leading", "following", "discarding"}
    assert [line.split()[1] for line in worst[1:]] == ["1", "1", "1"]
    lost = [float(line.split()[5]) for line in worst[1:]]
    assert lost == sorted(lost, reverse=True)


def test_json_has_the_estimates_of_all_actions() -> None:
    """Equal seeds give equal numbers."""
    found = json.loads(run(RECORD, "--json", "--seat", 1, "--seed", 7).output)

    assert (found["version"], found["seed"], found["rounds"]) == (VERSION, 7, 16)
    first = found["decisions"][0]
    assert first.keys() == {"move", "seat", "deal", "phase", "action", "estimates", "lost", "margin", "mark"}
    assert first["estimates"][0].keys() == {"token", "points", "margin", "best"}
    assert found == json.loads(run(RECORD, "--json", "--seat", 1, "--seed", 7).output)


def test_more_rounds_narrow_intervals() -> None:
    """Fewer than usual are refused."""
    usual, deep = (json.loads(run(RECORD, "--json", "--seat", 1, *more).output) for more in ((), ("--rounds", 32)))

    assert deep["rounds"] == 32
    assert sum(one["margin"] for one in deep["decisions"]) < 0.85 * sum(one["margin"] for one in usual["decisions"])
    assert run(RECORD, "--rounds", 15).exit_code == 2


def test_wrong_words_are_one_line(tmp_path: Path) -> None:
    """A seat that is not there, and a file that is no record."""
    (tmp_path / "record.json").write_text("[]")

    assert "there is no seat 3; seats are 0 to 2" in run(RECORD, "--seat", 3).output
    assert "record.json" in run(tmp_path / "record.json").output
    assert run(tmp_path / "record.json").exit_code == 2
    assert run(tmp_path / "none.json").exit_code == 2
