"""Random results in place of played ones, for tests that only use results."""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any
from zlib import compress

from arena.match.record import PACKED_JSON
from arena.services.play.table import PlayedMatch, TableResult, Work
from arena.tournament.standings import half_points, ranks


def simulated_play(strengths: Mapping[str, float]) -> Callable[..., TableResult]:
    """Return a stand-in for `play.play_work` that decides a table by the bots' strengths, by name, and luck.

    A strength is the mean of a normal distribution with standard deviation 1; unnamed bots have 0. Luck depends only
    on the table's seed. All matches of a table end alike, and their records contain only ranks.
    """

    def play_work(work: Work, *_: object) -> TableResult:
        luck = Random(work.seed)
        order = ranks([luck.gauss(strengths.get(sitter.name, 0.0)) for sitter in work.places])
        seatings = [seating for _, seating in work.kind.matches(work.boards)]
        matches = [_match(work, seating, order) for seating in seatings]
        own = work.kind.own_matches(work.boards) if len(work.rules.teams) > 1 else 1
        return TableResult(matches, [own * points for points in half_points(order)], order, [0] * len(order))

    return play_work


def _match(work: Work, seating: Sequence[int], order: Sequence[int]) -> PlayedMatch:
    record = json.dumps({"ranks": [order[place] for place in seating]}).encode()
    return PlayedMatch(PACKED_JSON + compress(record), [_seat(work, place, order) for place in seating], "both")


def _seat(work: Work, place: int, order: Sequence[int]) -> dict[str, Any]:
    private = {"detail": "", "traceback": "", "output": "", "view": None}
    measured = {"cpu": 0.0, "memory": 0, "think": b""}
    return {
        "version_id": work.places[place].version, "score": 0, "rank": order[place], "fault": None, "move": None,
        **measured, **private,
    }  # fmt: skip
