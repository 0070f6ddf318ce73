"""Views of tables and matches: rows of lists, and pages."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class SeatRow:
    """A seat of a match: its bot and its result."""

    seat: int
    bot_id: int
    bot: str
    version_id: int
    version: int
    """Number of the version."""
    score: int
    rank: int
    fault: str | None
    """Kind of the verdict if the bot failed."""
    move: int | None = None
    """Index of the match's move at which the bot failed; None if it did not, or if that was not recorded."""


@dataclass(frozen=True)
class MatchRow:
    """A finished match in a list."""

    id: int
    tournament_id: int
    tournament: str
    table_id: int
    table_number: int
    """Number of the table within its tournament, from 0."""
    seating: int
    """Number of the match within its table, from 0."""
    variant: str
    finished: datetime
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True)
class SeatDetail:
    """A seat on the page of a match. Fields after `memory` are empty unless `mine`."""

    row: SeatRow
    owner: str
    mine: bool
    """Whether the viewer owns the bot or is an admin."""
    cpu: float
    """CPU time of the bot's answers, in seconds."""
    wall: float | None
    """Real time of the bot's answers, in seconds; None if not measured."""
    memory: int
    """Peak resident memory, in bytes."""
    detail: str = ""
    """Explanation of the bot's fault."""
    traceback: str = ""
    output: str = ""
    """Output that the bot printed."""
    view: dict[str, Any] | None = None
    """View that the bot was sent for the move at which it failed."""
    printed: tuple[tuple[int, str], ...] = ()
    """Output by the index of the match's move; empty if not recorded."""


@dataclass(frozen=True)
class SolitaireResult:
    """Result of a solitaire match."""

    result: str
    """``win``, ``draw`` or ``loss``."""
    dummies: tuple[int, ...]
    """Points of the dummies, clockwise from the player's left."""


@dataclass(frozen=True)
class MatchPage:
    """The page of a match, without its record."""

    row: MatchRow
    seats: tuple[SeatDetail, ...]
    sets: tuple[tuple[int, ...], ...]
    """IDs of all matches of the table by set of boards, in the order of seatings: the same boards, other seats."""
    alone: SolitaireResult | None
    """Result of a solitaire match; None for any other match."""
    cage: str | None
    """Level of the cage that it was played in: ``both``, ``one`` or `INSECURE`; None if not recorded."""
    packages: dict[str, str] | None
    """Versions of Python and of the packages that its bots could import, by name; None if not recorded."""
    superseded: bool = False
    """Whether its table was rejudged later, so that it is shown but counts nowhere."""
    compared: int = 0
    """Number of matches on the same deals, this one included; 0 if their deals cannot be compared."""


@dataclass(frozen=True)
class PlaceRow:
    """A bot's result at a table."""

    position: int
    """Place at the table, from 0."""
    bot_id: int
    bot: str
    version_id: int
    version: int
    """Number of the version."""
    points: float | None
    """Match points; None until the table is done."""
    rank: int | None
    """Rank at the table; None until the table is done."""
    faults: int = 0
    """Number of the table's matches in which the bot failed."""


@dataclass(frozen=True)
class TableRow:
    """A table in a list."""

    id: int
    number: int
    """Number within the tournament, from 0."""
    state: str
    attempts: int
    """Number of attempts since it was created or last set aside."""
    places: tuple[PlaceRow, ...]
    matches: tuple[int, ...]
    """IDs of its matches that count, in the order of seatings."""
    problem: str | None
    """Reason of the arena's latest failure to play it."""
    stage: int = 0
    """Stage of the tournament, from 0."""


@dataclass(frozen=True)
class TablesPage:
    """One page of a tournament's tables, in the order of their numbers."""

    tables: tuple[TableRow, ...]
    page: int
    """Number of this page, from 1."""
    pages: int
    """Number of pages, at least 1."""
    total: int
    """Number of tables on all pages."""


@dataclass(frozen=True)
class TableMatch:
    """A match of a table: a cell in its grid of sets of boards and seatings."""

    id: int
    board_set: int
    """Index of its set of boards, from 0."""
    order: int
    """Index of its seating, from 0."""
    seats: tuple[SeatRow, ...]
    alone: SolitaireResult | None
    """Result of a solitaire match; None for any other match."""


@dataclass(frozen=True)
class AttemptRow:
    """An attempt at a table."""

    fence: int
    """Number of the attempt, from 1."""
    worker: str
    started: datetime
    ended: datetime | None
    outcome: str | None
    """An `AttemptOutcome`; None while it runs."""
    reason: str | None
    """Reason of the outcome, if one was given."""
    sets: tuple[tuple[TableMatch, ...], ...]
    """Matches by set of boards, in the order of seatings; empty if the attempt failed."""


@dataclass(frozen=True)
class TablePage:
    """The page of a table."""

    id: int
    tournament_id: int
    tournament: str
    tournament_state: str
    variant: str
    format: str
    number: int
    """Number within the tournament, from 0."""
    stage: int
    """Stage of the tournament, from 0."""
    state: str
    boards: int
    """Number of sets of boards."""
    seatings: str
    """``rotations``, ``all``, ``single``, or ``both`` in comparisons."""
    finished: datetime | None
    places: tuple[PlaceRow, ...]
    sets: tuple[tuple[TableMatch, ...], ...]
    """Matches that count, by set of boards and in the order of seatings: the same boards side by side."""
    attempts: tuple[AttemptRow, ...]
    """All attempts, oldest first. An attempt that was set aside keeps its matches."""
    reasons: tuple[str, ...]
    """Reasons of its rejudgements, oldest first."""
