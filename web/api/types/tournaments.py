"""Tournaments, their standings, and the formats that they can have."""

from typing import Annotated, Any

from arena.services.tables.views import MatchRow, TableRow
from arena.services.tournaments.views import RejudgementRow, StageRow, TournamentPage, TournamentRow
from web.api.types.base import Part, Time, Uncertain, made, says


class Entrant(Part):
    """A place in the standings of a tournament."""

    rank: Annotated[int, says("Rank, from 1. Equal entries share a rank.")]
    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    owner: str
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    points: Annotated[float, says("Match points: opponents beaten plus half of those tied.")]
    share: Annotated[Uncertain | None, says("Match points as a fraction of the most possible; null before a table.")]
    tables: Annotated[int, says("Number of tables with a result.")]
    faults: Annotated[int, says("Number of failed matches.")]
    seed: Annotated[int, says("Number of the entry, from 0; in seeded formats 0 is the best.")]
    strength: Annotated[Uncertain | None, says("Strength in game points; null if the variant has none.")]
    out: Annotated[str | None, says("Why it gets no more tables; null if it still takes part.")]
    out_after: Annotated[int | None, says("Number of the table after which it was out.")]
    sat_out: Annotated[int, says("Number of rounds that it sat out (Swiss).")]
    opponents: Annotated[float | None, says("Mean share of its opponents, which breaks ties (Swiss).")]
    reached: Annotated[int | None, says("Last stage that it reached, from 0 (knockout).")]


class Ending(Part):
    """Range in which a tournament will end."""

    earliest: Time
    latest: Time
    confidence: float


class TournamentDetail(TournamentRow, frozen=True):
    """A tournament."""

    rounds: Annotated[int, says("Number of rounds; 1 if the format has none.")]
    boards: Annotated[int, says("Number of sets of boards per table.")]
    seatings: str
    options: Annotated[dict[str, Any], says("All options of the game.")]
    shape: Annotated[dict[str, Any], says("The format's own numbers, by name.")]
    entry_rule: str
    fault_cap: Annotated[int | None, says("Largest number of failed matches of a bot that is not withdrawn.")]
    tables_running: Annotated[int, says("Number of tables being played.")]
    commitment: Annotated[str, says("Hash of the seed, in hexadecimal.")]
    seed: Annotated[str | None, says("Seed, in hexadecimal; null until the tournament is over.")]
    schedule_id: Annotated[int | None, says("ID of the schedule that created it.")]
    verdict: Annotated[dict[str, Any] | None, says("Verdict of a comparison; null before its end.")]
    end: Annotated[Ending | None, says("Expected end; null if it is unknown or the tournament is not running.")]
    actions: Annotated[tuple[str, ...], says("Actions that are open to organisers now.")]
    standings: tuple[Entrant, ...]
    stages: Annotated[tuple[StageRow, ...], says("Stages in order; empty if the format has a single stage.")]
    tables: Annotated[tuple[TableRow, ...], says("Running tables, then the latest finished ones.")]
    matches: Annotated[tuple[MatchRow, ...], says("The latest matches, the latest first.")]
    rejudgements: tuple[RejudgementRow, ...]


class Number(Part):
    """A whole number that an organiser chooses."""

    name: str
    label: str
    help: str
    default: int
    least: int
    most: int


class Format(Part):
    """A tournament format."""

    id: str
    title: str
    summary: str
    fields: Annotated[tuple[Number, ...], says("Numbers of its `shape`.")]
    most_entries: Annotated[int | None, says("Largest field; null if there is no limit.")]


def tournament_detail(page: TournamentPage) -> TournamentDetail:
    """Return a tournament."""
    end = page.end and made(Ending, page.end, confidence=0.95)
    return made(TournamentDetail, page.row, page, end=end, actions=tuple(sorted(page.actions)))
