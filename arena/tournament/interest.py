"""Interest of a finished match for a spectator, from its result and from the ratings of its bots.

A match is interesting because it was close, because a weaker bot beat a stronger one, or because it put its winner at
the top of the leaderboard. Each of the three gives 0 to 1, and an upset or a new leader weighs more than a narrow
result.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

NARROW: Final = 0.1
"""Lead of the winner, as a fraction of the largest score, from which a match is not close."""
UPSET: Final = 8.0
"""Difference in mu that counts as a full upset: two standard deviations of a bot's performance in a match."""


class Reason(StrEnum):
    """Main reason to watch a match."""

    LEADER = "leader"
    """It put its winner at the top of the leaderboard."""
    UPSET = "upset"
    """A weaker bot won."""
    CLOSE = "close"
    """The winner was hardly ahead."""
    LATEST = "latest"
    """None of the others."""


WEIGHTS: Final = {Reason.LEADER: 1.5, Reason.UPSET: 1.5, Reason.CLOSE: 1.0}
"""Weight of each reason."""


class Player(NamedTuple):
    """A bot in a match."""

    score: int
    rank: int
    mu: float | None = None
    """Its rating; None if it has none, or a provisional one."""


class Interest(NamedTuple):
    """Interest of a match: the larger, the better."""

    value: float
    reason: Reason


def interest(players: Sequence[Player], *, new_leader: bool = False) -> Interest:
    """Return the interest of a match of these bots, one item per bot; `new_leader` if it put its winner on top."""
    if len(players) < 2:
        return Interest(0.0, Reason.LATEST)
    parts = {Reason.LEADER: float(new_leader), Reason.UPSET: upset(players), Reason.CLOSE: closeness(players)}
    weighed = {reason: WEIGHTS[reason] * part for reason, part in parts.items()}
    reason = max(weighed, key=lambda one: weighed[one])
    return Interest(sum(weighed.values()), reason if weighed[reason] else Reason.LATEST)


def closeness(players: Sequence[Player]) -> float:
    """Return 1 for a tie at the top, falling to 0 at a lead of `NARROW`."""
    first, second, *_ = sorted(players, key=lambda player: player.rank)
    if first.rank == second.rank:
        return 1.0
    largest = max(abs(player.score) for player in players) or 1
    return max(0.0, 1.0 - abs(first.score - second.score) / (NARROW * largest))


def upset(players: Sequence[Player]) -> float:
    """Return how much weaker the winner was than the strongest bot that it beat, from 0 to 1; 0 if unknown."""
    best = min(player.rank for player in players)
    won = [player.mu for player in players if player.rank == best and player.mu is not None]
    lost = [player.mu for player in players if player.rank > best and player.mu is not None]
    return min(1.0, max(0.0, (max(lost) - max(won)) / UPSET)) if won and lost else 0.0
