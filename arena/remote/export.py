"""``arena export``: the results of an arena as records and Parquet files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.exchange import exports
from arena.exchange.lines import Attempt, Cut, Manifest, Scope, Season
from arena.games.errors import Unavailable
from arena.games.registry import GAMES
from arena.remote.http import Remote
from arena.remote.options import ID, VARIANT, Result, prints

_SEASON = msgspec.json.Decoder(Season)
_CUT = msgspec.json.Decoder(Cut)
_ATTEMPT = msgspec.json.Decoder(Attempt)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--tournament", type=ID, metavar="ID", help="Only this tournament.")
@click.option("--game", type=click.Choice(list(GAMES)), metavar="GAME", help="Only this game.")
@click.option("--variant", type=VARIANT, metavar="VARIANT", help="Only this variant.")
@click.option("--parquet/--no-parquet", default=True, help="Write Parquet files as well, which needs pyarrow.")
@prints
def export(
    arena: Remote, folder: Path, tournament: int | None, game: str | None, variant: str | None, parquet: bool
) -> Result:
    """Write all rated results, or those of one tournament, game or variant, to a new FOLDER.

    May run while the arena plays. If it is interrupted, the same command resumes. Unrated trials, sources
    of bots and the seeds of tournaments that are not over are not included. docs/data.md describes the files.
    """
    source = RemoteSource(arena, Scope(tournament, game, variant))
    with tables_shown() as progress:
        manifest = exports.export(source, folder, with_parquet=parquet, progress=progress)
    return Result(msgspec.to_builtins(manifest), [_summary(folder, manifest)])


@contextmanager
def tables_shown() -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how many tables are done; yield a function that takes this number and that of all."""
    columns = (TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class RemoteSource:
    """Results of an arena, read through its API."""

    def __init__(self, arena: Remote, scope: Scope) -> None:
        self._arena = arena
        self.scope = scope

    @contextmanager
    def cut(self) -> Iterator[tuple[Season, Iterator[Cut]]]:
        """Download a cut, whole. Raises `NotFound` and `Unavailable`."""
        with TemporaryFile() as file, self._understood():
            self._arena.lines("/export/cut", into=file, **msgspec.structs.asdict(self.scope))
            file.seek(0)
            season = _SEASON.decode(file.readline())
            yield season, self._whole(season, map(_CUT.decode, file))

    def attempts(self, after: int, until: int) -> list[Attempt]:
        """Return all attempts at some of the played tables with IDs above `after` and up to `until`, by ID."""
        scope = msgspec.structs.asdict(self.scope)
        with self._understood():
            lines = self._arena.lines("/export/matches", after=after, until=until, **scope)
            return [_ATTEMPT.decode(line) for line in lines.splitlines()]

    def _whole(self, season: Season, cuts: Iterator[Cut]) -> Iterator[Cut]:
        """Yield the tables of a cut. Raises `Unavailable` if there are not as many as its season says."""
        missing = sum(one.tables for one in season.tournaments)
        for cut in cuts:
            missing -= 1
            yield cut
        if missing:
            raise Unavailable(f"{self._arena.url} did not send all tables. Try again.")

    @contextmanager
    def _understood(self) -> Iterator[None]:
        try:
            yield
        except msgspec.MsgspecError:
            raise self._arena.strange() from None


def _summary(folder: Path, manifest: Manifest) -> str:
    tables = sum(file.rows for file in manifest.files if file.path.startswith("records/"))
    size = sum(file.bytes for file in manifest.files)
    return f"{folder}: {tables} tables, {len(manifest.files)} files, {size} bytes"
