"""The benchmark of the vector environment."""

from random import Random

from arena.games.registry import VARIANTS
from benchmarks import vector
from benchmarks.child import ours
from benchmarks.results import NOTHING, Result, Row
from benchmarks.sides import vector as side
from benchmarks.sides.harness import Sample
from tests.benchmarks.test_docs import section


def test_a_span_has_a_decision_of_each_row_in_each_step() -> None:
    """A span counts the decisions of all rows over its steps."""
    seconds, decisions = next(side.decisions(side.load("suitability-4", {"rows": 2}), Random(1)))

    assert seconds > 0
    assert decisions == 2 * side.STEPS


def test_ten_times_the_decisions_reach_the_target() -> None:
    """Rates are shown with their ratio; an opponent that is not installed leaves its cells empty."""
    fast, slow = [Sample(1e-6, 1)], [Sample(1e-5, 1)]
    (spiel,) = vector.rows("open_spiel")
    beside = [Result(spiel, [fast, slow]), Result(spiel, [fast, []])]
    every = [Result(Row("suit-yourself", [], None, vector.RATE), [slow])]
    with ours("suit_arena") as mine:
        _, table, variants = vector.tables({"suit-arena": mine}, 1, beside, every)

    assert table.rows[0][3:] == ("10.00× speed", "≥ 10.00× speed", "yes")
    assert table.rows[1][2:4] == (NOTHING, NOTHING)
    assert variants.rows[0][:2] == ("suit-yourself", "1129")


def test_docs_list_every_opponent_and_variant() -> None:
    """The page has a row for each game of another project, with its target, and for each variant."""
    text = section("Environments for learning")

    assert all(title in text for side in vector.OTHERS for title, *_ in vector.OTHERS[side])
    assert all(f"`{variant}`" in text for variant in VARIANTS)
    assert f"≥ {vector.TARGET}" in text
