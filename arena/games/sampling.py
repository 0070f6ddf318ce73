"""Dealing unseen cards so that every deal that a seat thinks possible is equally likely.

Card games tell what a player does *not* hold: whoever fails to follow suit is void in it. `deal_uniformly` counts the
deals that remain and draws one of them, exactly; nothing is rejected and no deal is favoured.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import comb, factorial, prod
from random import Random
from typing import NamedTuple


class Group(NamedTuple):
    """Cards that may lie in the same places."""

    cards: Sequence[int]
    places: tuple[int, ...]
    """Numbers of the places that may hold them, ascending."""


def deal_uniformly(groups: Iterable[Group], room: Sequence[int], rng: Random) -> list[list[int]]:
    """Deal all cards to places with room for `room` cards each: the cards by place, in random order.

    Every deal that the groups allow is equally likely. There must be as much room as there are cards, and a deal that
    is allowed; else this raises ValueError.
    """
    merged = _merged(groups)
    pools = _pools(merged, len(room))
    pooled = [sum(room[place] for place in pool) for pool in pools]
    by_pool = [[number for number, pool in enumerate(pools) if pool[0] in group.places] for group in merged]
    dealt: list[list[int]] = [[] for _ in room]
    counter = _Counter([Group(group.cards, tuple(at)) for group, at in zip(merged, by_pool, strict=True)])
    for pool, cards in zip(pools, counter.deal(tuple(pooled), rng), strict=True):
        rng.shuffle(cards)
        for place in pool:
            dealt[place] = [cards.pop() for _ in range(room[place])]
    return dealt


def _merged(groups: Iterable[Group]) -> list[Group]:
    """Groups that may lie in the same places as one, those with the fewest places first."""
    by_places: dict[tuple[int, ...], list[int]] = {}
    for group in groups:
        if group.cards:
            by_places.setdefault(group.places, []).extend(group.cards)
    return [Group(cards, places) for places, cards in sorted(by_places.items(), key=lambda item: (len(item[0]), item))]


def _pools(groups: Sequence[Group], places: int) -> list[list[int]]:
    """Places that may hold the same cards count as one until their cards are shared out: far fewer ways to count."""
    alike: dict[tuple[bool, ...], list[int]] = {}
    for place in range(places):
        alike.setdefault(tuple(place in group.places for group in groups), []).append(place)
    return list(alike.values())


class _Counter:
    """Counts deals from a point on: group `number`, place `turn` of it, so many of its cards, so much room by place."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = groups
        self.known: dict[tuple[int, int, int, tuple[int, ...]], int] = {}

    def deal(self, room: tuple[int, ...], rng: Random) -> list[list[int]]:
        """Draw a deal: the cards by place."""
        if sum(room) != sum(len(group.cards) for group in self.groups) or not self.deals(0, 0, -1, room):
            raise ValueError("no deal gives every card a place that may hold it")
        dealt: list[list[int]] = [[] for _ in room]
        for number, group in enumerate(self.groups):
            cards = list(group.cards)
            rng.shuffle(cards)
            for turn, place in enumerate(group.places):
                upto = list(accumulate(self._shares(number, turn, len(cards), room)))
                share = bisect_right(upto, rng.randrange(upto[-1]))
                dealt[place] += [cards.pop() for _ in range(share)]
                room = _less(room, place, share)
        return dealt

    def deals(self, number: int, turn: int, cards: int, room: tuple[int, ...]) -> int:
        """How many deals there are from here; `cards` of -1 is the whole group."""
        if number == len(self.groups):
            return 1
        group = self.groups[number]
        cards = len(group.cards) if cards < 0 else cards
        if number == len(self.groups) - 1:
            return _fillings(cards, [room[place] for place in group.places[turn:]])
        if turn == len(group.places):
            return 0 if cards else self.deals(number + 1, 0, -1, room)
        key = (number, turn, cards, room)
        if key not in self.known:
            self.known[key] = sum(self._shares(number, turn, cards, room))
        return self.known[key]

    def _shares(self, number: int, turn: int, cards: int, room: tuple[int, ...]) -> Iterable[int]:
        """By the share of the place, the number of deals."""
        place = self.groups[number].places[turn]
        for share in range(min(cards, room[place]) + 1):
            yield comb(cards, share) * self.deals(number, turn + 1, cards - share, _less(room, place, share))


def _fillings(cards: int, room: Sequence[int]) -> int:
    """In how many ways the cards fill the room exactly."""
    return factorial(cards) // prod(map(factorial, room)) if sum(room) == cards else 0


def _less(room: tuple[int, ...], place: int, share: int) -> tuple[int, ...]:
    return (*room[:place], room[place] - share, *room[place + 1 :])
