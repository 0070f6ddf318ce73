"""Knockout."""

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.knockout import Drawn, StagePlan, draw, going_on, is_final, stages

Points = Callable[[Sequence[int]], dict[int, int]]


def by_seed(table: Sequence[int]) -> dict[int, int]:
    """The better seed has more points."""
    return {entry: -entry for entry in table}


def play(entries: int, places: int, advance: int, points: Points) -> list[tuple[list[int], Drawn]]:
    """All stages: who was in, and what was drawn."""
    alive, played = list(range(entries)), []
    while len(alive) >= places:
        drawn = draw(alive, places)
        played.append((alive, drawn))
        if is_final(len(drawn.tables), len(drawn.byes)):
            break
        alive = going_on([points(table) for table in drawn.tables], drawn.byes, places, advance)
    return played


@pytest.mark.parametrize("places", [2, 3, 4, 5, 8])
def test_all_ends_with_a_full_final(places: int) -> None:
    """From any number of entries, with any number that go on; somebody goes home from every table before."""
    random = Random(places)

    def luck(table: Sequence[int]) -> dict[int, int]:
        return {entry: random.randrange(3) for entry in table}

    for entries, advance in product(range(places, 40), range(1, places)):
        played = play(entries, places, advance, luck)

        assert [StagePlan(len(drawn.tables), len(drawn.byes)) for _, drawn in played] == stages(
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
def test_if_all_goes_by_seeding_the_best_seeds_go_on(places: int) -> None:
    """In every stage, and the best have the byes."""
    for entries, advance in product(range(places, 40), range(1, places)):
        for alive, drawn in play(entries, places, advance, by_seed):
            assert alive == list(range(len(alive)))
            assert list(drawn.byes) == alive[: len(drawn.byes)]


def test_the_draw_is_a_snake() -> None:
    """Over the seeds that have no bye."""
    assert draw([0, 2, 3, 5, 7, 8, 9, 11, 20], 4) == Drawn([(2, 7, 8, 20), (3, 5, 9, 11)], (0,))
    assert draw([4, 6], 4) == Drawn([], (4, 6))


def test_the_best_of_every_table_go_on() -> None:
    """Of equals the better seed; and whoever sat at a strong table without being among its best does not."""
    tables = [{0: 5, 3: 7, 4: 7, 7: 6}, {1: 2, 2: 2, 5: 2, 6: 0}]

    assert going_on(tables, [], 2, 1) == [1, 3]
    assert going_on(tables, [8], 4, 2) == [1, 2, 3, 4, 8]


def test_a_final_is_filled_with_the_best_of_the_others() -> None:
    """First those who were next at their tables, and of these those with more points."""
    tables = [{0: 5, 3: 7, 4: 7, 7: 6}, {1: 2, 2: 2, 5: 2, 6: 0}]

    assert going_on(tables, [], 3, 1) == [1, 3, 4]
    assert going_on(tables, [], 5, 1) == [1, 2, 3, 4, 7]
    assert going_on(tables, [8], 4, 1) == [1, 3, 4, 8]


def test_who_is_withdrawn_is_replaced_by_the_next_of_its_table() -> None:
    """As long as there is one."""
    assert going_on([{0: 5, 3: 7, 7: 6}, {1: 2}], [], 4, 2) == [0, 1, 3, 7]
    assert going_on([{}, {1: 2}], [], 4, 2) == [1]


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
def test_the_stages_are_told_beforehand(entries: int, places: int, advance: int, plan: list[tuple[int, int]]) -> None:
    """How many tables, and how many byes."""
    assert stages(entries, places, advance) == plan


@given(alive=st.sets(st.integers(0, 99), max_size=40), places=st.integers(2, 8))
def test_tables_are_about_equally_strong(alive: set[int], places: int) -> None:
    """In every row of the snake each table has one."""
    seeds = sorted(alive)
    drawn = draw(seeds, places)
    rows = seeds[len(drawn.byes) :]

    for table in drawn.tables:
        assert [rows.index(entry) // len(drawn.tables) for entry in table] == list(range(places))
