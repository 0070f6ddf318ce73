"""What the services answer: frozen dataclasses, never rows of the database.

Times are aware datetimes in UTC. A rating's `conservative` is mu - 3 sigma. Places (`rank`) count from 1, and equal
results share one. Match points are floats in steps of a half.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

PENDING, VALID, INVALID, INFRA_FAILED = "pending", "valid", "invalid", "infra_failed"
"""States of a version. `infra_failed`: the arena could not validate it; the author may have it tried again."""

RUNNING, FINISHED, CANCELLED = "running", "finished", "cancelled"
"""States of a tournament."""

QUEUED, DONE = "queued", "done"
"""States of a table, besides `running`, `infra_failed` and `cancelled`."""


INSECURE = "none"
"""The level of a cage that meets no minimum. Above it are ``both`` and ``one`` of Landlock and a distinct uid."""


@dataclass(frozen=True)
class Account:
    """A user."""

    id: int
    name: str
    is_admin: bool
    stamp: str = field(default="", compare=False, repr=False)
    """Changes with the password: a session that was begun under an older one is over."""


@dataclass(frozen=True)
class VersionRef:
    """Where an upload went."""

    bot_id: int
    version_id: int
    number: int


@dataclass(frozen=True)
class Source:
    """What was uploaded, as it came."""

    filename: str
    """A name to keep it under."""
    data: bytes


@dataclass(frozen=True)
class Report:
    """What validation found. For the bot's owner and admins only."""

    stage: str
    """``load``, ``self-play``, ``house`` (a match against house bots), ``arena`` (the machinery failed) or ``done``."""
    message: str
    """One sentence or more for the author."""
    line: int | None = None
    """The line of the bot's file, where one is known."""
    traceback: str = ""
    output: str = ""
    """What the bot printed."""
    move: int | None = None
    """The index of the match's move at which it failed."""
    view: dict[str, Any] | None = None
    """The view that it was sent for that move."""
    file: str = ""
    """The file that the line is in, where the bot has several."""


@dataclass(frozen=True)
class RatingRow:
    """The current rating of one version in one variant."""

    variant: str
    mu: float
    sigma: float
    conservative: float
    tables: int
    matches: int
    provisional: bool
    """Whether sigma is still large: fewer results than a place on the leaderboard deserves."""


class FileRow(NamedTuple):
    """A file of an archive."""

    name: str
    size: int
    """Bytes, unpacked."""


@dataclass(frozen=True)
class VersionRow:
    """One upload, as the bot's page lists it."""

    id: int
    number: int
    state: str
    created: datetime
    sha256: str
    size: int
    """Bytes of the source."""
    games: tuple[str, ...] | None
    """Ids of the games it declares; None where it declares none (it plays every game) or is not loaded yet."""
    active: bool
    """Whether new tournaments take this version."""
    report: Report | None
    """None for everybody but the owner and admins."""
    files: tuple[FileRow, ...] | None
    """Of an archive; None for a single module, and for everybody but the owner and admins."""


@dataclass(frozen=True)
class BotRow:
    """A bot in a list."""

    id: int
    name: str
    owner: str
    active: bool
    version: int | None
    """Number of the version that tournaments take; None where no version is valid yet."""
    latest_state: str
    """State of the latest upload."""
    versions: int
    created: datetime
    rating: RatingRow | None
    """Of the active version, in the first variant of its placement in which there is one."""


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
class BotPage:
    """Everything about one bot."""

    id: int
    name: str
    owner: str
    active: bool
    mine: bool
    """Whether the viewer owns it (or is an admin): then reports are complete."""
    created: datetime
    versions: tuple[VersionRow, ...]
    """Latest first."""
    ratings: tuple[RatingRow, ...]
    """Of the active version, one per variant."""
    matches: tuple[MatchRow, ...]
    """The latest, latest first."""


@dataclass(frozen=True)
class VersionStatus:
    """How far an upload has come; what a page polls."""

    bot_id: int
    bot: str
    version_id: int
    number: int
    state: str
    mine: bool
    report: Report | None
    rating: RatingRow | None
    """In the first variant of its placement in which there is one."""
    settled: bool
    """Whether nothing more will change by itself: no reason to ask again."""


@dataclass(frozen=True)
class TournamentRow:
    """A tournament in a list."""

    id: int
    name: str
    variant: str
    format: str
    state: str
    created_by: str
    created: datetime
    finished: datetime | None
    entries: int
    tables_total: int
    tables_done: int
    tables_failed: int
    """Given up after three attempts because of the machinery; never rated."""
    tables_insecure: int
    """Of those done, how many have a match whose bots were not held."""


@dataclass(frozen=True)
class StandingRow:
    """One entry in the standings of a tournament."""

    rank: int
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int
    points: float
    """Match points: opponents beaten plus half of those tied."""
    share: float | None
    """Match points over the most it could have had, 0 to 1; None before its first table."""
    tables: int
    faults: int


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


@dataclass(frozen=True)
class TableRow:
    """One table of a tournament."""

    id: int
    number: int
    state: str
    attempts: int
    places: tuple[PlaceRow, ...]
    matches: tuple[int, ...]
    """Ids of its matches in the order of seatings."""
    problem: str | None
    """What the machinery said the last time that it failed here."""


@dataclass(frozen=True)
class TournamentPage:
    """Everything about one tournament."""

    row: TournamentRow
    rounds: int
    boards: int
    options: dict[str, Any]
    """The game's options, complete."""
    tables_running: int
    commitment: str
    """Hash of the seed, hexadecimal; public from the start."""
    seed: str | None
    """The seed, hexadecimal; None until the tournament is over."""
    standings: tuple[StandingRow, ...]
    tables: tuple[TableRow, ...]
    """The latest finished and the ones being played, latest first."""
    matches: tuple[MatchRow, ...]
    """The latest, latest first."""


@dataclass(frozen=True)
class Preview:
    """What a round robin would cost."""

    bots: int
    """How many would be entered."""
    tables: int
    matches: int
    boards: int
    """Sets of boards per table."""
    problem: str | None
    """Why it cannot be started, where it cannot."""


@dataclass(frozen=True)
class LeaderRow:
    """One place on the leaderboard."""

    rank: int
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int
    mu: float
    sigma: float
    conservative: float
    tables: int
    matches: int
    provisional: bool


@dataclass(frozen=True)
class RatingPoint:
    """A version's rating after one table."""

    table_id: int
    tournament_id: int
    tournament: str
    rank: int
    mu: float
    sigma: float
    conservative: float


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


@dataclass(frozen=True)
class Counts:
    """The size of the arena."""

    bots: int
    users: int
    matches: int
    waiting: int
    """Tables queued or being played."""


@dataclass(frozen=True)
class HomePage:
    """What the first page shows."""

    counts: Counts
    tournaments: tuple[TournamentRow, ...]
    leaders: Mapping[str, tuple[LeaderRow, ...]]
    """The best bots of the variants that were played last."""
    matches: tuple[MatchRow, ...]
