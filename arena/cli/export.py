"""``arena export``: write results as records and Parquet files."""

from pathlib import Path
from typing import Any

import click

from arena.cli.database import opened
from arena.exchange.lines import Scope
from arena.remote.exporting import export_options, write
from arena.services.exchange.sources import DatabaseSource
from arena.settings import Settings


@click.command()
@export_options
def export(folder: Path, scope: Scope, **words: Any) -> None:
    """Write all rated results, or those of one tournament, game or variant, to a new FOLDER.

    May run while the arena plays. If it is interrupted, the same command resumes. Unrated trials, sources
    of bots and the seeds of tournaments that are not over are not included. docs/data.md describes the files.
    With --arena URL or ARENA_URL: those of that arena; --local overrides ARENA_URL.
    """
    with opened(Settings.from_env()) as arena:
        write(DatabaseSource(arena, scope), folder, **words)
