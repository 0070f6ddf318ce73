"""Dealing unseen cards so that every deal that a seat thinks possible is equally likely.

Card games tell what a player does *not* hold: whoever fails to follow suit is void in it. `deal_uniformly` counts the
deals that remain and draws one of them, exactly; nothing is rejected and no deal is favoured.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb
from random import Random
from typing import NamedTuple

from arena.games.boards import shuffled


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
    merged = _merged(groups, room)
    kinds = _kinds(merged, len(room))
    slots = [place for place, most in enumerate(room) for _ in range(most)]
    dealt = [-1] * len(slots)
    free = list(range(len(slots)))
    for number, shares in enumerate(_Counter(merged).draw(_room_by_kind(kinds, room), rng)):
        cards, left = shuffled(merged[number].cards, rng), []
        # Anew for each group: what earlier groups have left of kinds that are one from here on is in no fair order.
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
    """Groups that may lie in the same places with room as one, those with the fewest places first."""
    by_places: dict[tuple[int, ...], list[int]] = {}
    for group in groups:
        if group.cards:
            by_places.setdefault(tuple(place for place in group.places if room[place]), []).extend(group.cards)
    return [Group(cards, places) for places, cards in sorted(by_places.items(), key=lambda item: (len(item[0]), item))]


def _kinds(groups: Sequence[Group], places: int) -> list[int]:
    """The kind of each place: bit n tells whether group n may lie there.

    From group n on, places whose kinds are equal but for the first n bits are as good as one that has all their slots:
    how many slots there are of each kind is all that matters, and most ways to get there lead to the same numbers.
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
    """Counts the ways to fill slots group by group, each slot with one card."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.sizes = [len(group.cards) for group in groups]
        self.known: dict[tuple[int, Room], int] = {}

    def draw(self, room: Room, rng: Random) -> Iterator[dict[int, int]]:
        """Draw, group by group, how many cards go to places of each kind. Raises ValueError."""
        if sum(slots for _, slots in room) != sum(self.sizes) or not self.count(0, room):
            raise ValueError("no deal gives every card a place that may hold it")
        for number in range(len(self.sizes)):
            ways = [*self.ways(number, room)]
            upto = [*accumulate(count for _, _, count in ways)]
            shares, rest, _ = ways[bisect_right(upto, rng.randrange(upto[-1]))]
            yield dict(zip([kind for kind, _ in room if kind & 1], shares, strict=True))
            room = rest

    def count(self, number: int, room: Room) -> int:
        """In how many ways the groups from `number` on fill the room."""
        if number == len(self.sizes):
            return 1
        key = (number, room)
        if key not in self.known:
            self.known[key] = sum(count for _, _, count in self.ways(number, room))
        return self.known[key]

    def ways(self, number: int, room: Room) -> Iterator[tuple[tuple[int, ...], Room, int]]:
        """Shares of a group by kind, the room that they leave, and in how many ways all slots can be filled so."""
        open_to = [(kind, slots) for kind, slots in room if kind & 1]
        # Where no later group may lie, this one fills every slot.
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
    """All ways to share out a number of cards; the bounds of each share are its least and its most."""
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
