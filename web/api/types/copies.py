"""The report of bots that are alike."""

from typing import Annotated

from arena.services.copies.views import AlikeBot, DismissalRow, Evidence, LastComparison, Listing, PairPage, PairRow
from web.api.types.base import Part, made, says


class Likeness(Part):
    """Evidence that two bots are alike."""

    variant: Annotated[str | None, says("Variant in which they decide alike; null if their sources are alike.")]
    a_version: Annotated[int, says("Number of the first bot's version.")]
    b_version: int
    share: Annotated[float, says("Share of the smaller program, or of the decisions, that is equal.")]
    counted: Annotated[int, says("Number of fingerprints, or of decisions, that both have.")]
    expected: Annotated[float | None, says("Share of equal decisions of other bots with the same views.")]
    by_chance: Annotated[float | None, says("Number of independent pairs expected to agree as much.")]


class Pair(Part):
    """Two bots that are alike."""

    a: AlikeBot
    b: AlikeBot
    evidence: Annotated[tuple[Likeness, ...], says("Sources first, then variants.")]
    dismissed: DismissalRow | None


class Lines(Part):
    """A run of lines."""

    first: int
    last: int


class SourceFile(Part):
    """A file of a program, with the lines that the other program has, too."""

    name: str
    text: str
    marked: tuple[Lines, ...]


class PairDetail(Pair):
    """Two bots that are alike, with their sources."""

    a_files: Annotated[tuple[SourceFile, ...], says("Sources of the first bot; empty if they are not alike.")]
    b_files: tuple[SourceFile, ...]


class CopyReport(Part):
    """A part of the report."""

    last: Annotated[LastComparison | None, says("The latest comparison of all bots; null before the first.")]
    total: Annotated[int, says("Number of pairs in all parts.")]
    dismissed: Annotated[int, says("Number of dismissed pairs among all.")]
    items: tuple[Pair, ...]
    next: Annotated[str | None, says("Cursor of the next part; null if there is none.")]


def pair(row: PairRow) -> Pair:
    """Return a pair."""
    return made(Pair, row, evidence=tuple(map(_likeness, row.evidence)))


def pair_detail(page: PairPage) -> PairDetail:
    """Return a pair with its sources."""
    return made(PairDetail, pair(page.row), a_files=tuple(map(_file, page.a)), b_files=tuple(map(_file, page.b)))


def _likeness(one: Evidence) -> Likeness:
    return made(Likeness, one, variant=one.variant or None)


def _file(one: Listing) -> SourceFile:
    marked = tuple(Lines(first=first, last=last) for first, last in one.marked)
    return SourceFile(name=one.name, text="\n".join(line.text for line in one.lines), marked=marked)
