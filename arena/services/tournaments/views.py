"""View models of tournaments."""

from dataclasses import dataclass
from typing import Annotated, Any

from arena.services.base.views import Time, View, says
from arena.services.formats.views import Preview, StandingRow
from arena.services.tables.views import MatchRow, TableRow
from arena.services.tournaments.ends import End


class TournamentRow(View, frozen=True):
    """A tournament in a list."""

    id: int
    name: str
    variant: str
    format: str
    state: Annotated[str, says("`draft`, `scheduled`, `running`, `paused`, `finished` or `cancelled`.")]
    created_by: str
    created: Time
    finished: Time | None
    entries: Annotated[int, says("Number of entries; 0 before it starts.")]
    tables_total: Annotated[int, says("Number of tables created so far.")]
    tables_planned: Annotated[int, says("Number of tables of the whole tournament.")]
    tables_done: Annotated[int, says("Number of tables with a result.")]
    tables_failed: Annotated[int, says("Number of tables given up after repeated failures of the arena; never rated.")]
    tables_insecure: Annotated[int, says("Number of finished tables with a match played without a full cage.")]
    tables_cancelled: Annotated[int, says("Number of tables cancelled, or played too late to count.")]
    starts_at: Annotated[Time | None, says("Scheduled start; null if it is started by hand.")]
    started: Time | None
    problem: Annotated[str | None, says("Why it paused itself or could not start.")]
    resting: Annotated[bool, says("Whether it is a running ladder that needs no more tables until something changes.")]

    @property
    def tables_settled(self) -> int:
        """Number of tables that are done, failed or cancelled."""
        return self.tables_done + self.tables_failed + self.tables_cancelled


class Bye(View, frozen=True):
    """An entry without a table in a stage."""

    number: Annotated[int, says("Number of the entry, from 0.")]
    bot_id: int
    bot: str
    version_id: int
    version: int


class StageRow(View, frozen=True):
    """A stage of a Swiss tournament or knockout."""

    number: Annotated[int, says("Number of the stage, from 0.")]
    title: Annotated[str, says("Title, such as `Round 1` or `Final`.")]
    tables: Annotated[tuple[TableRow, ...], says("Tables by number; empty for early stages if there are too many.")]
    byes: Annotated[tuple[Bye, ...], says("Entries that advance (knockout) or sit out (Swiss) without a table.")]
    through: Annotated[tuple[int, ...], says("IDs of the versions that advanced from these tables (knockout).")]


class RejudgementRow(View, frozen=True):
    """An order to play tables again."""

    id: int
    reason: str
    tables: Annotated[int, says("Number of tables played again.")]
    by: Annotated[str, says("Name of the administrator.")]
    created: Time
    table_number: Annotated[int | None, says("Number of the table, from 0; null if several were selected.")]
    bot: Annotated[str | None, says("Name of the bot whose tables were selected, if any.")]
    version: Annotated[int | None, says("Number of the bot's version.")]


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
