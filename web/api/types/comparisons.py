"""Comparisons of two versions."""

from typing import Annotated

from arena.services.comparisons.views import Compared
from arena.services.tournaments.views import TournamentRow
from web.api.types.base import Part, Uncertain, of, says


class Lead(Part):
    """Lead of the candidate at a table."""

    table_id: int
    lead: Annotated[float, says("Fraction of the largest possible lead, -1 to 1.")]


class Comparison(Part):
    """A sequential test of whether the candidate is better than the baseline."""

    tournament: Annotated[TournamentRow, of("row")]
    baseline: Annotated[Compared, of("a")]
    candidate: Annotated[Compared, of("b")]
    field: Annotated[tuple[Compared, ...], says("The other bots at the tables.")]
    delta: Annotated[float, says("Lead above the target that counts as better.")]
    target: Annotated[float, says("Lead that the candidate must exceed; 0 except in assignments.")]
    wrong: Annotated[float, says("Largest probability of a wrong answer.")]
    most: Annotated[int, says("Number of tables after which it ends without an answer.")]
    decision: Annotated[str, says("`better`, `not better`, `undecided`, or `running` before the end.")]
    evidence: Annotated[float, of("llr"), says("Logarithm of the evidence that the candidate is better.")]
    lower: Annotated[float, says("Evidence at or below which it is not better.")]
    upper: Annotated[float, says("Evidence at or above which it is better.")]
    tables: Annotated[int, says("Number of tables that the test has used.")]
    matches: Annotated[int, says("Number of matches at these tables.")]
    lead: Annotated[Uncertain | None, of("mean"), says("Mean lead of the candidate; null before its first table.")]
    walk: Annotated[tuple[float, ...], says("Evidence after each table.")]
    leads: Annotated[tuple[Lead, ...], says("Lead at each table, in order.")]
