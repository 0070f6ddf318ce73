"""Designs that are found, composed, or added up."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import cast

import pytest

from arena.tournament.designs import search
from arena.tournament.designs.actions import action, ground
from arena.tournament.designs.composed import Blocks, Inflated, Truncated, recipes
from arena.tournament.designs.families import family
from arena.tournament.designs.rings import fields, residues, unit_groups
from arena.tournament.designs.search import build, possible, step


def meetings(blocks: Iterable[tuple[int, ...]], points: int) -> set[int]:
    """How often the pairs meet."""
    met = Counter(pair for block in blocks for pair in combinations(sorted(block), 2))
    return {met[pair] for pair in combinations(range(points), 2)}


def points_of(recipe: Inflated | Truncated) -> int:
    """How many points a composed design has."""
    rest = recipe.rest if isinstance(recipe, Truncated) else 0
    return recipe.groups * recipe.width + rest + recipe.infinity


@pytest.mark.parametrize(
    ("points", "size", "often"),
    [
        (13, 4, 1),  # a plane, from a difference set
        (16, 4, 1),  # lines of the affine plane: cosets of a field in another
        (28, 4, 1),  # with a fixed point and blocks of few images
        (9, 3, 1),
        (10, 4, 2),  # in two copies of a ring
        (11, 6, 3),  # the complement of another
        (40, 4, 1),
        (21, 5, 1),
    ],
)
def test_designs_are_found(points: int, size: int, often: int) -> None:
    """With as few blocks as there can be."""
    blocks = build(points, size, often)

    assert blocks
    assert meetings(blocks(), points) == {often}
    assert list(blocks()) == list(blocks())


def test_what_cannot_be_is_not_looked_for() -> None:
    """Divisibility, and Fisher's inequality."""
    assert step(10, 4) == 2
    assert [possible(10, 4, often) for often in (1, 2, 3)] == [False, True, False]
    assert not possible(16, 6, 1)
    assert build(16, 6, 1) is None
    assert [possible(points, 4, 1) for points in range(5)] == [True, True, False, False, True]


def test_what_does_not_exist_is_not_found() -> None:
    """15 points in blocks of 5, every pair twice (Nandi 1945)."""
    assert build(15, 5, 2) is None
    assert family(15, 5, 2) is None


def test_designs_are_added_up() -> None:
    """Six is thrice two, and eight twice four where there is none for two."""
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
def test_a_design_is_made_of_designs(recipe: Inflated | Truncated, often: int) -> None:
    """Groups of one width, with a point at infinity and without; and with a last group that is shorter."""
    parts = [build(part, 4, often) for part in recipe.parts]

    assert meetings(recipe.blocks(*cast("list[Blocks]", parts)), points_of(recipe)) == {often}


def test_another_recipe_is_taken_where_a_part_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no more than a few are tried."""
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


def test_recipes_fit() -> None:
    """Their points are as many as are wanted."""
    assert {points_of(recipe) for recipe in recipes(60, 4)} == {60}
    assert list(recipes(11, 4)) == []


@pytest.mark.parametrize(("size", "copies", "fixed"), [(7, 1, True), (8, 1, False), (4, 2, True), (5, 3, False)])
def test_pairs_of_a_class_are_moved_to_each_other(size: int, copies: int, fixed: bool) -> None:
    """And to no others: the images of a pair are its class, equally often."""
    for ring_of in (fields, residues):
        on = ground(ring_of, size, copies, fixed)
        for units in unit_groups(ring_of, size):
            act = action(on, units)
            assert sum(act.pairs) == on.points * (on.points - 1) // 2
            for pair in combinations(range(on.points), 2):
                images = Counter(act.images(pair))
                assert len(images) == act.pairs[act.held(pair).index(1)] == act.orbit_size(pair) == len(act.orbit(pair))
                assert len(set(images.values())) == 1
