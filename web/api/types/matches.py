"""Matches."""

from collections.abc import Iterable
from typing import Annotated, Any

from arena.services.numbers.highlights import Highlight as HighlightView
from arena.services.tables.views import MatchPage, MatchRow, SeatDetail, SolitaireResult
from web.api.types.base import Part, Time, each, made, says


class Seat(Part):
    """A seat of a match: its bot and its result."""

    seat: Annotated[int, says("Number of the seat, from 0.")]
    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    score: int
    rank: Annotated[int, says("Place in the match, from 1.")]
    fault: Annotated[str | None, says("Kind of the bot's fault; null if it did not fail.")]
    move: Annotated[int | None, says("Index of the move at which it failed, if recorded.")]


class Match(Part):
    """A finished match."""

    id: int
    tournament_id: int
    tournament: Annotated[str, says("Name of the tournament.")]
    table_id: int
    table_number: Annotated[int, says("Number of the table within its tournament, from 0.")]
    seating: Annotated[int, says("Number of the match within its table, from 0.")]
    variant: str
    finished: Time
    seats: tuple[Seat, ...]


class Highlight(Part):
    """The reason why a match is listed."""

    seat: Annotated[int | None, says("Seat of the bot that stands out.")]
    other: Annotated[int | None, says("Seat of the bot that it is compared with; null if that is all others.")]
    value: Annotated[float, says("Points by which it won, rating that it lacked, or points more than the others.")]


class ListedMatch(Match):
    """A match in a list."""

    highlight: Annotated[Highlight | None, says("Why it is listed; null in the lists of latest matches and of faults.")]


class Secret(Part):
    """Part of a seat that only the bot's team and administrators see."""

    detail: Annotated[str, says("Explanation of the fault; empty if there was none.")]
    traceback: str
    output: Annotated[str, says("Everything that the bot printed.")]
    view: Annotated[dict[str, Any] | None, says("View that the bot was sent for the move at which it failed.")]


class SeatOfMatch(Seat):
    """A seat with its costs."""

    owner: str
    cpu: Annotated[float, says("CPU time of the bot's answers, in seconds.")]
    wall: Annotated[float | None, says("Real time of the bot's answers, in seconds; null if not measured.")]
    memory: Annotated[int, says("Peak resident memory, in bytes.")]
    private: Annotated[Secret | None, says("Null unless you may see the bot's output.")]


class Solitaire(Part):
    """Result of a solitaire match."""

    result: Annotated[str, says("`win`, `draw` or `loss`.")]
    dummies: Annotated[tuple[int, ...], says("Points of the dummies, clockwise from the player's left.")]


class MatchDetail(Match):
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


def match(row: MatchRow) -> Match:
    """Return a match."""
    return made(Match, row, seats=each(Seat, row.seats))


def matches(rows: Iterable[MatchRow]) -> tuple[Match, ...]:
    """Return matches."""
    return tuple(map(match, rows))


def listed_match(row: MatchRow) -> ListedMatch:
    """Return a match of a list that is in the order of time."""
    return made(ListedMatch, row, seats=each(Seat, row.seats), highlight=None)


def highlight(one: HighlightView) -> ListedMatch:
    """Return a match with the reason why it is listed."""
    seat, other = (None if seat is None else seat.seat for seat in (one.seat, one.other))
    reason = None if seat is None else Highlight(seat=seat, other=other, value=one.value)
    return made(ListedMatch, one.row, seats=each(Seat, one.row.seats), highlight=reason)


def match_detail(page: MatchPage) -> MatchDetail:
    """Return a match in detail, with what its viewer may see."""
    return made(
        MatchDetail,
        page.row,
        seats=each(Seat, page.row.seats),
        details=tuple(map(_seat, page.seats)),
        sets=page.sets,
        solitaire=solitaire(page.alone),
        cage=page.cage,
        packages=page.packages,
        superseded=page.superseded,
        compared=page.compared,
    )


def solitaire(result: SolitaireResult | None) -> Solitaire | None:
    """Return the result of a solitaire match, if it is one."""
    return None if result is None else made(Solitaire, result)


def printed(page: MatchPage) -> tuple[Printed, ...]:
    """Return what the viewer's bots printed at each move."""
    return tuple(
        Printed(seat=seat.row.seat, move=move, text=text) for seat in page.seats for move, text in seat.printed
    )


def _seat(seat: SeatDetail) -> SeatOfMatch:
    own = {name: getattr(seat.row, name) for name in Seat.__struct_fields__}
    return made(SeatOfMatch, seat, **own, private=made(Secret, seat) if seat.mine else None)
