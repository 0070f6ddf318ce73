"""Matches."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class SeatRow:
    """Who sat where in a match, and how it went."""

    seat: int
    bot_id: int
    bot: str
    version_id: int
    version: int
    """The version's number."""
    score: int
    rank: int
    fault: str | None
    """The verdict's kind, where the bot failed."""


@dataclass(frozen=True)
class MatchRow:
    """A finished match in a list."""

    id: int
    tournament_id: int
    tournament: str
    table_id: int
    table_number: int
    seating: int
    variant: str
    finished: datetime
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True)
class SeatDetail:
    """A seat on the match's page. What comes after `memory` is empty unless `mine`."""

    row: SeatRow
    owner: str
    mine: bool
    """Whether the viewer owns the bot (or is an admin)."""
    cpu: float
    """Seconds of CPU time."""
    memory: int
    """Peak resident memory in bytes."""
    detail: str = ""
    traceback: str = ""
    output: str = ""
    """What the bot printed."""
    move: int | None = None
    """The index of the match's move at which it failed."""
    view: dict[str, Any] | None = None
    """The view that it was sent for that move."""


@dataclass(frozen=True)
class Alone:
    """How a solitaire ended."""

    result: str
    """``win``, ``draw`` or ``loss``."""
    dummies: tuple[int, ...]
    """Points of the dummies, clockwise from the player's left."""


@dataclass(frozen=True)
class MatchPage:
    """Everything about one match but its record."""

    row: MatchRow
    seats: tuple[SeatDetail, ...]
    sets: tuple[tuple[int, ...], ...]
    """Ids of all matches of the table, by set of boards and in the order of seatings: the same boards, other seats."""
    alone: Alone | None
    """How a solitaire ended; None for any other match."""
    cage: str | None
    """The level of the cage that it was played in: ``both``, ``one`` or INSECURE; None where that was not noted."""
    superseded: bool = False
    """Whether its table was judged again later: kept to be looked at, counted nowhere."""
