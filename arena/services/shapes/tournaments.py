"""Tournaments: in lists, the page of one, and what one would cost."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arena.services.shapes.matches import MatchRow
from arena.services.shapes.tables import TableRow


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
    """How many versions take part; none before it starts."""
    tables_total: int
    """How many tables have been made so far."""
    tables_done: int
    tables_failed: int
    """Given up after three attempts because of the machinery; never rated."""
    tables_insecure: int
    """Of those done, how many have a match whose bots were not held."""
    tables_cancelled: int
    """Tables of bots that were withdrawn, and what was too late to count."""
    starts_at: datetime | None
    """When it is to start by itself."""
    started: datetime | None
    problem: str | None
    """Why it stands still or did not begin."""

    @property
    def tables_settled(self) -> int:
        """Tables to which nothing happens any more."""
        return self.tables_done + self.tables_failed + self.tables_cancelled


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
    seed: int = 0
    """Its number among the entries, 0-based: 0 is the best seed."""
    interval: tuple[float, float] | None = None
    """Of the share, at 95 percent; None below two tables."""
    out: str | None = None
    """Why it gets no more tables: withdrawn, faults, deactivated, replaced, eliminated. None: it does."""
    out_after: int | None = None
    """The number of the table after which it was out."""
    sat_out: int = 0
    """In a Swiss tournament, how many rounds it had to sit out."""
    reached: int | None = None
    """In a knockout, the last stage that it came to, 0-based."""


@dataclass(frozen=True)
class EntryName:
    """An entry, by name."""

    number: int
    bot_id: int
    bot: str
    version_id: int
    version: int


@dataclass(frozen=True)
class StageRow:
    """One round of a Swiss tournament or of a knockout."""

    number: int
    """0-based."""
    title: str
    """``Round 1``, or ``Final``."""
    tables: tuple[TableRow, ...]
    """By number; empty where a tournament has so many stages that only the latest are listed."""
    byes: tuple[EntryName, ...]
    """Who goes on to the next stage without a table (knockout), or sits out (Swiss)."""
    through: frozenset[int] = frozenset()
    """Versions that went on to the next stage of a knockout from these tables."""


@dataclass(frozen=True)
class RejudgementRow:
    """An order to play tables again."""

    id: int
    reason: str
    tables: int
    """How many are played again."""
    by: str
    created: datetime
    table_number: int | None
    """The table that it was about, where it was one."""
    bot: str | None
    """The bot whose tables it was about, where it was one."""
    version: int | None


@dataclass(frozen=True)
class TournamentPage:
    """Everything about one tournament."""

    row: TournamentRow
    rounds: int
    """Of a round robin or a Swiss tournament; 1 for all others."""
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
    shape: dict[str, Any]
    """The format's numbers."""
    seatings: str
    entry_rule: str
    fault_cap: int | None
    stages: tuple[StageRow, ...]
    """Of a Swiss tournament or a knockout, the first one first; empty for all others."""
    rejudgements: tuple[RejudgementRow, ...]
    """Latest first."""
    actions: frozenset[str]
    """What an administrator may do now: edit, start, delete, pause, resume, cancel, rejudge, withdraw."""
    schedule_id: int | None
    """The schedule that made it."""
    verdict: dict[str, Any] | None
    """What a comparison came to."""


@dataclass(frozen=True)
class StageCost:
    """A stage of a tournament that would be."""

    tables: int
    byes: int
    """How many go on, or sit out, without a table."""


@dataclass(frozen=True)
class Preview:
    """What a tournament would cost."""

    bots: int
    """How many would be entered."""
    tables: int
    matches: int
    boards: int
    """Sets of boards per table."""
    problem: str | None
    """Why it cannot be started, where it cannot."""
    stages: tuple[StageCost, ...] = ()
    """One for everything that is made at once."""
    per_bot: int | None = None
    """Tables of each bot; None where that differs or is not known before."""
    meetings: int | None = None
    """How often each pair of bots meets; None where that differs or is not known before."""
    fewest: int | None = None
    """Balanced: the least number of tables that what is necessary for so many meetings allows."""
