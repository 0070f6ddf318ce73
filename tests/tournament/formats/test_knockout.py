"""Knockout."""

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.base import Cost, StageSize
from arena.tournament.formats.knockout import (
    Drawn,
    NextStage,
    PastStage,
    cost,
    draw,
    history,
    is_final,
    next_stage,
    reach,
    stage_name,
    stages,
    survivors,
)

Points = Callable[[Sequence[int]], dict[int, int]]


def by_seed(table: Sequence[int]) -> dict[int, int]:
    """Give the better seed more points."""
    return {entry: -entry for entry in table}


def play(entries: int, places: int, advance: int, points: Points) -> list[tuple[list[int], Drawn]]:
    """Play all stages; return the entries in and the draw of each."""
    alive, played = list(range(entries)), []
    while len(alive) >= places:
        drawn = draw(alive, places)
        played.append((alive, drawn))
        if is_final(len(drawn.tables), len(drawn.byes)):
            break
        alive = survivors([points(table) for table in drawn.tables], drawn.byes, places, advance)
    return played


@pytest.mark.parametrize("places", [2, 3, 4, 5, 8])
def test_knockout_ends_with_a_full_final(places: int) -> None:
    """This holds for any number of entries, and every table before the final eliminates an entry."""
    random = Random(places)

    def luck(table: Sequence[int]) -> dict[int, int]:
        return {entry: random.randrange(3) for entry in table}

    for entries, advance in product(range(places, 40), range(1, places)):
        played = play(entries, places, advance, luck)

        assert [StageSize(len(drawn.tables), len(drawn.byes)) for _, drawn in played] == stages(
            entries, places, advance
        )
        assert len(played[-1][0]) == places
        for (alive, drawn), (after, _) in pairwise(played):
            assert sorted([*drawn.byes, *(entry for table in drawn.tables for entry in table)]) == alive
            assert all(len(table) == places for table in drawn.tables)
            assert len(drawn.byes) < places
            assert all(advance <= len(set(table) & set(after)) < places for table in drawn.tables)
            assert set(drawn.byes) <= set(after)


@pytest.mark.parametrize("places", [2, 3, 4, 8])
def test_best_seeds_advance_if_results_follow_the_seeding(places: int) -> None:
    """This holds in every stage, and the best seeds have the byes."""
    for entries, advance in product(range(places, 40), range(1, places)):
        for alive, drawn in play(entries, places, advance, by_seed):
            assert alive == list(range(len(alive)))
            assert list(drawn.byes) == alive[: len(drawn.byes)]


def test_draw_is_a_snake() -> None:
    """The snake runs over the seeds without a bye."""
    assert draw([0, 2, 3, 5, 7, 8, 9, 11, 20], 4) == Drawn([(2, 7, 8, 20), (3, 5, 9, 11)], (0,))
    assert draw([4, 6], 4) == Drawn([], (4, 6))


def test_best_of_every_table_advance() -> None:
    """Ties go to the better seed, and points at other tables do not matter."""
    tables = [{0: 5, 3: 7, 4: 7, 7: 6}, {1: 2, 2: 2, 5: 2, 6: 0}]

    assert survivors(tables, [], 2, 1) == [1, 3]
    assert survivors(tables, [8], 4, 2) == [1, 2, 3, 4, 8]


def test_final_is_filled_with_the_best_of_the_others() -> None:
    """The next in rank at their tables come first, and among these those with more points."""
    tables = [{0: 5, 3: 7, 4: 7, 7: 6}, {1: 2, 2: 2, 5: 2, 6: 0}]

    assert survivors(tables, [], 3, 1) == [1, 3, 4]
    assert survivors(tables, [], 5, 1) == [1, 2, 3, 4, 7]
    assert survivors(tables, [8], 4, 1) == [1, 3, 4, 8]


def test_withdrawn_entry_is_replaced_by_the_next_of_its_table() -> None:
    """If the table has no other entry, none replaces it."""
    assert survivors([{0: 5, 3: 7, 7: 6}, {1: 2}], [], 4, 2) == [0, 1, 3, 7]
    assert survivors([{}, {1: 2}], [], 4, 2) == [1]


@pytest.mark.parametrize(
    ("entries", "places", "advance", "plan"),
    [
        (8, 2, 1, [(4, 0), (2, 0), (1, 0)]),
        (5, 4, 2, [(1, 1), (1, 0)]),
        (16, 4, 2, [(4, 0), (2, 0), (1, 0)]),
        (12, 4, 1, [(3, 0), (1, 0)]),
        (30, 4, 2, [(7, 2), (4, 0), (2, 0), (1, 0)]),
        (4, 4, 2, [(1, 0)]),
        (3, 4, 2, []),
        (0, 4, 2, []),
    ],
)
def test_stage_sizes_are_known_in_advance(entries: int, places: int, advance: int, plan: list[tuple[int, int]]) -> None:
    """Each has a number of tables and of byes."""
    assert stages(entries, places, advance) == plan


@given(alive=st.sets(st.integers(0, 99), max_size=40), places=st.integers(2, 8))
def test_tables_are_about_equally_strong(alive: set[int], places: int) -> None:
    """Each table has one entry from every row of the snake."""
    seeds = sorted(alive)
    drawn = draw(seeds, places)
    rows = seeds[len(drawn.byes) :]

    for table in drawn.tables:
        assert [rows.index(entry) // len(drawn.tables) for entry in table] == list(range(places))


def test_cost_lists_the_stages() -> None:
    """If all entries of a table advanced, the knockout would never end."""
    assert cost(9, 4, 2) == Cost((StageSize(2, 1), StageSize(1, 1), StageSize(1)))
    assert cost(9, 4, 3).problem is None
    assert cost(9, 4, 4).problem == (
        "At most 3 of the 4 bots at a table can advance, not 4: every table must eliminate at least one."
    )


def test_next_stage_follows_from_the_last() -> None:
    """The best of each table and the byes are drawn again, and the others are eliminated after their table."""
    tables = [{1: 2, 4: 0}, {2: 0, 3: 2}]

    assert next_stage([], [0, 1, 2, 3, 4], 2, 1) == NextStage([(1, 4), (2, 3)], [])
    assert next_stage(tables, [0, 1, 2, 3, 4], 2, 1) == NextStage([(1, 3)], [frozenset({4}), frozenset({2})])
    assert next_stage([{1: 2, 3: 0}], [0, 1, 3], 2, 1) == NextStage([(0, 1)], [frozenset({3})])


def test_no_stage_follows_the_final() -> None:
    """Nor does one if withdrawals leave too few entries for a table."""
    assert next_stage([{0: 2, 1: 0}], [0, 1], 2, 1) is None
    assert next_stage([{0: 2}, {}], [0], 2, 1) is None
    assert next_stage([{}], [3], 2, 1) is None


def test_stages_have_names() -> None:
    """Stages are numbered from 1, and the last is the final."""
    assert [stage_name(0, final=False), stage_name(1, final=False), stage_name(2, final=True)] == [
        "Stage 1",
        "Stage 2",
        "Final",
    ]


def test_history_is_reconstructed_from_the_seats() -> None:
    """Byes are the entries known to be in that did not sit; the final is the last stage if it has one table."""
    made = history([{1, 2, 3, 4}, {0, 1, 3}, {0, 3}], [2, 1, 1], {0, 3})

    assert made == [
        PastStage(frozenset({0}), frozenset({1, 3}), final=False),
        PastStage(frozenset(), frozenset({0, 3}), final=False),
        PastStage(frozenset(), frozenset(), final=True),
    ]
    assert history([{1, 2}], [1], {0, 1, 2}) == [PastStage(frozenset({0}), frozenset(), final=False)]
    assert history([{0, 1, 2, 3}], [2], {0, 1, 2, 3}) == [PastStage(frozenset(), frozenset(), final=False)]
    assert history([], [], {0, 1}) == []


@pytest.mark.parametrize(
    ("stages", "last", "half_points", "alive", "expected"),
    [
        (3, 2, 5, True, (2, 5)),
        (3, 1, 5, True, (2, -1)),  # a bye in the latest stage
        (3, 1, 5, False, (1, 5)),
        (3, 1, None, False, (1, -1)),
        (3, -1, None, False, (-1, -1)),
        (0, -1, None, True, (-1, -1)),
    ],
)
def test_reach_is_the_last_stage_and_the_points_there(
    stages: int, last: int, half_points: int | None, alive: bool, expected: tuple[int, int]
) -> None:
    """An entry that is still in has reached the latest stage."""
    assert reach(stages, last, half_points, alive=alive) == expected
