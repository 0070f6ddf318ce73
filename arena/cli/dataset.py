"""``arena dataset``: play matches between bots of graded strength, and write them as Parquet files."""

import hashlib
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Final

import click

from arena.cli.bots import NamedBot, load_bot, seed_option
from arena.cli.crew import jobs_option
from arena.cli.options import chosen_variant
from arena.cli.progress import Line
from arena.exchange.parquet import check_available
from arena.exits import ExitCode
from arena.games.registry import VARIANTS
from arena.learn import dataset as datasets
from arena.learn.dataset import FORMAT, PART, Made, Maker, Plan, Source
from arena.release import release
from arena.remote.texts import say
from arena.sdk.local import inspect
from arena.settings import Settings, usable_cores
from bots import HOUSE

GRADED: Final = ("random", "meek", "greedy", "planner", "regret", "search")
"""House bots that play by default."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--deals", type=click.IntRange(1, 10**9), default=100_000, show_default=True, help="Deals, at least.")
@click.option("--variant", "variants", multiple=True, help="A variant; repeatable. All by default.")
@click.option(
    "--bot", "bots", type=click.Choice(list(HOUSE)), multiple=True, default=GRADED, help="A house bot; repeatable."
)
@click.option("--part", type=click.IntRange(1, 10**6), default=PART, show_default=True, help="Matches in a file.")
@seed_option
@jobs_option
def dataset(
    folder: Path, deals: int, variants: Sequence[str], bots: Sequence[str], part: int, seed: str, jobs: int | None
) -> int:
    """Play matches between house bots in FOLDER, verify them, and write them as Parquet files with a card.

    Equal options give equal bytes on any number of cores. If it is interrupted, the same command goes on.
    `arena.learn.dataset.load` reads it.
    """
    check_available()
    settings = Settings.from_env()
    given = [load_bot(name, settings) for name in dict.fromkeys(bots)]
    chosen = [chosen_variant(one).id for one in variants] or list(VARIANTS)
    plan = Plan(FORMAT, release(), seed, chosen, [*map(_described, given)], part)
    maker = Maker(folder, plan, {one.name: one.source for one in given})
    with datasets.begun(folder, plan):
        parts = list(_parts(maker, deals, jobs or usable_cores()))
        made = datasets.finish(folder, plan, parts)
    size = sum(file.bytes for file in made.files)
    say(f"{folder}: {made.deals:,} deals in {made.matches:,} matches, {size:,} bytes, {size / made.deals:.0f} a deal")
    return ExitCode.DONE


def _described(bot: NamedBot) -> Source:
    games = inspect(bot.source, bot.file)
    return Source(bot.name, bot.file, hashlib.sha256(bot.source).hexdigest(), None if games is None else list(games))


def _parts(maker: Maker, deals: int, jobs: int) -> Iterator[Made]:
    """Yield parts in order until they have this number of deals together.

    As many are made ahead as there are jobs, if parts as large as the last one are still needed.
    """
    total, usual, numbers, ahead = 0, maker.plan.part, count(), deque[Future[Made]]()
    with ProcessPoolExecutor(jobs, get_context("spawn"), _end_with_parent) as pool, Line(deals) as line:
        try:
            while total < deals:
                while not ahead or (len(ahead) <= jobs and total + len(ahead) * usual < deals):
                    ahead.append(pool.submit(maker.make, next(numbers)))
                made = ahead.popleft().result()
                total, usual = total + made.deals, made.deals
                line.update(total, f"{total:,} of {deals:,} deals")
                yield made
        finally:
            pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """End this process when the one that started it has been killed: it would wait for work for ever."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(1)
