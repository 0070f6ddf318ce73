"""Uniform deals of unseen cards."""

from collections import Counter
from itertools import permutations
from math import factorial, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.deals import Group, Plan, deal_uniformly

VOIDS = [Group([0, 1], (0, 1)), Group([2, 3, 4], (0, 1, 2)), Group([5], (1, 2)), Group([6], (0, 1, 2))]
ROOM = [2, 3, 2]


def allowed_deals(groups: list[Group], room: list[int]) -> set[tuple[frozenset[int], ...]]:
    """Return every deal, found by trying all orders of the cards."""
    places = {card: group.places for group in groups for card in group.cards}
    slots = [place for place, most in enumerate(room) for _ in range(most)]
    return {
        tuple(frozenset(card for card, slot in zip(order, slots, strict=True) if slot == at) for at in range(len(room)))
        for order in permutations(places)
        if all(slot in places[card] for card, slot in zip(order, slots, strict=True))
    }


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@pytest.mark.parametrize(
    ("groups", "room"),
    [
        (VOIDS, ROOM),
        ([Group([0], (0, 3)), Group([1], (1, 3)), Group([2, 3, 4, 5], (0, 1, 2, 3))], [2, 1, 2, 1]),
        ([Group([0, 1], (1,)), Group([2, 3], (0, 2)), Group([4, 5], (0, 1, 2))], [2, 3, 1]),
    ],
)
def test_every_allowed_deal_is_equally_likely(groups: list[Group], room: list[int]) -> None:
    """The deals found by brute force occur about equally often, and no others occur."""
    rng = Random(1)
    deals = allowed_deals(groups, room)
    expected = 150
    seen = Counter(tuple(map(frozenset, deal_uniformly(groups, room, rng))) for _ in range(expected * len(deals)))

    assert set(seen) == deals
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi_square < 2 * len(deals) + 10


@pytest.mark.parametrize(("groups", "room", "steps"), [(VOIDS, ROOM, 5), ([Group([0, 1], (0, 1))], [1, 1], 1)])
def test_plan_counts_every_deal_once(groups: list[Group], room: list[int], steps: int) -> None:
    """Orders within groups aside, the first step counts as many slots for cards as brute force finds."""
    plan = Plan(groups, room)
    orders = prod(factorial(len(group.cards)) for group in plan.groups)

    assert plan.root.upto[-1] * orders == len(allowed_deals(groups, room)) * prod(map(factorial, room))
    assert len(plan.nodes) == steps
    assert plan.root in plan.nodes


def test_cards_come_in_random_order() -> None:
    """A place that gets all cards gets them in every order, for any groups."""
    groups = [Group([0], (0,)), Group([1, 2], (0, 1))]
    seen = Counter(tuple(deal_uniformly(groups, [3, 0], Random(seed))[0]) for seed in range(1200))

    assert set(seen) == set(permutations(range(3)))
    assert min(seen.values()) > 150


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 40))
def test_cards_are_in_allowed_places_and_fill_the_room(seed: int, places: int, cards: int) -> None:
    """Each card is dealt once, to a place of its group, and every place is filled."""
    rng = Random(seed)
    allowed = [sorted(rng.sample(range(places), rng.randint(1, places))) for _ in range(5)]
    at = [rng.choice(allowed[card % 5]) for card in range(cards)]
    room = [at.count(place) for place in range(places)]
    groups = [Group(range(suit, cards, 5), tuple(allowed[suit])) for suit in range(5)]
    dealt = deal_uniformly(groups, room, rng)

    assert [len(row) for row in dealt] == room
    assert sorted(card for row in dealt for card in row) == list(range(cards))
    assert all(place in allowed[card % 5] for place, row in enumerate(dealt) for card in row)


def test_empty_deal() -> None:
    """Without cards and room every place stays empty."""
    assert deal_uniformly([], [0, 0], Random(1)) == [[], []]
    assert deal_uniformly([Group([], (0,))], [0], Random(1)) == [[]]


@pytest.mark.parametrize(
    ("groups", "room"),
    [
        ([Group([0, 1], (0, 1))], [1, 0]),
        ([Group([0], (0, 1))], [1, 1]),
        ([Group([0, 1], (0,)), Group([2], (0, 1))], [1, 2]),
        ([Group([0], ())], [1]),
        ([Group([0], (0,))], [0, 1]),
    ],
)
def test_impossible_deal_is_refused(groups: list[Group], room: list[int]) -> None:
    """Too little room, too much room, or room in the wrong places raises an error."""
    with pytest.raises(ValueError, match="no deal gives every card a place that may hold it"):
        deal_uniformly(groups, room, Random(1))
