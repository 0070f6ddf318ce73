"""``arena doctor``: say what this machine's sandbox can do."""

import json
from dataclasses import asdict

import click
from rich.console import Console
from rich.table import Table

from arena.sandbox.doctor import Diagnosis, Layer, examine
from arena.settings import Settings

_COLOURS = {"A": "green", "B": "green", "C": "yellow", "F": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print everything that was found as JSON.")
def doctor(as_json: bool) -> int:
    """Try every layer of the sandbox in a throwaway process, and measure it.

    Exits with 0 where the minimum (ARENA_SANDBOX_MINIMUM) holds, else with 1.
    """
    found = examine(Settings.from_env().sandbox_minimum)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        _show(found, Console())
    return 0 if found.holds else 1


def _show(found: Diagnosis, console: Console) -> None:
    console.print(
        f"Linux {found.kernel} on {found.machine}, Python {found.python}, uid {found.uid}, "
        f"Landlock {found.landlock or 'none'}, minimum {found.minimum!r}",
        highlight=False,
    )
    console.print(_table(found.layers))
    if found.speed:
        speed = found.speed
        console.print(
            f"A bot is ready in {speed.ready_ms} ms, answers in {speed.move_us} µs and is gone in {speed.stop_ms} ms.",
            highlight=False,
        )
    colour = _COLOURS[found.grade]
    console.print(f"[bold {colour}]Grade {found.grade}[/]: {found.problem or found.verdict}.", highlight=False)
    for remedy in dict.fromkeys(layer.remedy for layer in found.layers if not layer.on):
        names = ", ".join(layer.name for layer in found.layers if layer.remedy == remedy)
        console.print(f"  [bold]{names}[/]: {remedy}", highlight=False)


def _table(layers: list[Layer]) -> Table:
    table = Table("layer", "", "what it is for", "needed", header_style="bold")
    for layer in layers:
        state = "[green]on[/]" if layer.on else "[red]off[/]"
        table.add_row(layer.name, state, layer.purpose + (f"\n[red]{layer.why}[/]" if layer.why else ""), layer.need)
    return table
