"""Seat caged bots at a game and play: what playing a table and validating a version have in common."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from arena.games.base import Board, Game
from arena.match.referee import Played, play
from arena.sdk.player import Player
from arena.services.repertoire import Games
from arena.services.texts import storable
from arena.tournament.histogram import Histogram


class Cage(Protocol):
    """Where bots run (`arena.sandbox.Cage`). A player is one process, for one seat of one match."""

    @property
    def level(self) -> str:
        """The strictest minimum that the layers around its bots meet: both, one or none. Raises ArenaFault."""

    def player(self, source: bytes) -> Player:
        """A player for this source. Raises ArenaFault."""

    def inspect(self, source: bytes) -> Sequence[str] | None:
        """Load the source and say which games it declares, None for all. Raises Fault and ArenaFault."""


class Sitter(NamedTuple):
    """Who takes a place at a table."""

    version: int
    """Id of the version; 0 where there is none."""
    name: str
    source: bytes
    games: Games = None


def seat_and_play(
    cage: Cage,
    rules: Game,
    sitters: Sequence[Sitter],
    draw: Callable[[int], Board],
    seeds: Sequence[int],
    heartbeat: Callable[[], None],
    judged: Collection[int] = (),
) -> Played:
    """Play one match. `sitters` and `seeds` are by seat; the first failure of a seat of `judged` ends it.

    Raises ArenaFault, Judged, and what `heartbeat` raises.
    """
    players: list[Player] = []
    try:
        players.extend(cage.player(sitter.source) for sitter in sitters)
    except BaseException:
        for player in players:
            player.close()
        raise
    return play(rules, players, [sitter.name for sitter in sitters], draw, seeds, heartbeat=heartbeat, judged=judged)


def columns(played: Played, sitters: Sequence[Sitter]) -> list[Mapping[str, Any]]:
    """By seat, the columns of a match's seat, all but the match."""
    return [_seat_columns(played, seat, sitter.version) for seat, sitter in enumerate(sitters)]


def _seat_columns(played: Played, seat: int, version: int) -> dict[str, Any]:
    failure, report = played.failures[seat], played.reports[seat]
    return {
        "version_id": version,
        "score": played.record["scores"][seat],
        "rank": played.record["ranks"][seat],
        "fault": failure.fault.kind if failure else None,
        "cpu": sum(played.times[seat]),
        "think": Histogram.of(played.times[seat]).encode(),
        "memory": report.memory,
        "detail": storable(failure.fault.detail) if failure else "",
        "traceback": storable(failure.fault.traceback) if failure else "",
        "move": failure.move if failure else None,
        "view": failure.view if failure else None,
        "output": storable(report.output),
    }
