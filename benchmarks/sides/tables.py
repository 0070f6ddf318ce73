"""Tables played in the cage, by workers that have neither a queue nor a database: `… CORE TABLES`; prints seconds."""

import os
import sys
import time
from pathlib import Path
from typing import Final

from arena.games.chance import derive
from arena.games.registry import DEFAULT_VARIANT
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.plans import rules_of
from arena.services.play import Work, play_work
from arena.services.seating import Sitter
from arena.settings import Settings

BOT: Final = Path(__file__).with_name("trivial_bot.py")


def work(number: int) -> Work:
    """A table of four bots that do not think."""
    sitters = [Sitter(place, f"bot-{place}", BOT.read_bytes()) for place in range(4)]
    return Work(
        tournament=1, variant=DEFAULT_VARIANT, rules=rules_of(DEFAULT_VARIANT), boards=1, seatings="rotations",
        seed=derive(bytes(32), "table", number), places=sitters, urgent=False,
    )  # fmt: skip


def seconds(core: int, tables: int) -> float:
    """What so many tables take on that core, after one that does not count."""
    settings = Settings.from_env()
    cores = sorted(os.sched_getaffinity(0))
    mine = cores[core % len(cores)]
    os.sched_setaffinity(0, {mine})
    with Cage(settings.sandbox_minimum, mine, limits=limits_of(settings)) as cage:
        play_work(work(0), cage)
        began = time.perf_counter()
        for number in range(tables):
            play_work(work(number + 1), cage)
        return time.perf_counter() - began


if __name__ == "__main__":
    print(seconds(int(sys.argv[1]), int(sys.argv[2])))
