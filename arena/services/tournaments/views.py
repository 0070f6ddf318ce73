"""View models of tournaments."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arena.services.formats.views import Preview, StandingRow
from arena.services.tables.views import MatchRow, TableRow
from arena.services.tournaments.ends import End


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
    """Number of entries; 0 before it starts."""
    tables_total: int
    """Number of tables created so far."""
    tables_planned: int
    """Number of tables of the whole tournament."""
    tables_done: int
    """Number of tables with a result."""
    tables_failed: int
    """Number of tables given up after repeated infrastructure failures; never rated."""
    tables_insecure: int
    """Number of finished tables with a match played without a full cage."""
    tables_cancelled: int
    """Number of tables cancelled, or played too late to count."""
    starts_at: datetime | None
    """Scheduled start; None if it is started by hand."""
    started: datetime | None
    problem: str | None
    """Why it paused itself or could not start."""
    resting: bool
    """Whether it is a running ladder that needs no more tables until something changes."""

    @property
    def tables_settled(self) -> int:
        """Number of tables that are done, failed or cancelled."""
        return self.tables_done + self.tables_failed + self.tables_cancelled


@dataclass(frozen=True)
class EntryName:
    """Names of an entry."""

    number: int
    """Number of the entry, 0-based."""
    bot_id: int
    bot: str
    version_id: int
    version: int


@dataclass(frozen=True)
class StageRow:
    """A stage of a Swiss tournament or knockout."""

    number: int
    """Number of the stage, 0-based."""
    title: str
    """Title, such as ``Round 1`` or ``Final``."""
    tables: tuple[TableRow, ...]
    """Tables by number; empty for early stages if there are too many to list."""
    byes: tuple[EntryName, ...]
    """Entries without a table: they advance (knockout) or sit out (Swiss)."""
    through: frozenset[int] = frozenset()
    """Versions that advanced from these tables (knockout)."""


@dataclass(frozen=True)
class RejudgementRow:
    """A replay of tables, ordered by an administrator."""

    id: int
    reason: str
    tables: int
    """Number of replayed tables."""
    by: str
    """Name of the administrator."""
    created: datetime
    table_number: int | None
    """Number of the table, 0-based; None if several were selected."""
    bot: str | None
    """Name of the bot whose tables were selected; None if they were not selected by bot."""
    version: int | None
    """Number of the bot's version; None if there is no bot."""


@dataclass(frozen=True)
class TournamentPage:
    """Page of a tournament."""

    row: TournamentRow
    rounds: int
    """Number of rounds; 1 if the format has none."""
    boards: int
    """Number of sets of boards per table."""
    options: dict[str, Any]
    """All options of the game."""
    tables_running: int
    """Number of tables being played."""
    commitment: str
    """Hash of the seed, hexadecimal; public from the start."""
    seed: str | None
    """Seed, hexadecimal; None until the tournament is over."""
    origin: str | None
    """Export or records that it was imported from, and their time, as a phrase; None if it was created here."""
    standings: tuple[StandingRow, ...]
    tables: tuple[TableRow, ...]
    """Running tables and the latest finished ones, the latest first."""
    matches: tuple[MatchRow, ...]
    """The latest matches, the latest first."""
    shape: dict[str, Any]
    """The format's own numbers, by name."""
    seatings: str
    entry_rule: str
    fault_cap: int | None
    stages: tuple[StageRow, ...]
    """Stages in order; empty if the format has a single stage."""
    rejudgements: tuple[RejudgementRow, ...]
    """Replays, the latest first."""
    actions: frozenset[str]
    """Actions open to administrators now: edit, start, delete, pause, resume, cancel, rejudge, retry, withdraw."""
    schedule_id: int | None
    """ID of the schedule that created it."""
    verdict: dict[str, Any] | None
    """Verdict of a comparison; None before its end and for other formats."""
    end: End | None
    """Expected end; None if it is unknown or the tournament is not running."""
    forecast: Preview | None
    """Size and expected duration from its start; None once it has a pace of its own, and after its end."""
