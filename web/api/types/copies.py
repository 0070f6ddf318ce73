"""The report of bots that are alike."""

from typing import Annotated

from arena.services.copies.views import LastComparison, Listing, PairPage, PairRow
from web.api.types.base import Part, made, says


class Lines(Part):
    """A run of lines."""

    first: int
    last: int


class SourceFile(Part):
    """A file of a program, with the lines that the other program has, too."""

    name: str
    text: str
    marked: tuple[Lines, ...]


class PairDetail(PairRow, frozen=True):
    """Two bots that are alike, with their sources."""

    a_files: Annotated[tuple[SourceFile, ...], says("Sources of the first bot; empty if they cannot be read any more.")]
    b_files: tuple[SourceFile, ...]


class CopyReport(Part):
    """A part of the report."""

    last: Annotated[LastComparison | None, says("The latest comparison of all bots; null before the first.")]
    total: Annotated[int, says("Number of pairs in all parts.")]
    dismissed: Annotated[int, says("Number of dismissed pairs among all.")]
    items: tuple[PairRow, ...]
    next: Annotated[str | None, says("Cursor of the next part; null if there is none.")]


def pair_detail(page: PairPage) -> PairDetail:
    """Return a pair with its sources."""
    return made(PairDetail, page.row, a_files=tuple(map(_file, page.a)), b_files=tuple(map(_file, page.b)))


def _file(one: Listing) -> SourceFile:
    marked = tuple(Lines(first=first, last=last) for first, last in one.marked)
    return SourceFile(name=one.name, text="\n".join(line.text for line in one.lines), marked=marked)
