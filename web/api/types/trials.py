"""Trials: unrated matches in the playground."""

from typing import Annotated

from arena.services.tournaments.views import TournamentRow
from arena.services.trials.views import OfferRow, TrialFacts, TrialRow
from web.api.types.base import Part, Uncertain, of, says
from web.api.types.tournaments import Entrant


class OwnTrial(TrialRow, frozen=True):
    """A trial of one of your bots."""

    bot_id: int
    bot: str


class Offer(OfferRow, frozen=True):
    """Versions and opponents for trials of a bot in a variant."""

    variants: Annotated[tuple[str, ...], says("Variants that the bot plays.")]


class MeanScore(Part):
    """Mean score of a version per match."""

    version_id: int
    score: Uncertain | None


class RepeatedDeal(Part):
    """Deal that a trial repeats."""

    match: Annotated[int, says("ID of a match that was played on it.")]
    board_set: Annotated[int, says("Number of the set of boards at its table.")]


class TrialDetail(TrialFacts, frozen=True):
    """A trial."""

    tournament: Annotated[TournamentRow, of("row")]
    standings: tuple[Entrant, ...]
    scores: Annotated[tuple[MeanScore, ...], of("means"), says("Mean scores, with each table as one observation.")]
    deal: Annotated[RepeatedDeal | None, says("Deal that it repeats; null if each table has its own.")]
