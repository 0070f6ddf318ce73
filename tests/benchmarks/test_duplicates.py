"""The benchmark of duplicate tables: its bots are what they are said to be, and its numbers what they are called."""

import re
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from arena.games.suitability.state import SuitabilityState
from arena.games.suitability.view import SuitabilityView
from benchmarks import duplicates, family
from benchmarks.duplicates import RULES, Field, Found, Gap
from benchmarks.table import NOTHING
from bots.greedy_bot import Greedy

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"
SMALL = Field("small", (0.0, 0.1, 0.2, 0.3, 1.0), True, 16, 0.5)


def positions(seed: int) -> list[SuitabilityState]:
    """Copies of all positions of a random match in which somebody has a choice."""
    rng, state, found = Random(seed), RULES.start(), []
    assert isinstance(state, SuitabilityState)
    for index in range(RULES.options["deals"]):
        state.deal(RULES.draw_board(index, rng))
        while state.seat >= 0:
            legal = state.legal(state.seat)
            if len(legal) > 1:
                found.append(state.clone())
            state.apply(rng.choice(legal))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_family_is_the_house_bot(seed: int) -> None:
    """In every position it chooses what Greedy chooses from its view."""
    bot = Greedy()
    bot.game = "suitability"
    for state in positions(seed):
        chosen = family.greedy(state, state.legal(state.seat))

        assert RULES.token(chosen) == bot.act(SuitabilityView(state.view(state.seat)))


def test_steady_bots_do_the_same_in_the_same_position() -> None:
    """They roll the same dice for the same knowledge, whatever others hold, and nearly always others elsewhere."""
    found = positions(4)
    rolls = [family.steady(state) for state in found]
    changed = [state.clone() for state in found]
    for state in changed:
        others = [place for place in range(20) if place % 5 not in (state.seat, 4)]
        for place in others:
            state.hands[place] = 0

    assert [family.steady(state) for state in changed] == rolls
    assert len(set(rolls)) == len(rolls)
    assert fmean(roll / 2**64 for roll in rolls) == pytest.approx(0.5, abs=0.1)


def test_more_blunders_are_fewer_points() -> None:
    """The order of the family is known because it is made."""
    rng = Random(1)
    for dice in (family.steady, family.fickle(rng)):
        ranks = [family.play(RULES, duplicates.boards(rng), (0.0, 1.0, 0.0, 1.0), dice) for _ in range(25)]

        assert fmean(match[0] + match[2] for match in ranks) < fmean(match[1] + match[3] for match in ranks)


def test_equal_steady_bots_tie_at_a_duplicate_table() -> None:
    """Luck is cancelled to the last half point, which no number of plain deals does."""
    field, rng = Field("equals", (0.3,) * 4, True, 4), Random(1)

    for _ in range(5):
        table = duplicates.duplicate(field, rng, family.steady)
        assert {sum(match[bot] for match in table) for bot in range(4)} == {12}


def test_a_table_seats_the_same_bots_in_turn_and_plain_matches_draw_them_anew() -> None:
    """Four matches each."""
    table, matches = (play(SMALL, Random(3), family.steady) for play in (duplicates.duplicate, duplicates.plain))

    assert len({frozenset(match) for match in table}) == 1 < len({frozenset(match) for match in matches})
    assert {len(match) for match in (*table, *matches)} == {4}
    assert all(sum(match.values()) == 12 for match in (*table, *matches))


def test_the_ratio_is_of_matches_for_the_same_error() -> None:
    """Where the four matches of a table are no more than one told four times, four times as many are needed."""
    singles = [{0: 6, 1: 0}, {0: 0, 1: 6}, {0: 2, 1: 4}, {0: 4, 1: 2}]

    assert duplicates.ratio([singles], [[match] * 4 for match in singles], [(0, 1)]) == 4.0
    assert duplicates.ratio([singles], [singles, singles], [(0, 1)]) == 0.0
    assert list(duplicates.leads([[singles[0]], [{0: 6, 2: 0}]], 0, 1)) == [6]


def test_tau_counts_pairs_in_the_right_order() -> None:
    """Best first is 1, best last is -1, and what is tied counts as nothing."""
    assert duplicates.tau([3.0, 2.0, 1.0]) == 1.0
    assert duplicates.tau([1.0, 2.0, 3.0]) == -1.0
    assert duplicates.tau([2.0, 2.0, 1.0]) == pytest.approx(2 / 3)
    assert duplicates.shares([[{0: 6, 1: 0}, {0: 4, 1: 2}]], 3) == [5.0, 1.0, 3.0]


def test_the_matches_needed_are_those_of_a_normal_lead() -> None:
    """A lead of one spread is right in 84 of 100 cases after one unit; what is led the wrong way is never right."""
    assert duplicates.expected([Gap(1.0, 1.0)], 4) == pytest.approx(0.6827, abs=1e-4)
    assert duplicates.expected([Gap(1.0, 1.0), Gap(-1.0, 1.0)], 400) == 0.0
    assert duplicates.needed([Gap(1.0, 2.0)], 0.6827) == pytest.approx(16, abs=1)
    assert duplicates.needed([Gap(-1.0, 2.0)], 0.1) is None


def test_a_gap_is_what_bots_take_with_how_far_units_stray() -> None:
    """From units of a match each, in two of which the better one wins."""
    units = [[{0: 2, 1: 0}], [{0: 2, 1: 0}], [{0: 0, 1: 2}], [{0: 0, 1: 2}]]

    assert duplicates.gaps(units, [1.0, 1.0]) == [Gap(0.0, 2.0)]
    assert duplicates.gaps(units, [2.0, 0.0])[0].lead == 2.0


def test_the_tables_have_a_row_for_every_field_and_number_of_matches() -> None:
    """Small ones, once."""
    other = SMALL._replace(title="other", steady=False, target=None, matches=32)

    first, second = duplicates.run(2, (SMALL, other))

    assert [row[0] for row in first.rows] == ["small", "other"]
    assert [row[2] for row in first.rows] == ["≤ 0.5", NOTHING]
    assert [row[0] for row in second.rows] == ["16", "32"]
    assert second.rows[0].count(NOTHING) == 0
    assert second.rows[1].count(NOTHING) == 2


@pytest.mark.parametrize(("neighbours", "told"), [([0.4, 0.5, 0.9], "yes"), ([0.4, 0.51, 0.9], "no")])
def test_the_median_of_the_rounds_reaches_the_target(neighbours: list[float], told: str) -> None:
    """At most what it says; and the part by tau is that of the two kinds of gaps."""
    found = Found(SMALL, ({}, {}), ([Gap(0.01, 2.0)], [Gap(0.01, 1.0)]), neighbours, [0.6])

    (row,) = duplicates.parts([found], 3).rows

    assert row[3] == told
    assert row[5:] == ("0.25",) * 4


def test_the_page_has_the_fields_and_the_target() -> None:
    """What the page says of the tables is what the tables show."""
    section = PAGE.read_text().partition("## Duplicate tables\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+?) +\| [\d.]+ \([^|]*\| ([^|]+?) +\|", section, re.MULTILINE)

    assert rows == [(field.title, f"≤ {field.target}" if field.target else NOTHING) for field in duplicates.FIELDS]
