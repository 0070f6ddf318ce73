"""Shuffling of packs, and reading of hands from records."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.boards import check_cards, read_hands, shuffled
from arena.games.errors import BoardError

PACK = {"a": 7, "b": 3, "c": 5, "d": 1}


@given(st.lists(st.integers(), unique=True), st.integers())
def test_shuffling_keeps_cards_and_leaves_the_pack_unchanged(pack: list[int], seed: int) -> None:
    """The result has the same cards, in an order decided by the generator alone."""
    before = pack.copy()
    cards = shuffled(pack, Random(seed))

    assert sorted(cards) == sorted(pack)
    assert pack == before
    assert shuffled(tuple(pack), Random(seed)) == cards


def test_every_order_is_equally_likely() -> None:
    """All 24 orders of four cards occur about equally often."""
    rng = Random(1)
    counts = Counter(tuple(shuffled(range(4), rng)) for _ in range(24_000))

    assert set(counts) == set(permutations(range(4)))
    assert all(abs(count - 1000) < 160 for count in counts.values())


def test_every_card_is_equally_likely_at_every_place() -> None:
    """This holds for a whole pack, too, in which not all orders can be counted."""
    rng = Random(2)
    counts = Counter(place for _ in range(2000) for place in enumerate(shuffled(range(52), rng)))

    assert len(counts) == 52 * 52
    assert sum((count - 2000 / 52) ** 2 / (2000 / 52) for count in counts.values()) < 51 * 51 + 5 * 72


def test_hands_are_read_by_seat() -> None:
    """Cards keep the order of the record; some may remain undealt."""
    assert read_hands({"hands": [["d", "a"], ["b", "c"]]}, 2, 2, PACK) == [[1, 7], [3, 5]]
    assert read_hands({"hands": [["c"], ["a"]], "more": 1}, 2, 1, PACK, "b") == [[5], [7]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "hands must be a list of 2 hands"),
        ([["a", "b"], ["c", "d"]], "hands must be a list of 2 hands"),
        ({}, "hands must be a list of 2 hands"),
        ({"hands": "abcd"}, "hands must be a list of 2 hands"),
        ({"hands": [["a", "b"]]}, "hands must be a list of 2 hands"),
        ({"hands": [["a", "b"], "cd"]}, "seat 1 must have 2 cards"),
        ({"hands": [["a"], ["c", "d"]]}, "seat 0 must have 2 cards"),
        ({"hands": [["a", "b"], ["c", "d", "a"]]}, "seat 1 must have 2 cards"),
        ({"hands": [["a", "b"], ["c", "e"]]}, "'e' is not a card of this pack, or is dealt twice"),
        ({"hands": [["a", "b"], ["c", "a"]]}, "'a' is not a card of this pack, or is dealt twice"),
        ({"hands": [["a", "b"], ["c", ["d"]]]}, "is not a card of this pack"),
    ],
)
def test_invalid_hands_are_refused(data: object, message: str) -> None:
    """The error names the hand, the number of cards, or the card."""
    with pytest.raises(BoardError, match=message):
        read_hands(data, 2, 2, PACK)


def test_turn_up_must_not_be_in_a_hand() -> None:
    """Further cards of a board belong to the same pack as the hands."""
    with pytest.raises(BoardError, match="'a' is not a card of this pack, or is dealt twice"):
        read_hands({"hands": [["a"], ["b"]]}, 2, 1, PACK, "a")
    with pytest.raises(BoardError, match="None is not a card of this pack"):
        read_hands({"hands": [["a"], ["b"]]}, 2, 1, PACK, None)


def test_each_card_of_the_pack_is_allowed_once() -> None:
    """Any cards in any order are allowed."""
    check_cards([], PACK)
    check_cards(["d", "a"], PACK)
    for dealt in (["a", "a"], ["x"], [7], [None]):
        with pytest.raises(BoardError, match="is not a card of this pack, or is dealt twice"):
            check_cards(dealt, PACK)
