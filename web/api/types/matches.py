"""Matches."""

from typing import Annotated, Any

from arena.services.numbers.highlights import Highlight as HighlightView
from arena.services.tables.views import MatchPage, MatchRow, SeatDetail, SeatRow, Solitaire
from web.api.types.base import Part, made, says


class Highlight(Part):
    """The reason why a match is listed."""

    seat: Annotated[int | None, says("Seat of the bot that stands out.")]
    other: Annotated[int | None, says("Seat of the bot that it is compared with; null if that is all others.")]
    value: Annotated[float, says("Points by which it won, rating that it lacked, or points more than the others.")]


class ListedMatch(MatchRow, frozen=True):
    """A match in a list."""

    highlight: Annotated[Highlight | None, says("Why it is listed; null in the lists of latest matches and of faults.")]


class Secret(Part):
    """Part of a seat that only the bot's team and administrators see."""

    detail: Annotated[str, says("Explanation of the fault; empty if there was none.")]
    traceback: str
    output: Annotated[str, says("Everything that the bot printed.")]
    view: Annotated[dict[str, Any] | None, says("View that the bot was sent for the move at which it failed.")]


class SeatOfMatch(SeatRow, frozen=True):
    """A seat with its costs."""

    owner: str
    cpu: Annotated[float, says("CPU time of the bot's answers, in seconds.")]
    wall: Annotated[float | None, says("Real time of the bot's answers, in seconds; null if not measured.")]
    memory: Annotated[int, says("Peak resident memory, in bytes.")]
    private: Annotated[Secret | None, says("Null unless you may see the bot's output.")]


class MatchDetail(MatchRow, frozen=True):
    """A match with its seats in detail."""

    details: tuple[SeatOfMatch, ...]
    sets: Annotated[
        tuple[tuple[int, ...], ...],
        says("IDs of all matches of the table by set of boards: those of a set are on the same boards."),
    ]
    solitaire: Annotated[Solitaire | None, says("Result of a solitaire match; null for any other.")]
    cage: Annotated[str | None, says("Level of the cage: `both`, `one` or `none`; null if not recorded.")]
    packages: Annotated[
        dict[str, str] | None,
        says("Versions of Python and of the packages that its bots could import, by name; null if not recorded."),
    ]
    superseded: Annotated[bool, says("Whether its table was played again later, so that it counts nowhere.")]
    compared: Annotated[int, says("Number of matches whose deals can be compared with this one, itself included.")]


class Printed(Part):
    """Output that a bot printed at a move."""

    seat: int
    move: Annotated[int, says("Index of the move in the match.")]
    text: str


def match_detail(page: MatchPage) -> MatchDetail:
    """Return a match in detail, with what its viewer may see."""
    return made(MatchDetail, page.row, page, details=tuple(map(_seat, page.seats)))


def _seat(seat: SeatDetail) -> SeatOfMatch:
    return made(SeatOfMatch, seat.row, seat, private=made(Secret, seat) if seat.mine else None)


def highlight(one: HighlightView) -> ListedMatch:
    """Return a match with the reason why it is listed."""
    seat, other = (None if seat is None else seat.seat for seat in (one.seat, one.other))
    reason = None if seat is None else Highlight(seat=seat, other=other, value=one.value)
    return made(ListedMatch, one.row, highlight=reason)


def printed(page: MatchPage) -> tuple[Printed, ...]:
    """Return what the viewer's bots printed at each move."""
    return tuple(
        Printed(seat=seat.row.seat, move=move, text=text) for seat in page.seats for move, text in seat.printed
    )
