"""The result of a person's match, and how bots fared in the same seat with the same cards."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, undefer

from arena.db.models import LiveField, LiveTable
from arena.games.errors import NotFound
from arena.match.frames import framed
from arena.match.record import unpack
from arena.match.replay import replay
from arena.services.analyses import pages as analyses
from arena.services.analyses.views import AnalysisView
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live import sets
from arena.services.live.people import Person
from arena.services.live.sets import SetView
from arena.services.live.tables import find, own_seat
from arena.words import _


class FieldRow(View, frozen=True):
    """A bot that played a person's boards in the person's seat."""

    version: Annotated[int, says("ID of the bot's version.")]
    bot: int
    name: str
    score: int
    fault: str | None
    differs: Annotated[int | None, says("Index of its first move that differs from the person's; null if none does.")]


class LiveResult(View, frozen=True):
    """A person's result, and the field."""

    score: int
    rank: int
    seat: int
    variant: str
    set: Annotated[SetView | None, says("The set of deals that the boards belong to; null for none.")]
    field: Annotated[tuple[FieldRow, ...], says("Bots that have played the same boards, best first.")]
    waiting: Annotated[int, says("Number of bots that have yet to play them.")]
    undone: Annotated[int, says("Number of times that the person has taken back moves.")]
    hints: Annotated[int, says("Number of hints that the person has asked for.")]

    @property
    def mean(self) -> float | None:
        """Mean points of the field; None without one."""
        return sum(row.score for row in self.field) / len(self.field) if self.field else None

    @property
    def beaten(self) -> float | None:
        """Share of the field that the person beat; equal results count half. None without a field, or after an undo."""
        return None if self.undone else sets.share(self.score, [row.score for row in self.field])


def result(arena: Arena, person: Person | None, code: str) -> LiveResult | None:
    """Return a person's result at a table; None before the end, and for others. Raises `NotFound`."""
    with arena.reading() as session:
        table = find(session, code)
        seat = own_seat(table, person)
        if seat is None or table.state != LiveState.FINISHED:
            return None
        own = table.seats[seat]
        rows = session.scalars(_field(table.boards_id)).all()
        mine = unpack(table.record or b"")
        played = [_row(row, mine, seat) for row in rows if row.score is not None]
        ranked = tuple(sorted(played, key=lambda row: (-row.score, row.name)))
        boards = table.boards
        within = sets.views(session, person, [boards.set])[0] if boards.set else None
        waiting = len(rows) - len(played)
        known = (own.score or 0, own.rank or 0, seat, boards.variant, within, ranked, waiting)
        return LiveResult(*known, table.undone, table.hints)


def replay_of(arena: Arena, person: Person | None, code: str, version: int) -> tuple[str, dict[str, Any]]:
    """Return the name of a bot of the field and the frames of its match with a person's cards.

    Raises `NotFound`, also before the end of the person's match, and for others.
    """
    with arena.reading() as session:
        table = _own(session, person, code)
        row = session.scalars(_field(table.boards_id).where(LiveField.version_id == version)).one_or_none()
        if row is None or row.record is None:
            raise NotFound(_("This bot has not played these cards."))
        return row.version.bot.name, framed(replay(unpack(row.record)))


def own_record(arena: Arena, person: Person | None, code: str) -> dict[str, Any]:
    """Return the record of a person's match. Raises `NotFound` as `replay_of` does."""
    with arena.reading() as session:
        return unpack(_own(session, person, code).record or b"")


def own_analysis(arena: Arena, person: Person | None, code: str) -> AnalysisView | None:
    """Return the analysis of a person's match; None without one. Raises `NotFound` as `replay_of` does."""
    with arena.reading() as session:
        return analyses.of_live(session, _own(session, person, code).id)


def _own(session: Session, person: Person | None, code: str) -> LiveTable:
    table = find(session, code)
    if own_seat(table, person) is None or table.state != LiveState.FINISHED:
        raise NotFound(_("You can see how these cards were played once you have played them to the end."))
    return table


def _field(boards: int) -> Select[LiveField]:
    return select(LiveField).where(LiveField.boards_id == boards).options(undefer(LiveField.record))


def _row(row: LiveField, mine: Mapping[str, Any], seat: int) -> FieldRow:
    differs = _differs(unpack(row.record or b"")["moves"], mine["moves"], seat)
    return FieldRow(row.version_id, row.version.bot_id, row.version.bot.name, row.score or 0, row.fault, differs)


def _differs(theirs: Sequence[Sequence[Any]], mine: Sequence[Sequence[Any]], seat: int) -> int | None:
    """Return the index of the first move of a seat that differs in two matches on the same boards."""
    for index, (their, own) in enumerate(zip(theirs, mine, strict=False)):
        if their != own:
            return index if their[0] == seat else None
    return None
