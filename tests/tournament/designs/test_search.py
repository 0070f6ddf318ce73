"""Search for block designs: found, composed, or sums of others."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import cast

import pytest

from arena.tournament.designs import families, search
from arena.tournament.designs.actions import action, ground
from arena.tournament.designs.composed import Blocks, Inflated, Truncated, recipes
from arena.tournament.designs.families import family
from arena.tournament.designs.rings import fields, residues, unit_groups
from arena.tournament.designs.search import build, possible, step


def meetings(blocks: Iterable[tuple[int, ...]], points: int) -> set[int]:
    """Return the numbers of meetings of all pairs."""
    met = Counter(pair for block in blocks for pair in combinations(sorted(block), 2))
    return {met[pair] for pair in combinations(range(points), 2)}


def points_of(recipe: Inflated | Truncated) -> int:
    """Return the number of points of a composed design."""
    rest = recipe.rest if isinstance(recipe, Truncated) else 0
    return recipe.groups * recipe.width + rest + recipe.infinity


@pytest.mark.parametrize(
    ("points", "size", "often"),
    [
        (13, 4, 1),  # a projective plane, from a difference set
        (16, 4, 1),  # lines of the affine plane: cosets of a field in another
        (28, 4, 1),  # with a fixed point and blocks with few images
        (9, 3, 1),
        (10, 4, 2),  # in two copies of a ring
        (11, 6, 3),  # the complement of another
        (40, 4, 1),
        (21, 5, 1),
        (8, 3, 6),  # so many meetings that the search tries for longer
        (16, 6, 2),  # a biplane; one meeting is ruled out
    ],
)
def test_designs_are_found(points: int, size: int, often: int) -> None:
    """Every pair is in the requested number of blocks, and the blocks are the same each time."""
    blocks = build(points, size, often)

    assert blocks
    assert meetings(blocks(), points) == {often}
    assert list(blocks()) == list(blocks())


def test_impossible_designs_are_not_searched() -> None:
    """Divisibility and Fisher's inequality rule them out."""
    assert step(10, 4) == 2
    assert [possible(10, 4, often) for often in (1, 2, 3)] == [False, True, False]
    assert not possible(16, 6, 1)
    assert build(16, 6, 1) is None
    assert [possible(points, 4, 1) for points in range(5)] == [True, True, False, False, True]


def test_missing_design_is_not_found() -> None:
    """There is no design of 15 points in blocks of 5 with every pair twice (Nandi 1945)."""
    assert build(15, 5, 2) is None
    assert family(15, 5, 2) is None


def test_designs_are_added_up() -> None:
    """Six is three times two, and eight twice four if there is no design for two."""
    six, eight = build(10, 4, 6), build(15, 5, 8)

    assert six
    assert eight
    assert meetings(six(), 10) == {6}
    assert meetings(eight(), 15) == {8}


@pytest.mark.parametrize(
    ("recipe", "often"),
    [
        (Inflated(4, 4, 4, 0), 1),
        (Inflated(5, 4, 4, 1), 3),
        (Truncated(4, 5, 4, 0), 3),
        (Truncated(4, 5, 3, 1), 6),
        (Truncated(4, 5, 1, 0), 3),
    ],
)
def test_designs_are_composed(recipe: Inflated | Truncated, often: int) -> None:
    """Recipes have equal groups or a shorter last one, with a point at infinity and without."""
    parts = [build(part, 4, often) for part in recipe.parts]

    assert meetings(recipe.blocks(*cast("list[Blocks]", parts)), points_of(recipe)) == {often}


def test_next_recipe_is_tried_if_a_part_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all recipes lack a part, there is no design."""
    usable = [one for one in recipes(85, 4) if all(possible(part, 4, 6) for part in one.parts)]
    missing = usable[0].parts[-1]
    asked: list[int] = []

    def without(points: int, size: int, often: int) -> Blocks | None:
        asked.append(points)
        return None if points in (missing, 85) else build(points, size, often)

    monkeypatch.setattr(search, "build", without)
    blocks = search.composed(85, 4, 6)

    assert missing in asked
    assert blocks
    assert meetings(blocks(), 85) == {6}
    monkeypatch.setattr(search, "build", lambda *_: None)
    assert search.composed(85, 4, 6) is None


def test_recipes_have_the_requested_number_of_points() -> None:
    """Recipes have the requested number of points."""
    assert {points_of(recipe) for recipe in recipes(60, 4)} == {60}
    assert list(recipes(11, 4)) == []


@pytest.mark.parametrize(("size", "copies", "fixed"), [(7, 1, True), (8, 1, False), (4, 2, True), (5, 3, False)])
def test_group_maps_pairs_of_a_class_to_each_other(size: int, copies: int, fixed: bool) -> None:
    """The images of a pair are its class, equally often."""
    for ring_of in (fields, residues):
        on = ground(ring_of, size, copies, fixed)
        for units in unit_groups(ring_of, size):
            act = action(on, units)
            assert sum(act.pairs) == on.points * (on.points - 1) // 2
            for pair in combinations(range(on.points), 2):
                images = Counter(act.images(pair))
                assert len(images) == act.pairs[act.held(pair).index(1)] == act.orbit_size(pair) == len(act.orbit(pair))
                assert len(set(images.values())) == 1


def test_constants_bound_the_search() -> None:
    """Any change of them would change the tables of running tournaments."""
    assert (families.MOST_COPIES, families.SMALL, families.MOST_SHIFTS, families.MOST_CLASSES) == (8, 40, 12, 40)
    assert (families.MOST_TASKS, families.TASKS, families.MOST_LAST) == (16, 2, 3)
    assert (families.ROUNDS, families.LAST_ROUND) == ((1500, 6000), 60_000)
    assert (families.LEAST_PROMISE, families.SEED) == (-4.0, 7)
    assert (families.HOT, families.COLD, families.COOLING) == (3.0, 0.35, 256)
    assert (search.MOST_MULTIPLES, search.MOST_RECIPES) == (13, 12)


def test_summands_are_multiples_of_the_step() -> None:
    """The number of meetings that fits any number of points is always one of them."""
    assert search.summands(10, 4) == [*range(2, 27, 2)]
    assert search.summands(15, 7) == [*range(3, 40, 3), 42]


@pytest.mark.parametrize(
    ("points", "size", "expected"),
    [
        (9, 3, [Inflated(3, 3, 3, 0), Inflated(4, 2, 3, 1)]),
        (10, 3, [Inflated(3, 3, 3, 1), Truncated(3, 3, 1, 0), Inflated(5, 2, 3, 0)]),
        (16, 4, [Inflated(4, 4, 4, 0), Inflated(5, 3, 4, 1)]),
        (17, 4, [Inflated(4, 4, 4, 1), Truncated(4, 4, 1, 0)]),
        (20, 4, [Inflated(5, 4, 4, 0), Inflated(4, 5, 4, 0), Truncated(4, 4, 3, 1)]),
    ],
)
def test_recipe_with_the_smallest_largest_part_is_first(
    points: int, size: int, expected: list[Inflated | Truncated]
) -> None:
    """Groups are at least as many as a block has points, and no wider than the transversal design allows."""
    assert list(recipes(points, size)) == expected
