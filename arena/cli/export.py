"""``arena export``: write results as records and Parquet files."""

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.database import opened
from arena.cli.plans import echo_json
from arena.games.registry import GAMES, VARIANTS
from arena.services.exchange.exports import export as write
from arena.services.exchange.lines import Scope
from arena.settings import Settings


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--tournament", type=click.IntRange(1, 2**31 - 1), metavar="ID", help="Only this tournament.")
@click.option("--game", type=click.Choice(list(GAMES)), metavar="GAME", help="Only this game.")
@click.option("--variant", type=click.Choice(list(VARIANTS)), metavar="VARIANT", help="Only this variant.")
@click.option("--parquet/--no-parquet", default=True, help="Write Parquet files as well, which needs pyarrow.")
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
def export(
    folder: Path, tournament: int | None, game: str | None, variant: str | None, parquet: bool, as_json: bool
) -> None:
    """Write all rated results, or those of one tournament, game or variant, to a new FOLDER.

    May run while the arena plays. If it is interrupted, the same command resumes. Unrated trials, sources
    of bots and the seeds of tournaments that are not over are not included. docs/data.md describes the files.
    """
    console = Console(stderr=True)
    columns = (TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with opened(Settings.from_env()) as arena, Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("")
        manifest = write(
            arena,
            folder,
            Scope(tournament, game, variant),
            with_parquet=parquet,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if as_json:
        echo_json(manifest)
        return
    tables = sum(file.rows for file in manifest.files if file.path.startswith("records/"))
    size = sum(file.bytes for file in manifest.files)
    click.echo(f"{folder}: {tables} tables, {len(manifest.files)} files, {size} bytes")
