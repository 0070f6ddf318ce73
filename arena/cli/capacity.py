"""``arena capacity``: measure this machine, and say what a number of tables a minute needs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from arena.cli.bots import house_bots
from arena.cli.cage import require_cage
from arena.cli.costs import measure
from arena.cli.needs import for_this_user
from arena.games.registry import DEFAULT_VARIANT, VARIANTS, rules_of
from arena.remote.texts import say_json
from arena.services.work.capacity import BUSY, Costs, Need, need
from arena.settings import Settings
from bots import HOUSE

RATES: Final = (10.0, 1000.0, 100000.0)
"""Tables per minute if no rate is given."""


@click.command()
@click.option("--variant", type=click.Choice(list(VARIANTS)), default=DEFAULT_VARIANT, show_default=True)
@click.option(
    "--rate",
    "rates",
    type=click.FloatRange(0, min_open=True),
    multiple=True,
    metavar="N",
    help="Tables per minute; repeatable. 10, 1,000 and 100,000 by default.",
)
@click.option(
    "--bot",
    "bots",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Measure with this bot, a Python file, instead of the house bots; repeatable.",
)
@click.option(
    "--seconds", type=click.FloatRange(1, 600), default=8.0, show_default=True, help="Time for the measurement."
)
@click.option("--json", "as_json", is_flag=True, help="Print costs and needs as JSON.")
def capacity(variant: str, rates: Sequence[float], bots: Sequence[Path], seconds: float, as_json: bool) -> None:
    """Measure the cost of a table on this machine, and compute the cores, hosts, commits and disk for rates of tables.

    One process plays in the cage with a temporary database; results are better if the machine is otherwise idle.
    """  # fmt: skip
    sources = [path.read_bytes() for path in bots or map(HOUSE.__getitem__, house_bots(rules_of(variant)))]
    settings = for_this_user(Settings.from_env())
    require_cage(settings)
    costs = measure(settings, variant, sources, seconds)
    needs = [need(costs, rate) for rate in rates or RATES]
    if as_json:
        say_json({"costs": asdict(costs), "needs": [asdict(each) for each in needs]})
    else:
        report(costs, needs, Console(highlight=False))


def report(costs: Costs, needs: Sequence[Need], console: Console) -> None:
    """Print the costs of a table and a column for each rate."""
    console.print(f"One table of {costs.variant} ({costs.matches:g} matches) on a core of this machine:", style="bold")
    console.print(_costs(costs))
    console.print("What tables per minute need:", style="bold")
    console.print(_needs(needs))
    for line in dict.fromkeys(_remedies(needs)):
        console.print(line, soft_wrap=True)


def _remedies(needs: Sequence[Need]) -> Iterator[str]:
    for each in needs:
        for limit in each.limits:
            if limit.used > BUSY:
                yield f"At {each.rate:,g} a minute, {limit.name} would be at {limit.used:,.0%}: {limit.remedy}."


def _costs(costs: Costs) -> Table:
    table = _grid()
    table.add_row("matches in the cage", _milliseconds(costs.play))
    table.add_row("queue, results, ratings", _milliseconds(costs.queue))
    table.add_row("waiting for the database", _milliseconds(costs.database_wait))
    table.add_row("commits and statements", f"{costs.commits:.1f} and {costs.statements:.0f}")
    table.add_row("time of a commit", _milliseconds(costs.commit))
    table.add_row("stored", f"{size(costs.stored)}, of which records {size(costs.record * costs.matches)}")
    table.add_row("tables per minute and process", f"{costs.rate(1) * 60:,.0f}")
    return table


def _needs(needs: Sequence[Need]) -> Table:
    table = _grid(*(f"{each.rate:,g}" for each in needs))
    table.add_row("worker processes", *(f"{each.processes:,}" for each in needs))
    table.add_row("hosts", *(f"{each.hosts:,}" for each in needs))
    table.add_row("commits per second", *(f"{each.commits:,.1f}" for each in needs))
    table.add_row("database log", *(f"{size(each.log)}/s" for each in needs))
    table.add_row("disk per day", *(size(each.disk) for each in needs))
    table.add_row("disk full in days", *(f"{each.days:,.0f}" for each in needs))
    table.add_row("gives first", *(f"{each.limits[0].name} ({each.limits[0].used:,.0%})" for each in needs))
    return table


def _grid(*columns: str) -> Table:
    table = Table(box=None, pad_edge=True, show_header=bool(columns))
    table.add_column("")
    for column in columns or ("",):
        table.add_column(column, justify="right" if columns else "left")
    return table


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms"


def size(number: float) -> str:
    """Return a number of bytes with a unit, such as ``1.5 MB``."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:,.3g} TB"
