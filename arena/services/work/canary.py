"""The canary: a short match of house bots that shows whether this machine can hold bots. Nothing is stored.

A worker plays it when it has held no bot for a while. An answer to a ping shows less: the cage may fail all the same.
"""

from typing import Final

from arena.games.errors import ArenaFault
from arena.games.registry import rules_of
from arena.services.play.seats import BotCage, Sitter
from arena.services.play.table import Work, play_work
from arena.services.work.outcomes import Outcome
from arena.services.work.seats import seat_and_play
from bots import HOUSE

VARIANT: Final = "suitability-2"
"""Variant with short matches."""
SEED: Final = bytes(32)


def check(cage: BotCage) -> Outcome:
    """Play the match. Raises `ArenaFault` if the machine cannot hold bots, or a house bot fails."""
    rules = rules_of(VARIANT)
    bots = [Sitter(0, "canary", HOUSE["random"].read_bytes())] * rules.players
    work = Work(0, VARIANT, rules, boards=1, seatings="single", seed=SEED, places=bots)
    if any(play_work(work, cage, play=seat_and_play).faults):
        raise ArenaFault("a house bot failed in the canary's match")
    return Outcome.DONE
