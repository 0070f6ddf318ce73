"""View models of the report of bots that are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Final, NamedTuple

from arena.services.base.views import Time, View, says

HIGHEST_ODDS: Final = 1_000_000


class AlikeBot(View, frozen=True):
    """A bot of a pair."""

    bot_id: int
    bot: str
    owner: str
    real_name: Annotated[str, says("Real name of the owner; empty if unknown.")]


@dataclass(frozen=True)
class Evidence:
    """A pair of alike bots and its evidence."""

    variant: str
    """Variant in which they decide alike; empty if their sources are alike."""
    a_version: int
    b_version: int
    """Numbers of the versions compared."""
    share: float
    """Share of the smaller program, or of the decisions, that is equal."""
    counted: int
    """Number of fingerprints that both have, or of decisions that both had to make."""
    expected: float | None
    """Share of equal decisions of the other bots with the same views; None for sources."""
    by_chance: float | None
    """Number of independent pairs expected to agree as much; None for sources."""

    @property
    def odds(self) -> int:
        """Odds against finding such a pair among independent bots, to one figure, at most `HIGHEST_ODDS`."""
        odds = min(HIGHEST_ODDS, 1 / max(self.by_chance or 0.0, 1 / HIGHEST_ODDS))
        return int(float(f"{odds:.0e}"))


class DismissalRow(View, frozen=True):
    """A decision that a pair needs no more attention."""

    reason: str
    by: str
    at: Time


@dataclass(frozen=True)
class PairRow:
    """Two bots that are alike."""

    a: AlikeBot
    b: AlikeBot
    evidence: Sequence[Evidence]
    """Sources first, then variants."""
    dismissed: DismissalRow | None

    @property
    def source(self) -> Evidence | None:
        """Evidence from their sources; None if too little."""
        return next((one for one in self.evidence if not one.variant), None)

    @property
    def decisions(self) -> Sequence[Evidence]:
        """Variants in which they decide alike."""
        return [one for one in self.evidence if one.variant]


class LastComparison(View, frozen=True):
    """The latest comparison of all bots."""

    finished: Time
    bots: int
    unread: Annotated[int, says("Number of bots whose sources could not be compared.")]
    tables: int
    seconds: float


@dataclass(frozen=True)
class Report:
    """The pairs that are alike."""

    last: LastComparison | None
    """None before the first comparison."""
    pairs: Sequence[PairRow]
    total: int
    """Number of pairs on all pages."""
    dismissed: int
    """Number of dismissed pairs among all."""
    groups: Sequence[str]
    """Names of the groups to choose from."""
    variants: Sequence[str]
    """Variants to choose from."""


class Line(NamedTuple):
    """A line of a program."""

    number: int
    text: str
    marked: bool
    """Whether the other program has the like."""


@dataclass(frozen=True)
class Listing:
    """A file of a program that has marked lines."""

    name: str
    lines: Sequence[Line]

    @property
    def marked(self) -> Sequence[tuple[int, int]]:
        """First and last numbers of the marked lines that follow each other."""
        runs = groupby(self.lines, key=lambda line: line.marked)
        found = [list(lines) for marked, lines in runs if marked]
        return [(lines[0].number, lines[-1].number) for lines in found]


@dataclass(frozen=True)
class PairPage:
    """Page of two bots that are alike."""

    row: PairRow
    a: Sequence[Listing]
    b: Sequence[Listing]
    """Sources with the matching lines; empty if the sources are not alike."""
