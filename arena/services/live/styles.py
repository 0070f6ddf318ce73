"""Which bot a person plays like, by choices in the same positions."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload, undefer

from arena.db.models import Bot, LiveBoards, LiveField, LiveSeat, LiveTable, Version
from arena.match.record import unpack
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live.people import Person

DEALS: Final = 20
"""Number of a person's latest matches that are compared with the bots'."""
FEWEST: Final = 20
"""Number of choices that a person and a bot must have met."""

Moves = Sequence[Sequence[Any]]
"""Moves of a record: seat and action."""


class Style(View, frozen=True):
    """The bot that a person plays like in a variant."""

    bot: Annotated[int, says("ID of the bot.")]
    name: str
    same: Annotated[int, says("Number of choices in which the person and the bot did the same.")]
    choices: Annotated[int, says("Number of choices that both met, without those on which all bots agree.")]


def agreement(mine: Moves, others: Mapping[int, Moves], seat: int) -> dict[int, tuple[int, int]]:
    """Return in how many choices of a seat each of the others did the same as `mine`, and how many both met.

    All moves are from the same boards. Matches are compared to their first difference, and only in choices on which
    they differ: what everybody does says nothing about anybody.
    """
    same: Counter[int] = Counter()
    met: Counter[int] = Counter()
    for index, move in enumerate(mine):
        theirs = {bot: moves[index] for bot, moves in others.items() if index < len(moves)}
        alike = [bot for bot, their in theirs.items() if their == move]
        if move[0] == seat and len({move[1], *(their[1] for their in theirs.values())}) > 1:
            met.update(theirs.keys())
            same.update(alike)
        others = {bot: others[bot] for bot in alike}
    return {bot: (same[bot], count) for bot, count in met.items()}


def styles_of(arena: Arena, person: Person) -> dict[str, Style]:
    """Return the bot that a person plays most like, by variant, if there are enough choices to tell."""
    same: dict[str, Counter[int]] = defaultdict(Counter)
    met: dict[str, Counter[int]] = defaultdict(Counter)
    names: dict[int, str] = {}
    with arena.reading() as session:
        for seat in session.scalars(_played(person)):
            boards = seat.table.boards
            rows = {row.version.bot_id: row for row in boards.field if row.record}
            names |= {bot: row.version.bot.name for bot, row in rows.items()}
            theirs = {bot: unpack(row.record or b"")["moves"] for bot, row in rows.items()}
            mine = unpack(seat.table.record or b"")["moves"]
            for bot, (alike, choices) in agreement(mine, theirs, seat.seat).items():
                same[boards.variant][bot] += alike
                met[boards.variant][bot] += choices
    found = {variant: _closest(same[variant], met[variant], names) for variant in met}
    return {variant: style for variant, style in found.items() if style}


def _closest(same: Mapping[int, int], met: Mapping[int, int], names: Mapping[int, str]) -> Style | None:
    known = [bot for bot, choices in met.items() if choices >= FEWEST]
    if not known:
        return None
    bot = max(known, key=lambda one: (same[one] / met[one], met[one]))
    return Style(bot, names[bot], same[bot], met[bot])


def _played(person: Person) -> Any:
    """Select a person's latest seats in finished matches without help, with the field of their boards."""
    done = select(LiveSeat).join(LiveSeat.table).where(person.sits(), LiveTable.state == LiveState.FINISHED)
    own = done.where(LiveTable.undone == 0, LiveTable.hints == 0)
    field = selectinload(LiveBoards.field).options(
        undefer(LiveField.record),
        joinedload(LiveField.version).load_only(Version.bot_id).joinedload(Version.bot).load_only(Bot.name),
    )
    boards = joinedload(LiveSeat.table).options(undefer(LiveTable.record), joinedload(LiveTable.boards).options(field))
    return own.order_by(LiveTable.finished.desc()).limit(DEALS).options(boards)
