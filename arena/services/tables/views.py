"""Views of tables and matches: rows of lists, and pages."""

from dataclasses import dataclass
from typing import Annotated, Any

from arena.services.base.views import Time, View, says


class SeatRow(View, frozen=True):
    """A seat of a match: its bot and its result."""

    seat: Annotated[int, says("Number of the seat, from 0.")]
    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    score: int
    rank: Annotated[int, says("Place in the match, from 1.")]
    fault: Annotated[str | None, says("Kind of the bot's fault; null if it did not fail.")]
    move: Annotated[int | None, says("Index of the move at which it failed, if recorded.")]


class MatchRow(View, frozen=True):
    """A finished match."""

    id: int
    tournament_id: int
    tournament: Annotated[str, says("Name of the tournament.")]
    table_id: int
    table_number: Annotated[int, says("Number of the table within its tournament, from 0.")]
    seating: Annotated[int, says("Number of the match within its table, from 0.")]
    variant: str
    finished: Time
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


class Solitaire(View, frozen=True):
    """Result of a solitaire match."""

    result: Annotated[str, says("`win`, `draw` or `loss`.")]
    dummies: Annotated[tuple[int, ...], says("Points of the dummies, clockwise from the player's left.")]


@dataclass(frozen=True)
class MatchPage:
    """The page of a match, without its record."""

    row: MatchRow
    seats: tuple[SeatDetail, ...]
    sets: tuple[tuple[int, ...], ...]
    """IDs of all matches of the table by set of boards, in the order of seatings: the same boards, other seats."""
    solitaire: Solitaire | None
    """Result of a solitaire match; None for any other match."""
    cage: str | None
    """Level of the cage that it was played in: ``both``, ``one`` or `INSECURE`; None if not recorded."""
    packages: dict[str, str] | None
    """Versions of Python and of the packages that its bots could import, by name; None if not recorded."""
    superseded: bool = False
    """Whether its table was rejudged later, so that it is shown but counts nowhere."""
    compared: int = 0
    """Number of matches on the same deals, this one included; 0 if their deals cannot be compared."""


class PlaceRow(View, frozen=True):
    """A bot's result at a table."""

    position: Annotated[int, says("Place at the table, from 0.")]
    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    points: Annotated[float | None, says("Match points; null until the table is done.")]
    rank: Annotated[int | None, says("Rank at the table; null until the table is done.")]
    faults: Annotated[int, says("Number of the table's matches in which the bot failed.")]


class TableRow(View, frozen=True):
    """A table in a list."""

    id: int
    number: Annotated[int, says("Number within the tournament, from 0.")]
    state: Annotated[str, says("`queued`, `running`, `done`, `infra_failed` or `cancelled`.")]
    attempts: Annotated[int, says("Number of attempts since it was created or last set aside.")]
    places: tuple[PlaceRow, ...]
    matches: Annotated[tuple[int, ...], says("IDs of its matches that count, in the order of seatings.")]
    problem: Annotated[str | None, says("Reason of the arena's latest failure to play it.")]
    stage: Annotated[int, says("Stage of the tournament, from 0.")]


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


class TableMatch(View, frozen=True):
    """A match of a table."""

    id: int
    board_set: Annotated[int, says("Index of its set of boards, from 0.")]
    order: Annotated[int, says("Index of its seating, from 0.")]
    seats: tuple[SeatRow, ...]
    solitaire: Annotated[Solitaire | None, says("Result of a solitaire match; null for any other.")]


class AttemptFacts(View, frozen=True):
    """An attempt at a table, without its matches."""

    fence: Annotated[int, says("Number of the attempt, from 1.")]
    worker: str
    started: Time
    ended: Time | None
    outcome: Annotated[
        str | None, says("`done`, `fault`, `expired`, `cancelled`, `returned` or `superseded`; null while it runs.")
    ]
    reason: Annotated[str | None, says("Reason of the outcome, if one was given.")]


class AttemptRow(AttemptFacts, frozen=True):
    """An attempt at a table."""

    sets: tuple[tuple[TableMatch, ...], ...]
    """Matches by set of boards, in the order of seatings; empty if the attempt failed."""


class TableFacts(View, frozen=True):
    """A table, without its matches and attempts."""

    id: int
    tournament_id: int
    tournament: Annotated[str, says("Name of the tournament.")]
    tournament_state: str
    variant: str
    format: str
    number: Annotated[int, says("Number within the tournament, from 0.")]
    stage: Annotated[int, says("Stage of the tournament, from 0.")]
    state: Annotated[str, says("`queued`, `running`, `done`, `infra_failed` or `cancelled`.")]
    boards: Annotated[int, says("Number of sets of boards.")]
    seatings: Annotated[str, says("`rotations`, `all`, `single`, or `both` in comparisons.")]
    live: Annotated[str | None, says("Code of the live table that plays it; null if workers do.")]
    finished: Time | None
    places: tuple[PlaceRow, ...]
    reasons: Annotated[tuple[str, ...], says("Reasons why it was played again, oldest first.")]


class TablePage(TableFacts, frozen=True):
    """The page of a table."""

    sets: tuple[tuple[TableMatch, ...], ...]
    """Matches that count, by set of boards and in the order of seatings: the same boards side by side."""
    attempts: tuple[AttemptRow, ...]
    """All attempts, oldest first. An attempt that was set aside keeps its matches."""
