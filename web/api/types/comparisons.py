"""Comparisons of two versions."""

from typing import Annotated

from arena.services.comparisons.views import Compared, ComparisonFacts
from arena.services.tournaments.views import TournamentRow
from web.api.types.base import Part, Uncertain, of, says


class Lead(Part):
    """Lead of the candidate at a table."""

    table_id: int
    lead: Annotated[float, says("Fraction of the largest possible lead, -1 to 1.")]


class Comparison(ComparisonFacts, frozen=True):
    """A sequential test of whether the candidate is better than the baseline."""

    tournament: Annotated[TournamentRow, of("row")]
    baseline: Annotated[Compared, of("a")]
    candidate: Annotated[Compared, of("b")]
    evidence: Annotated[float, of("llr"), says("Logarithm of the evidence that the candidate is better.")]
    lead: Annotated[Uncertain | None, of("mean"), says("Mean lead of the candidate; null before its first table.")]
    leads: Annotated[tuple[Lead, ...], says("Lead at each table, in order.")]
