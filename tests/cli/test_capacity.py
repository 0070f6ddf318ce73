"""`arena capacity`: the measurement, and what it prints."""

import json
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from arena.cli import capacity, main
from arena.cli.capacity import report, size
from arena.cli.costs import answers
from arena.exits import ExitCode
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.zygote import Zygote
from arena.services.work.capacity import need
from arena.settings import Settings
from tests.factories import FIRST, settings_in
from tests.services.work.test_capacity import POSTGRESQL


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return the settings of an arena that has a home but no database yet."""
    (tmp_path / "home").mkdir()
    return settings_in(tmp_path / "home")


def test_costs_are_measured_and_nothing_is_left(settings: Settings, tmp_path: Path) -> None:
    """The worker's costs are those of whole tables, and the home stays as it was."""
    (tmp_path / "bot.py").write_bytes(FIRST)
    words = ["capacity", "--seconds", "1", "--rate", "60", "--bot", str(tmp_path / "bot.py"), "--json"]
    result = CliRunner().invoke(main, words, env=settings.environ())

    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    costs, (minute,) = found["costs"], found["needs"]
    assert costs["matches"] == 4
    assert costs["commits"] >= 1
    assert costs["statements"] > costs["commits"]
    assert min(costs[name] for name in ("play", "locked", "stored", "record", "cores", "free")) > 0
    assert minute["commits"] == pytest.approx(costs["commits"])
    assert list(settings.home.iterdir()) == []


def test_machine_without_cage_is_refused_at_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason comes before the measurement, in which a worker would try again and again."""
    monkeypatch.setattr(Zygote, "probe", lambda zygote: dict.fromkeys(LAYERS, "missing"))
    monkeypatch.setattr(capacity, "measure", None)
    result = CliRunner().invoke(main, ["capacity"], env=settings.environ())

    assert result.exit_code == ExitCode.REFUSED
    assert "no bot is run on this machine" in result.stderr


def test_database_is_timed(database_url: str) -> None:
    """A commit takes time; a statement does on a server."""
    found = answers(database_url)

    assert found.commit > 0
    assert (found.round_trip > 0) == database_url.startswith("postgresql")


def test_report_says_what_gives_first_and_what_to_do() -> None:
    """Each rate is a column, and each limit that a rate exceeds is a sentence."""
    console = Console(width=80, record=True, file=StringIO())
    report(POSTGRESQL, [need(POSTGRESQL, 10), need(POSTGRESQL, 100_000)], console)
    shown = console.export_text()

    assert "100,000" in shown
    assert "At 100,000 a minute, cores" in shown
    assert "At 10 a minute" not in shown


def test_unusable_database_is_one_line(tmp_path: Path) -> None:
    """The message names the setting."""
    environ = settings_in(tmp_path, ARENA_DATABASE_URL="postgresql://nobody@127.0.0.1:1/none").environ()
    result = CliRunner().invoke(main, ["capacity"], env=environ)

    assert result.exit_code == 1
    assert "The database (ARENA_DATABASE_URL) cannot be used" in result.output
    assert "Traceback" not in result.output


def test_sizes_have_units() -> None:
    """Three digits and a unit suffice."""
    assert [size(number) for number in (5, 1500, 2.5e6, 7.37e9, 3e12)] == ["5 B", "1.5 kB", "2.5 MB", "7.37 GB", "3 TB"]


def test_rate_must_be_positive() -> None:
    """The command line is refused with what is allowed."""
    result = CliRunner().invoke(main, ["capacity", "--rate", "0"])

    assert result.exit_code == 2
    assert "x>0" in result.output
