"""Play tables in the cage without queue and database: `… CORE TABLES`; prints seconds, and those of CPU time."""

import os
import sys
import time
from pathlib import Path
from typing import Final

from arena.games.chance import derive
from arena.games.registry import DEFAULT_VARIANT, rules_of
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.play.seats import Sitter
from arena.services.play.table import Work, play_work
from arena.settings import Settings
from benchmarks.databases import MINIMUM
from benchmarks.sides.caged import cpu_seconds, family

BOT: Final = Path(__file__).with_name("trivial_bot.py")


def work(number: int) -> Work:
    """Return a table of one match of four bots that play the first legal action."""
    sitters = [Sitter(place, f"bot-{place}", BOT.read_bytes()) for place in range(4)]
    return Work(
        tournament=1, variant=DEFAULT_VARIANT, rules=rules_of(DEFAULT_VARIANT), boards=1, seatings="single",
        seed=derive(bytes(32), "table", number), places=sitters, urgent=False,
    )  # fmt: skip


def seconds(core: int, tables: int) -> tuple[float, float]:
    """Return the seconds, and the CPU seconds with those of the bots, for tables on a core after a warm-up table."""
    settings = Settings.from_env()
    cores = sorted(os.sched_getaffinity(0))
    mine = cores[core % len(cores)]
    os.sched_setaffinity(0, {mine})
    with Cage(MINIMUM, mine, limits=limits_of(settings)) as cage:
        play_work(work(0), cage)
        began, before = time.perf_counter(), used(cage)
        for number in range(tables):
            play_work(work(number + 1), cage)
        return time.perf_counter() - began, used(cage) - before


def used(cage: Cage) -> float:
    """Return the CPU seconds so far of this process, the bots and the processes that start them."""
    return time.process_time() + sum(map(cpu_seconds, family(cage.zygote.pid)))


if __name__ == "__main__":
    print(*seconds(int(sys.argv[1]), int(sys.argv[2])))
