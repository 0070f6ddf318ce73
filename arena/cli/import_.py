"""``arena import``: add the results of an export."""

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.database import opened
from arena.cli.plans import echo_json
from arena.exits import ExitCode
from arena.services.exchange.imports import import_export
from arena.settings import Settings


@click.command("import")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def import_(folder: Path, as_json: bool) -> int:
    """Add the results of an export in FOLDER that are not here yet, and compute their ratings.

    Every move is verified. Whatever is wrong is named by file and line and left out, and the exit code is 1. If it is
    interrupted, the same command resumes. Bots that are not here are created without their sources, so
    they cannot play. Into an arena that has played nothing in a variant, its ratings come out bit for bit.
    """
    columns = (TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with opened(Settings.from_env()) as arena, Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("")
        report = import_export(arena, folder, lambda done, total: bar.update(task, completed=done, total=total))
    if as_json:
        echo_json(report)
    else:
        for problem in report.problems:
            click.echo(problem)
        click.echo(
            f"tournaments: {report.tournaments}, tables: {report.tables}, here already: {report.known}, "
            f"rated: {report.rated}, problems: {len(report.problems)}"
        )
    return ExitCode.REFUSED if report.problems else ExitCode.DONE
