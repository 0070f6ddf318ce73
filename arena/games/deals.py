"""Deals of unseen cards, drawn so that every deal a seat considers possible is equally likely.

Play reveals cards that a player does *not* hold: one that fails to follow suit is void in it. `deal_uniformly` counts
the remaining deals exactly and draws one of them, without rejection and without bias.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb
from random import Random
from typing import Final, NamedTuple

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
    plan = Plan(groups, room)
    slots = [place for place, most in enumerate(room) for _ in range(most)]
    dealt = [-1] * len(slots)
    free = list(range(len(slots)))
    node = plan.root
    for group, kinds in zip(plan.groups, plan.kinds, strict=True):
        way = node.ways[bisect_right(node.upto, rng.randrange(node.upto[-1]))]
        shares, node = [*way.shares], way.then
        cards, left = shuffled(group.cards, rng), []
        # Shuffled for each group, because slots left over by earlier groups are not in random order once kinds merge.
        for slot in shuffled(free, rng):
            kind = kinds[slots[slot]]
            if kind is not None and shares[kind]:
                shares[kind] -= 1
                dealt[slot] = cards.pop()
            else:
                left.append(slot)
        free = left
    return [dealt[start:end] for start, end in pairwise(accumulate(room, initial=0))]


class Way(NamedTuple):
    """A way to deal a group."""

    shares: tuple[int, ...]
    """Number of cards that go to places of each kind."""
    then: "Node"


class Node(NamedTuple):
    """A step of a plan: some groups are dealt, and the room that is left is known by kind."""

    ways: tuple[Way, ...]
    upto: tuple[int, ...]
    """Number of deals that each way and those before it lead to: deals of the groups that are left, of which each slot
    gets one."""


DONE: Final = Node((), (1,))
"""The step after the last group."""
Room = tuple[tuple[int, int], ...]
"""(mask, slots of places with that mask), by ascending masks."""


class Plan:
    """All ways to deal groups of cards to places, counted. Raises `ValueError` if there is none.

    A group's places are of the same kind if the same later groups may lie there. Only the number of free slots of each
    kind matters, and most ways to reach it lead to the same numbers.
    """

    def __init__(self, groups: Iterable[Group], room: Sequence[int]) -> None:
        self.room = (*room,)
        self.groups = _merged(groups, room)
        masks = _masks(self.groups, len(room))
        self.kinds = [_numbered(masks, number) for number in range(len(self.groups))]
        """Number of each place's kind, by group; None if the group may not lie there."""
        self._sizes = [len(group.cards) for group in self.groups]
        self._known: dict[tuple[int, Room], Node] = {}
        start = _room_by_mask(masks, room)
        self.root = self._node(0, start)
        if sum(slots for _, slots in start) != sum(self._sizes) or not self.root.upto:
            raise ValueError("no deal gives every card a place that may hold it")

    @property
    def nodes(self) -> Collection[Node]:
        """All steps with a group to deal."""
        return self._known.values()

    def _node(self, number: int, room: Room) -> Node:
        """Return the step in which the groups from `number` on fill the room; without ways if they cannot."""
        if number == len(self._sizes):
            return DONE
        key = (number, room)
        if key not in self._known:
            found = [(way, count * way.then.upto[-1]) for way, count in self._ways(number, room) if way.then.upto]
            upto = tuple(accumulate(count for _, count in found))
            self._known[key] = Node(tuple(way for way, _ in found), upto)
        return self._known[key]

    def _ways(self, number: int, room: Room) -> Iterator[tuple[Way, int]]:
        """Yield the ways to deal a group, and the number of choices of slots in each."""
        open_to = [(mask, slots) for mask, slots in room if mask & 1]
        # If no later group may lie there, this one fills every slot.
        bounds = [(0 if mask > 1 else slots, slots) for mask, slots in open_to]
        before: dict[int, int] = {}
        for mask, slots in room:
            before[mask >> 1] = before.get(mask >> 1, 0) + slots
        for shares in _splits(self._sizes[number], bounds):
            left, ways = before.copy(), 1
            for (mask, slots), share in zip(open_to, shares, strict=True):
                left[mask >> 1] -= share
                ways *= comb(slots, share)
            yield Way(shares, self._node(number + 1, tuple(left.items()))), ways


def _merged(groups: Iterable[Group], room: Sequence[int]) -> list[Group]:
    """Merge groups with the same possible places that have room; fewest places first."""
    by_places: dict[tuple[int, ...], list[int]] = {}
    for group in groups:
        if group.cards:
            by_places.setdefault(tuple(place for place in group.places if room[place]), []).extend(group.cards)
    return [Group(cards, places) for places, cards in sorted(by_places.items(), key=lambda item: (len(item[0]), item))]


def _masks(groups: Sequence[Group], places: int) -> list[int]:
    """Return the mask of each place: bit n is set if group n may lie there."""
    masks = [0] * places
    for number, group in enumerate(groups):
        for place in group.places:
            masks[place] |= 1 << number
    return masks


def _numbered(masks: Sequence[int], number: int) -> list[int | None]:
    """Return the kind of each place for this group; kinds are numbered by ascending masks of the groups from it on."""
    later = [mask >> number for mask in masks]
    kinds = sorted({mask for mask in later if mask & 1})
    return [kinds.index(mask) if mask & 1 else None for mask in later]


def _room_by_mask(masks: Sequence[int], room: Sequence[int]) -> Room:
    total = dict.fromkeys(sorted(masks), 0)
    for mask, slots in zip(masks, room, strict=True):
        total[mask] += slots
    return tuple(total.items())


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
