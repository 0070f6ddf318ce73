"""View models of comparisons."""

from typing import Annotated

from arena.services.base.views import View, says
from arena.services.tournaments.views import TournamentRow


class Compared(View, frozen=True):
    """A version in a comparison."""

    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    owner: str


class ComparisonFacts(View, frozen=True):
    """A comparison, without its estimates."""

    field: Annotated[tuple[Compared, ...], says("The other bots at the tables.")]
    delta: Annotated[float, says("Lead above the target that counts as better.")]
    target: Annotated[float, says("Lead that the candidate must exceed; 0 except in assignments.")]
    wrong: Annotated[float, says("Largest probability of a wrong answer.")]
    most: Annotated[int, says("Number of tables after which it ends without an answer.")]
    decision: Annotated[str, says("`better`, `not better`, `undecided`, or `running` before the end.")]
    lower: Annotated[float, says("Evidence at or below which it is not better.")]
    upper: Annotated[float, says("Evidence at or above which it is better.")]
    tables: Annotated[int, says("Number of tables that the test has used.")]
    matches: Annotated[int, says("Number of matches at these tables.")]
    walk: Annotated[tuple[float, ...], says("Evidence after each table; empty if an old test decided.")]


class ComparisonPage(ComparisonFacts, frozen=True):
    """Page of a comparison. Leads of B at a table are fractions of the largest possible lead, -1 to 1."""

    row: TournamentRow
    a: Compared
    b: Compared
    llr: float
    """Evidence that B is better (see `arena.tournament.sequential.Answer`)."""
    mean: float | None
    """Mean lead of B; None without tables."""
    interval: tuple[float, float] | None
    """95 % interval of the mean lead; None below two tables."""
    leads: tuple[tuple[int, float], ...]
    """Table ID and lead of B for each table, in order."""
