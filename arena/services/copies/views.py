"""View models of the report of bots that are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, NamedTuple

from arena.services.base.views import Time, View, says


class AlikeBot(View, frozen=True):
    """A bot of a pair."""

    bot_id: int
    bot: str
    owner: str
    real_name: Annotated[str, says("Real name of the owner; empty if unknown.")]


class DismissalRow(View, frozen=True):
    """A decision that a pair needs no more attention."""

    reason: str
    by: str
    at: Time


class PairRow(View, frozen=True):
    """Two bots that are alike."""

    a: AlikeBot
    b: AlikeBot
    a_version: Annotated[int, says("Number of the first bot's version.")]
    b_version: int
    share: Annotated[float, says("Share of the smaller program that is also in the other.")]
    counted: Annotated[int, says("Number of fingerprints that both have.")]
    dismissed: DismissalRow | None


class LastComparison(View, frozen=True):
    """The latest comparison of all bots."""

    finished: Time
    bots: int
    unread: Annotated[int, says("Number of bots whose sources could not be compared.")]
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
    """Sources with the matching lines; empty if they cannot be read any more."""
