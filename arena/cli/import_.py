"""``arena import``: add the results of an export, or match records."""

from functools import reduce
from pathlib import Path

import click

from arena.cli.database import opened
from arena.exchange.exports import MANIFEST, SEASON
from arena.exits import ExitCode
from arena.remote.export import tables_shown
from arena.remote.texts import json_option, say_json
from arena.services.exchange.imports import Report, import_export
from arena.services.exchange.records import import_records


@click.command("import")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@json_option
def import_(paths: tuple[Path, ...], as_json: bool) -> int:
    """Add the results of an export, or match records, that are not here yet, and compute their ratings.

    A PATH is the folder of an export, a match record, or a folder or a .zip, .tar or .tar.gz archive of records.
    Every move is verified. Whatever is wrong is named by file and line and left out, and the exit code is 1. If it is
    interrupted, the same command resumes. Bots that are not here are created without their sources, so
    they cannot play. Into an arena that has played nothing in a variant, the ratings of an export come out bit for bit.
    """
    exports = [path for path in paths if (path / MANIFEST).exists() or (path / SEASON).exists()]
    records = [path for path in paths if path not in exports]
    with opened() as arena, tables_shown() as update:
        reports = [import_export(arena, folder, update) for folder in exports]
        if records:
            reports.append(import_records(arena, records, update))
    report = reduce(Report.joined, reports)
    if as_json:
        say_json(report)
    else:
        for problem in report.problems:
            click.echo(problem)
        click.echo(
            f"tournaments: {report.tournaments}, tables: {report.tables}, here already: {report.known}, "
            f"rated: {report.rated}, problems: {len(report.problems)}"
        )
    return ExitCode.REFUSED if report.problems else ExitCode.DONE
