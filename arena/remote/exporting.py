"""Options and output of ``arena export``, for the database of this machine and for an arena on another one."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.exchange.exports import Source, export
from arena.exchange.lines import Manifest, Scope
from arena.games.registry import GAMES, VARIANTS
from arena.remote.texts import say, say_json


def export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments of `write`, and the options that make a scope."""

    @wraps(command)
    def scoped(tournament: int | None, game: str | None, variant: str | None, **words: Any) -> None:
        command(scope=Scope(tournament, game, variant), **words)

    options: list[Callable[..., Any]] = [
        click.argument("folder", type=click.Path(file_okay=False, path_type=Path)),
        click.option("--tournament", type=click.IntRange(1, 2**31 - 1), metavar="ID", help="Only this tournament."),
        click.option("--game", type=click.Choice(list(GAMES)), metavar="GAME", help="Only this game."),
        click.option("--variant", type=click.Choice(list(VARIANTS)), metavar="VARIANT", help="Only this variant."),
        click.option("--parquet/--no-parquet", default=True, help="Write Parquet files as well, which needs pyarrow."),
        click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON."),
    ]
    made: Callable[..., None] = scoped
    for option in reversed(options):
        made = option(made)
    return made


def write(source: Source, folder: Path, parquet: bool, as_json: bool) -> None:
    """Write an export while a bar shows its progress, and print the result."""
    columns = (TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")
        manifest = export(
            source,
            folder,
            with_parquet=parquet,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if as_json:
        say_json(msgspec.to_builtins(manifest))
    else:
        say(_summary(folder, manifest))


def _summary(folder: Path, manifest: Manifest) -> str:
    tables = sum(file.rows for file in manifest.files if file.path.startswith("records/"))
    size = sum(file.bytes for file in manifest.files)
    return f"{folder}: {tables} tables, {len(manifest.files)} files, {size} bytes"
