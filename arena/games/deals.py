"""Deals of unseen cards, drawn so that every deal a seat considers possible is equally likely.

Play reveals cards that a player does *not* hold: one that fails to follow suit is void in it. `deal_uniformly` counts
the remaining deals exactly and draws one of them, without rejection and without bias.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb
from random import Random
from typing import NamedTuple

from arena.games.boards import shuffled


class Group(NamedTuple):
    """Cards with the same possible places."""

    cards: Sequence[int]
    places: tuple[int, ...]
    """Numbers of the places that may hold them, ascending."""


def deal_uniformly(groups: Iterable[Group], room: Sequence[int], rng: Random) -> list[list[int]]:
    """Deal all cards to places; place i has room for `room[i]` cards. Return the cards by place, in random order.

    Every deal that the groups allow is equally likely. Raises `ValueError` if there is no such deal, or if there is not
    exactly enough room for the cards.
    """
    merged = _merged(groups, room)
    kinds = _kinds(merged, len(room))
    slots = [place for place, most in enumerate(room) for _ in range(most)]
    dealt = [-1] * len(slots)
    free = list(range(len(slots)))
    for number, shares in enumerate(_Counter(merged).draw(_room_by_kind(kinds, room), rng)):
        cards, left = shuffled(merged[number].cards, rng), []
        # Shuffled for each group, because slots left over by earlier groups are not in random order once kinds merge.
        for slot in shuffled(free, rng):
            kind = kinds[slots[slot]] >> number
            if shares.get(kind):
                shares[kind] -= 1
                dealt[slot] = cards.pop()
            else:
                left.append(slot)
        free = left
    return [dealt[start:end] for start, end in pairwise(accumulate(room, initial=0))]


def _merged(groups: Iterable[Group], room: Sequence[int]) -> list[Group]:
    """Merge groups with the same possible places that have room; fewest places first."""
    by_places: dict[tuple[int, ...], list[int]] = {}
    for group in groups:
        if group.cards:
            by_places.setdefault(tuple(place for place in group.places if room[place]), []).extend(group.cards)
    return [Group(cards, places) for places, cards in sorted(by_places.items(), key=lambda item: (len(item[0]), item))]


def _kinds(groups: Sequence[Group], places: int) -> list[int]:
    """Return the kind of each place: bit n is set if group n may lie there.

    From group n on, places whose kinds differ only in the first n bits are equivalent. Only the number of slots of each
    kind matters, and most ways to reach it lead to the same numbers.
    """
    kinds = [0] * places
    for number, group in enumerate(groups):
        for place in group.places:
            kinds[place] |= 1 << number
    return kinds


Room = tuple[tuple[int, int], ...]
"""(kind, slots of that kind), by ascending kinds."""


def _room_by_kind(kinds: Sequence[int], room: Sequence[int]) -> Room:
    total = dict.fromkeys(sorted(kinds), 0)
    for kind, slots in zip(kinds, room, strict=True):
        total[kind] += slots
    return tuple(total.items())


class _Counter:
    """Counts the ways to fill slots group by group, one card per slot."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.sizes = [len(group.cards) for group in groups]
        self.known: dict[tuple[int, Room], int] = {}

    def draw(self, room: Room, rng: Random) -> Iterator[dict[int, int]]:
        """Draw, group by group, the number of cards that go to places of each kind. Raises `ValueError`."""
        if sum(slots for _, slots in room) != sum(self.sizes) or not self.count(0, room):
            raise ValueError("no deal gives every card a place that may hold it")
        for number in range(len(self.sizes)):
            ways = [*self.ways(number, room)]
            upto = [*accumulate(count for _, _, count in ways)]
            shares, rest, _ = ways[bisect_right(upto, rng.randrange(upto[-1]))]
            yield dict(zip([kind for kind, _ in room if kind & 1], shares, strict=True))
            room = rest

    def count(self, number: int, room: Room) -> int:
        """Return the number of ways in which the groups from `number` on fill the room."""
        if number == len(self.sizes):
            return 1
        key = (number, room)
        if key not in self.known:
            self.known[key] = sum(count for _, _, count in self.ways(number, room))
        return self.known[key]

    def ways(self, number: int, room: Room) -> Iterator[tuple[tuple[int, ...], Room, int]]:
        """Yield shares of a group by kind, the room left, and the number of ways to fill all slots with them."""
        open_to = [(kind, slots) for kind, slots in room if kind & 1]
        # If no later group may lie there, this one fills every slot.
        bounds = [(0 if kind > 1 else slots, slots) for kind, slots in open_to]
        before: dict[int, int] = {}
        for kind, slots in room:
            before[kind >> 1] = before.get(kind >> 1, 0) + slots
        for shares in _splits(self.sizes[number], bounds):
            left, ways = before.copy(), 1
            for (kind, slots), share in zip(open_to, shares, strict=True):
                left[kind >> 1] -= share
                ways *= comb(slots, share)
            rest = tuple(left.items())
            yield shares, rest, ways * self.count(number + 1, rest)


def _splits(cards: int, bounds: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to divide a number of cards; bounds are each share's minimum and maximum."""
    if len(bounds) <= 1:
        if bounds and bounds[0][0] <= cards <= bounds[0][1]:
            yield (cards,)
        return
    (least, most), *others = bounds
    low = max(least, cards - sum(most for _, most in others))
    high = min(most, cards - sum(least for least, _ in others))
    for share in range(low, high + 1):
        for rest in _splits(cards - share, others):
            yield (share, *rest)
