"""Tables: in lists, and the page of one."""

from dataclasses import dataclass
from datetime import datetime

from arena.services.shapes.matches import Alone, SeatRow


@dataclass(frozen=True)
class PlaceRow:
    """One bot's result at one table."""

    position: int
    bot_id: int
    bot: str
    version_id: int
    version: int
    points: float | None
    rank: int | None
    """None until the table is done."""
    faults: int = 0
    """In how many of the table's matches it failed."""


@dataclass(frozen=True)
class TableRow:
    """One table of a tournament."""

    id: int
    number: int
    state: str
    attempts: int
    places: tuple[PlaceRow, ...]
    matches: tuple[int, ...]
    """Ids of its matches that count, in the order of seatings."""
    problem: str | None
    """What the machinery said the last time that it failed here."""
    stage: int = 0
    """0-based."""


@dataclass(frozen=True)
class TablesPage:
    """Some of a tournament's tables, by number."""

    tables: tuple[TableRow, ...]
    page: int
    """1-based."""
    pages: int
    """At least 1."""
    total: int
    """How many tables all those pages list."""


@dataclass(frozen=True)
class TableMatch:
    """One match of a table: a cell of its grid of sets of boards and seatings."""

    id: int
    board_set: int
    """0-based: which of the table's sets of boards."""
    order: int
    """0-based: which of the table's seatings."""
    seats: tuple[SeatRow, ...]
    alone: Alone | None
    """How a solitaire ended; None for any other match."""


@dataclass(frozen=True)
class AttemptRow:
    """One attempt at a table."""

    fence: int
    """Its number: 1 for the first."""
    worker: str
    started: datetime
    ended: datetime | None
    outcome: str | None
    """done, fault (of the arena), expired, cancelled, superseded (done, and later set aside); None while it runs."""
    reason: str | None
    sets: tuple[tuple[TableMatch, ...], ...]
    """Its matches by set of boards, in the order of seatings; none where it came to nothing."""


@dataclass(frozen=True)
class TablePage:
    """Everything about one table."""

    id: int
    tournament_id: int
    tournament: str
    tournament_state: str
    variant: str
    format: str
    number: int
    """0-based, within the tournament."""
    stage: int
    """0-based."""
    state: str
    boards: int
    """Sets of boards."""
    seatings: str
    """rotations, all or single."""
    finished: datetime | None
    places: tuple[PlaceRow, ...]
    sets: tuple[tuple[TableMatch, ...], ...]
    """The matches that count, by set of boards and in the order of seatings: the same boards side by side."""
    attempts: tuple[AttemptRow, ...]
    """The first one first. An attempt that was set aside keeps its matches."""
    reasons: tuple[str, ...]
    """Why it was judged again, where it was; the first time first."""
