"""`make bench ARGS=strength`: pairs of house bots."""

from arena.cli.bots import load_bot
from arena.cli.crew import Setting
from arena.games.registry import rules_of
from arena.settings import Settings
from benchmarks.strength import UntilClear, cell, pairs_of, play


def test_best_bot_meets_all_others() -> None:
    """Search meets each house bot of the game once, and planner, greedy and random meet their neighbours."""
    pairs = pairs_of(rules_of("suitability-4"))

    assert {second for first, second in pairs if first == "search"} == {"planner", "greedy", "bold", "random"}
    assert pairs[-2:] == [("planner", "greedy"), ("greedy", "random")]


def test_bots_meet_in_the_solitaire() -> None:
    """Each plays the same boards alone, and the table compares them."""
    assert pairs_of(rules_of("suits-barnhart-solitaire"))[-1] == ("greedy", "random")
    bots = [load_bot(name, Settings.from_env()) for name in ("greedy", "random")]

    assert play("suits-barnhart-solitaire", bots, 4)[0].startswith("1.00 ")


def test_means_have_intervals() -> None:
    """Tables that are all alike have no interval, and some variants have no points a deal."""
    assert cell(0.625, (0.551, 0.694)) == "0.62 (0.55–0.69)"
    assert cell(1.0, None) == "1.00 (–)"
    assert cell(None, None) == "–"


def test_bots_meet_on_duplicate_tables() -> None:
    """The first bot's share, its lead a deal and its CPU time are measured."""
    bots = [load_bot(name, Settings.from_env()) for name in ("greedy", "random")]

    points, lead, tables, move, match = play("suits-steere-3", bots, 12)
    assert 0 <= float(points.split()[0]) <= 1
    assert float(lead.split()[0]) > 0
    assert int(tables) > 1
    assert move.endswith(" ms")
    assert match.endswith(" s")


def test_clear_results_need_fewer_tables() -> None:
    """A pair stops as soon as its interval excludes a half; with results that are all alike that takes eight tables."""
    bots = [load_bot(name, Settings.from_env()) for name in ("greedy", "random")]
    series = UntilClear(Setting(bots, "suits-steere-3", rules_of("suits-steere-3"), 1, "rotations", bytes(32)), 60)

    series.points = [(4, 4)] * 7
    assert not series.is_clear()
    series.points = [(4, 4)] * 8
    assert series.is_clear()
    assert [*series._tables()] == []
