"""Rules of points."""

import pytest

from arena.games.errors import Refused
from arena.services.assignments.points import Award, Points, as_json, from_json, parse_places


def test_one_number_falls_evenly_from_first_to_last() -> None:
    """The last place has no points, and a place of its own has them all."""
    rules = Points(places=(10,))

    assert [rules.of_place(rank, 5) for rank in (1, 2, 3, 5)] == [10, 7.5, 5, 0]
    assert rules.of_place(1, 1) == 10


def test_several_numbers_are_points_of_places() -> None:
    """Places beyond the list have none, and an empty list gives none at all."""
    rules = Points(places=(10, 8, 6))

    assert [rules.of_place(rank, 5) for rank in (1, 2, 3, 4)] == [10, 8, 6, 0]
    assert Points(places=()).of_place(1, 5) == 0


def test_award_adds_up() -> None:
    """The total is the sum of the achievements."""
    assert Award(1, 4, 2.5).total == 7.5


def test_places_are_parsed() -> None:
    """Commas, semicolons and spaces separate numbers."""
    assert parse_places("10, 8;6 4.5") == (10, 8, 6, 4.5)
    assert parse_places(" ") == ()
    with pytest.raises(Refused, match="not 'ten'"):
        parse_places("ten")


def test_stored_rules_are_read_back() -> None:
    """Rules that are malformed are refused."""
    rules = Points(2, 3.5, (9.0, 7.0))

    assert from_json(as_json(rules)) == rules
    for wrong in ({"valid": 1}, {"valid": 1, "beaten": 1, "places": 3}, {"places": [], "other": 1}):
        with pytest.raises(Refused, match="rules of points"):
            from_json(wrong)
