"""``arena export`` with ``--arena URL``: the results of an arena on another machine."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click
import msgspec

from arena.exchange.lines import Attempt, Cut, Match, Scope, Season
from arena.games.errors import Unavailable
from arena.remote.exporting import export_options, write
from arena.remote.http import Remote
from arena.remote.options import arena_option, remote

_SEASON = msgspec.json.Decoder(Season)
_CUT = msgspec.json.Decoder(Cut)
_ATTEMPT = msgspec.json.Decoder(Attempt)


@click.command()
@export_options
@arena_option
def export(folder: Path, scope: Scope, url: str | None, **words: Any) -> None:
    """Write all rated results of another arena, or those of one tournament, game or variant, to a new FOLDER.

    The arena may play on. If it is interrupted, the same command resumes.
    With --local: those of this machine's arena, even if ARENA_URL is set.
    """
    write(RemoteSource(remote(url), scope), folder, **words)


class RemoteSource:
    """Results of an arena on another machine."""

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

    def matches(self, played: Sequence[Cut]) -> Mapping[int, list[Match]]:
        """Return the matches of these tables as of the cut, by table."""
        fences = {cut.table.id: cut.fence for cut in played}
        after, until = played[0].table.id - 1, played[-1].table.id
        found: dict[int, list[Match]] = {}
        with self._understood():
            while after < until and (part := self._attempts(after, until)):
                found |= {one.table: one.matches for one in part if one.fence == fences.get(one.table)}
                after = max(part[-1].table, after + 1)
        return found

    def _attempts(self, after: int, until: int) -> list[Attempt]:
        scope = msgspec.structs.asdict(self.scope)
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
