"""Named locks."""

from arena.db.locks import lock_number
from arena.games.registry import VARIANTS


def test_lock_numbers_are_stable() -> None:
    """The number depends on the name alone, so processes of different releases take the same lock."""
    assert lock_number("suitability-4") == -1229725494
    assert lock_number("suits-steere-3") == -514202172


def test_lock_numbers_of_variants_differ() -> None:
    """No two variants share a lock, and each number fits a signed integer of 32 bits."""
    numbers = [lock_number(variant) for variant in VARIANTS]

    assert len(set(numbers)) == len(numbers)
    assert all(-(2**31) <= number < 2**31 for number in numbers)
