"""Bare match records as tables: matches with the same bots and boards belong together. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from arena.tournament.seatings import ROTATIONS, SINGLE

Places = tuple[str, ...]
"""Names of bots by place, or by team."""

FEWEST: Final = 2
"""Least number of bots at a solitaire table."""


class Head(NamedTuple):
    """Key of the table to which a match belongs."""

    variant: str
    boards: bytes
    """Hash of its boards: of the first one, if the bots play against each other, because they may use more or fewer."""
    bots: Places
    """Names of its bots by team."""


class Group(NamedTuple):
    """A table made of matches."""

    variant: str
    mode: str
    """Mode of seatings: rotations or single."""
    bots: Places
    """Names of its bots by place."""
    matches: tuple[int, ...]
    """Numbers of its matches, in the order of its seatings."""


def groups(heads: Sequence[Head]) -> list[Group]:
    """Return tables made of these matches, in the order of their first matches. Each match is at most at one table.

    Matches over the same boards in all rotations of their bots make a duplicate table. Any other match makes a table
    by itself, with a single seating. Solitaire matches over the same boards make a table of their bots. A bot that
    plays boards alone is at no table.
    """
    alike: dict[Head, list[int]] = defaultdict(list)
    for number, head in enumerate(heads):
        alike[head._replace(bots=() if len(head.bots) == 1 else _first(head.bots))].append(number)
    found = [group for head, numbers in alike.items() for group in _tables(head, numbers, heads)]
    return sorted(found, key=lambda group: min(group.matches))


def _first(bots: Places) -> Places:
    """Return the rotation that stands for all."""
    return min(bots[turn:] + bots[:turn] for turn in range(len(bots)))


def _tables(key: Head, numbers: Sequence[int], heads: Sequence[Head]) -> Iterator[Group]:
    """Yield the tables of matches over the same boards, by the same bots in any rotation."""
    by_bot: dict[str, list[int]] = defaultdict(list)
    for number in numbers:
        by_bot[heads[number].bots[0]].append(number)
    if key.bots:
        yield from _duplicates(key, by_bot, heads)
        return
    for repeat in range(max(map(len, by_bot.values()))):
        bots = [bot for bot, own in by_bot.items() if len(own) > repeat]
        if len(bots) >= FEWEST:
            yield Group(key.variant, ROTATIONS, tuple(bots), tuple(by_bot[bot][repeat] for bot in bots))


def _duplicates(key: Head, by_bot: dict[str, list[int]], heads: Sequence[Head]) -> Iterator[Group]:
    """Yield a table for each complete set of rotations, and one for each match that is left."""
    complete = min(len(by_bot[bot]) for bot in key.bots)
    for repeat in range(complete):
        yield Group(key.variant, ROTATIONS, key.bots, tuple(by_bot[bot][repeat] for bot in key.bots))
    for own in by_bot.values():
        yield from (Group(key.variant, SINGLE, heads[number].bots, (number,)) for number in own[complete:])
