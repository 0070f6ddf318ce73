"""View models of comparisons."""

from dataclasses import dataclass
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


@dataclass(frozen=True)
class ComparisonPage:
    """Page of a comparison. Leads of B at a table are fractions of the largest possible lead, -1 to 1."""

    row: TournamentRow
    a: Compared
    b: Compared
    field: tuple[Compared, ...]
    """The other bots at the tables."""
    delta: float
    """Lead above the target that counts as better."""
    target: float
    """Lead that B must exceed; 0 except in assignments."""
    wrong: float
    """Largest probability of a wrong answer."""
    most: int
    """Number of tables after which it ends without an answer."""
    decision: str
    """``better`` if B is, ``not better``, ``undecided``, or ``running`` before the end."""
    llr: float
    """Evidence that B is better (see `arena.tournament.sequential.Answer`)."""
    lower: float
    """Bound of `llr` at or below which B is not better."""
    upper: float
    """Bound of `llr` at or above which B is better."""
    tables: int
    """Number of tables that the test has used."""
    matches: int
    """Number of matches at these tables."""
    mean: float | None
    """Mean lead of B; None without tables."""
    interval: tuple[float, float] | None
    """95 % interval of the mean lead; None below two tables."""
    walk: tuple[float, ...]
    """Evidence after each of these tables; empty if an earlier release decided with another test."""
    leads: tuple[tuple[int, float], ...]
    """Table ID and lead of B for each table, in order."""
