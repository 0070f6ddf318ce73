"""Finite rings."""

from itertools import product

import pytest

from arena.tournament.designs.rings import fields, prime_powers, residues, smallest_field, unit_groups


@pytest.mark.parametrize("size", [1, 2, 4, 6, 8, 9, 12, 25])
@pytest.mark.parametrize("ring_of", [residues, fields])
def test_a_ring_adds_and_multiplies_as_rings_do(ring_of: object, size: int) -> None:
    """Commutative, associative, distributive, with zero and one."""
    assert callable(ring_of)
    ring = ring_of(size)
    elements = range(size)

    assert ring.add[0] == list(elements)
    assert list(elements) in ring.mul
    assert all(ring.add[x][ring.minus(x)] == 0 for x in elements)
    for x, y in product(elements, repeat=2):
        assert ring.add[x][y] == ring.add[y][x]
        assert ring.mul[x][y] == ring.mul[y][x]
    for x, y, z in product(elements[:12], repeat=3):
        assert ring.add[ring.add[x][y]][z] == ring.add[x][ring.add[y][z]]
        assert ring.mul[ring.mul[x][y]][z] == ring.mul[x][ring.mul[y][z]]
        assert ring.mul[x][ring.add[y][z]] == ring.add[ring.mul[x][y]][ring.mul[x][z]]


@pytest.mark.parametrize("size", [2, 4, 7, 8, 27])
def test_in_a_field_all_but_zero_can_be_divided_by(size: int) -> None:
    """And one element's powers are all of them."""
    assert all(len(set(row)) == size for row in fields(size).mul[1:])
    assert len(unit_groups(fields, size)[0]) == size - 1


def test_units_come_in_groups() -> None:
    """Every one is closed under products, begins with one, and holds units only."""
    groups = unit_groups(residues, 12)

    assert sorted(sorted(group) for group in groups) == [[1], [1, 5], [1, 7], [1, 11]]
    assert all(group[0] == 1 for group in groups)


def test_a_size_is_a_product_of_fields() -> None:
    """360 is 8 · 9 · 5."""
    assert prime_powers(360) == [(2, 3), (3, 2), (5, 1)]
    assert [smallest_field(size) for size in (1, 7, 12, 360)] == [1, 7, 3, 5]
