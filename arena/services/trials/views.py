"""Views of trials."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta

from arena.services.base.inputs import Id, Input, Number, Text
from arena.services.base.views import Time, View, says
from arena.services.formats.views import StandingRow
from arena.services.play.table import Deal
from arena.services.tables.views import MatchRow
from arena.services.tournaments.views import TournamentRow
from arena.tournament.intervals import Interval


class NewTrial(Input):
    """A new trial."""

    variant: Text
    version: Annotated[Id, says("ID of the version that is tried.")]
    opponents: Annotated[
        Sequence[Id],
        Meta(
            max_length=100, description="IDs of the versions that it meets; if they are too few, others fill the table."
        ),
    ] = ()
    matches: Annotated[Number, says("Number of matches, rounded up to whole tables.")] = 20
    rotated: Annotated[bool, says("Whether each deal is played under every rotation of the seats.")] = True
    repeats: Annotated[Id | None, says("ID of a trial whose deals are played again.")] = None
    deal_of: Annotated[Id | None, says("ID of a match whose deal is played again.")] = None


class Opponent(View, frozen=True):
    """A version that a trial can have."""

    version_id: int
    bot_id: int
    bot: str
    version: Annotated[int, says("Number of the version.")]
    owner: str
    active: Annotated[bool, says("Whether it is the version that tournaments enter.")]
    mine: Annotated[bool, says("Whether you belong to the team of its bot.")]


class TrialRow(View, frozen=True):
    """A trial of a bot in a list."""

    id: int
    variant: str
    version: Annotated[int, says("Number of the version that was tried.")]
    state: str
    created: Time
    matches: Annotated[int, says("Number of matches that it has when it is over.")]
    tables_done: int
    tables_total: int
    opponents: Annotated[tuple[str, ...], says("Names of the other bots.")]
    share: Annotated[float | None, says("Share of match points of the version; null before its first table.")]
    faults: Annotated[int, says("Number of matches in which the version failed.")]


class OfferRow(View, frozen=True):
    """Versions and opponents for trials of a bot in a variant."""

    bot_id: int
    bot: str
    versions: Annotated[tuple[Opponent, ...], says("Versions that can be tried, the latest first.")]
    opponents: Annotated[
        tuple[Opponent, ...], says("Versions that it can meet: house bots, your own, then others by name.")
    ]
    places: Annotated[int, says("Number of bots at a table; 1 in a solitaire variant, in which all sit at one table.")]
    earlier: Annotated[tuple[TrialRow, ...], says("Earlier trials of the bot in the variant, the latest first.")]
    used: Annotated[int, says("Number of matches that you have asked for in the last 24 hours.")]
    limit: Annotated[int | None, says("Largest number of matches in 24 hours; null if there is no limit.")]


class Mean(NamedTuple):
    """Mean score of a bot per match."""

    value: float
    interval: Interval | None
    """95 % interval, with each table as one observation; None below two tables."""


class TrialFacts(View, frozen=True):
    """A trial, without its results."""

    bot_id: int
    bot: str
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    matches_total: Annotated[int, says("Number of matches that it has when it is over.")]
    seatings: str
    matches: Annotated[tuple[MatchRow, ...], says("All matches so far, the latest first.")]
    repeats: Annotated[int | None, says("ID of the trial whose boards it repeats.")]
    opponents: Annotated[tuple[int, ...], says("IDs of the other entries' versions.")]


class TrialPage(TrialFacts, frozen=True):
    """The page of a trial."""

    row: TournamentRow
    standings: tuple[StandingRow, ...]
    means: dict[int, Mean]
    """Mean score by version ID."""
    deal: Deal | None
    """Deal that it repeats."""
