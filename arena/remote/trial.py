"""``arena trial``: unrated matches of a bot."""

from typing import Any

import click

from arena.games.registry import DEFAULT_VARIANT
from arena.remote.http import Remote
from arena.remote.names import active_version_id
from arena.remote.options import ID, VARIANT, Result, prints
from arena.remote.texts import percent, table


@click.group()
def trial() -> None:
    """Play unrated matches of a bot. Its team sees them, and nobody else."""


@trial.command()
@click.argument("bot")
@click.option("--against", multiple=True, metavar="BOT", help="An opponent, repeatable; house bots fill empty seats.")
@click.option("--variant", type=VARIANT, default=DEFAULT_VARIANT, show_default=True)
@click.option("--matches", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--single", is_flag=True, help="Play each deal once, without rotating the seats.")
@click.option("--repeat", "repeats", type=ID, metavar="TRIAL", help="Play the deals of this trial again.")
@click.option("--match", "deal_of", type=ID, metavar="MATCH", help="Play the deal of this match at every table.")
@prints
def start(arena: Remote, bot: str, against: tuple[str, ...], single: bool, **words: Any) -> Result:
    """Start a trial of the active version of BOT."""
    version, *opponents = (active_version_id(arena, name) for name in (bot, *against))
    made = arena.create("/trials", {**words, "version": version, "opponents": opponents, "rotated": not single})
    number = made["id"]
    planned = arena.get(f"/trials/{number}")["matches_total"]
    return Result(made, [f"running as trial {number}, {planned} matches; see `arena trial show {number}`"])


@trial.command()
@click.argument("trial_id", metavar="ID", type=ID)
@prints
def show(arena: Remote, trial_id: int) -> Result:
    """Show the result of a trial so far."""
    page = arena.get(f"/trials/{trial_id}")
    row = page["tournament"]
    head = f"{row['name']}: {row['state']}, {len(page['matches'])} of {page['matches_total']} matches"
    means = {one["version_id"]: one["score"] for one in page["scores"]}
    rows = [_columns(row, means.get(row["version_id"])) for row in page["standings"]]
    return Result(page, [head, *table(("rank", "bot", "share", "mean score", "faults"), rows)])


def _columns(row: Any, mean: Any) -> tuple[object, ...]:
    score = f"{mean['value']:.1f}" if mean else "-"
    return row["rank"], f"{row['bot']} v{row['version']}", percent(row["share"]) or "-", score, row["faults"]
