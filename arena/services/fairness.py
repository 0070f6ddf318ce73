"""Who is served next: who has the fewest in hand."""

from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from random import random


def take_turns(waiting: Mapping[int, Iterator[int]], held: Mapping[int, int]) -> Iterator[int]:
    """What waits at several places, one after another, always from the place that has the fewest in hand.

    `held` says by place how many those are at first; each one taken counts. Among equals chance decides, so that nobody
    is always the last. A place is asked for its next one only when its turn has come.
    """
    turns = [(held.get(place, 0), random(), place) for place in waiting]
    heapify(turns)
    while turns:
        count, _, place = heappop(turns)
        one = next(waiting[place], None)
        if one is not None:
            yield one
            heappush(turns, (count + 1, random(), place))
