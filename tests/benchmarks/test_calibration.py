"""`make bench ARGS="calibration limits"`: losses beside those that are played out, and the limits of marks."""

from random import Random

import pytest

from arena.games.registry import rules_of
from arena.match import estimate
from arena.match.analysis import Assessment
from arena.match.estimate import Estimate
from benchmarks import calibration, limits
from benchmarks.bots import Everywhere, play
from benchmarks.calibration import Case, by_mark, by_phase


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make estimates from few games."""
    for name, value in {"WORLDS": 2, "SLOW_WORLDS": 1, "REPEATS": 1}.items():
        monkeypatch.setattr(estimate, name, value)


@pytest.mark.parametrize("variant", ["suits-barnhart-4", "separate-suits-4-split", "suitability-4-partners"])
def test_every_phase_of_a_variant_has_a_row(monkeypatch: pytest.MonkeyPatch, variant: str) -> None:
    """Also phases in which all seats choose at the same time."""
    monkeypatch.setattr(calibration, "POSITIONS", 2)
    monkeypatch.setattr(calibration, "WORLDS", 2)

    table, marks = calibration.run(1, [variant], "bold")

    phases = {"barnhart": {"return", "leading", "following", "discarding"}, "separate": {"packet", "play"}}
    assert {row[0] for row in table.rows} == {variant}
    assert {row[1] for row in table.rows} >= next((some for name, some in phases.items() if name in variant), set())
    assert {row[0] for row in marks.rows} == {variant}


def case(lost: float, played: float) -> Case:
    """Return a decision to lead a card that is not the best one."""
    estimates = [Estimate("7C", 0, 0, best=False), Estimate("8C", 1, 0, best=True)]
    return Case(Assessment(0, 0, 0, "leading", "7C", estimates, lost, 0.98), played, 0.6, played)


def test_figures_of_losses() -> None:
    """The truth is twice the estimate and a point more, and its own chance is no error of the analysis."""
    (row,) = by_phase("suitability-4", [case(lost, 2 * lost + 1) for lost in (0.0, 1.0, 2.0)])

    assert row == ("suitability-4", "leading", "1.00", "3.00 ± 2.26", "2.00", "2.08", "0.50", "33%", "3.00")


def test_marks_have_what_their_decisions_lost() -> None:
    """Marks that hardly occur are left out."""
    rows = [*by_mark("suitability-4", [case(0.1, 0.0), case(0.2, -1.0), case(0.3, 2.5), case(50.0, 1.0)])]

    assert rows == [("suitability-4", "good", "3", "0.20", "0.50 ± 2.04", "33%")]


def test_house_bots_play_a_deal_on() -> None:
    """Points are counted from the position, and it stays as it was."""
    rules = rules_of("separate-suits-2")
    greedy, state = Everywhere("greedy", rules), rules.start()
    before = state.clone()

    points = greedy.play_out(state, greedy.choose(state))

    assert sum(points) in range(14)
    assert state == before


def test_limits_are_those_of_the_worst_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth, a twentieth and a fiftieth of the decisions lose at least as much."""
    monkeypatch.setattr(limits, "_losses", lambda *_: iter(each / 100 for each in range(1001)))

    assert limits.limits_of(rules_of("suits-steere-6").shortest(), 1001) == pytest.approx([9, 9.5, 9.8])


def test_losses_of_house_bots_are_certain_or_none() -> None:
    """Losses that may be chance count as none."""
    losses = limits._losses(rules_of("separate-suits-2"), Random(1))

    assert all(next(losses) >= 0 for _ in range(20))


def test_matches_can_be_analysed() -> None:
    """Matches of house bots are played to the end."""
    rules = rules_of("suits-steere-3")
    record = play(rules, [Everywhere("bold", rules)] * 3, Random(1))

    assert len(record["moves"]) == 144
