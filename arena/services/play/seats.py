"""Seat bots at a match and play it, for tables and validations alike."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from arena.games.base import Board, Game
from arena.match import answers
from arena.match.referee import Played, play
from arena.sdk.player import Player
from arena.services.base.repertoire import Games
from arena.services.base.texts import storable
from arena.tournament.histogram import Histogram


class BotCage(Protocol):
    """Cage in which bots run; `arena.sandbox.Cage` implements it."""

    @property
    def level(self) -> str:
        """Strictest minimum that the layers around the bots meet: both, one or none. Raises `ArenaFault`."""

    @property
    def packages(self) -> Mapping[str, str]:
        """Versions of Python and of the packages that bots can import, by name. Raises `ArenaFault`."""

    def player(self, source: bytes, *, seat: int) -> Player:
        """Start a player, which is one process for one seat of one match. Raises `ArenaFault`."""

    def inspect(self, source: bytes) -> Sequence[str] | None:
        """Load the source and return the games that it declares, None for all. Raises `Fault` and `ArenaFault`."""


class Within:
    """A cage that starts its players in another one, to which it passes everything else."""

    def __init__(self, cage: BotCage) -> None:
        self.cage = cage

    @property
    def level(self) -> str:
        """Level of the cage."""
        return self.cage.level

    @property
    def packages(self) -> Mapping[str, str]:
        """Packages of the cage. See `BotCage.packages`."""
        return self.cage.packages

    def inspect(self, source: bytes) -> Sequence[str] | None:
        """Return the games that a bot declares. See `BotCage.inspect`."""
        return self.cage.inspect(source)


class Sitter(NamedTuple):
    """A bot at a place of a table."""

    version: int
    """ID of the version; 0 if it is not stored."""
    name: str
    source: bytes
    games: Games = None


PlayMatch = Callable[..., Played]
"""Plays a match as `seat_and_play` does."""


def seat_and_play(
    cage: BotCage,
    rules: Game,
    sitters: Sequence[Sitter],
    draw: Callable[[int], Board],
    seeds: Sequence[int],
    heartbeat: Callable[[], None],
    judged: Collection[int] = (),
) -> Played:
    """Play one match.

    `sitters` and `seeds` are by seat. The first failure of a seat in `judged` ends the match with `Judged`. Raises
    `ArenaFault`, `Judged` and any error of `heartbeat`.
    """
    players = _seat(cage, sitters, heartbeat)
    names = [sitter.name for sitter in sitters]
    return play(rules, players, names, draw, seeds, heartbeat=heartbeat, judged=judged)


def _seat(cage: BotCage, sitters: Sequence[Sitter], heartbeat: Callable[[], None]) -> list[Player]:
    """Start a player for each seat, or none. A program that is new to the cage takes seconds at most."""
    players: list[Player] = []
    try:
        for seat, sitter in enumerate(sitters):
            players.append(cage.player(sitter.source, seat=seat))
            heartbeat()
    except BaseException:
        for player in players:
            player.close()
        raise
    return players


def columns(played: Played, sitters: Sequence[Sitter]) -> list[Mapping[str, Any]]:
    """Return the columns of `MatchSeat` by seat, except the match ID."""
    return [_seat_columns(played, seat, sitter.version) for seat, sitter in enumerate(sitters)]


def _seat_columns(played: Played, seat: int, version: int) -> dict[str, Any]:
    failure, report = played.failures[seat], played.reports[seat]
    return {
        "version_id": version,
        "score": played.record["scores"][seat],
        "rank": played.record["ranks"][seat],
        "fault": failure.fault.kind if failure else None,
        "cpu": report.cpu if failure else sum(played.times[seat]),  # the failed answer has no time of its own
        "answers": answers.pack(_course(played, seat)),
        "think": Histogram.of(played.times[seat]).encode(),
        "wall": played.walls[seat],
        "memory": report.memory,
        "detail": storable(failure.fault.detail + failure.fault.place) if failure else "",
        "traceback": storable(failure.fault.traceback) if failure else "",
        "move": failure.move if failure else None,
        "view": failure.view if failure else None,
        "output": storable(report.output),
    }


def _course(played: Played, seat: int) -> answers.Course:
    own = answers.own_moves(played.record, seat)
    return answers.course(own, played.answered[seat], played.times[seat], played.reports[seat].printed)
