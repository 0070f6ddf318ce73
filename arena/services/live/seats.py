"""Who sits at a live table: bots by strength or by name, and how each seat is called."""

import secrets
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Final

from sqlalchemy import Row, select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Bot, LiveSeat, LiveTable, User, Version
from arena.games.errors import Refused
from arena.games.registry import GAMES
from arena.services.base.repertoire import full_name, plays
from arena.services.base.states import VersionState
from arena.services.live.people import GUEST
from arena.services.people.rows import HOUSE
from arena.words import _

STRENGTHS: Final = {
    "easy": ("random", "meek", "echo"),
    "medium": ("greedy", "bold", "planner", "sure"),
    "strong": ("search", "regret", "greedy"),
}
"""Names of house bots by strength. Those that play the game take the seats in turn, in this order."""
NAMES: Final = (
    joinedload(LiveSeat.version)
    .load_only(Version.id, Version.bot_id, Version.state)
    .joinedload(Version.bot)
    .load_only(Bot.name),
    joinedload(LiveSeat.user).load_only(User.name),
)
"""Options of a query that loads what `names_of` needs with the seats."""
FIELD: Final = 12
"""Largest number of bots that play a person's boards."""


def new_code() -> str:
    """Return the text in the address of a new table."""
    return secrets.token_urlsafe(9)


def by_strength(session: Session, strength: str, game: str, count: int) -> list[int]:
    """Return the IDs of house bots' versions for `count` seats. Raises `Refused` if none plays the game."""
    named = {row.name: row.id for row in _playing(session, game, house=True)}
    ids = [named[name] for name in STRENGTHS[strength] if name in named]
    return _seated(ids, game, count)


def by_name(session: Session, names: Sequence[str], game: str, count: int) -> list[int]:
    """Return the IDs of versions for `count` seats, of bots that may be met there. Raises `Refused`."""
    playing = {row.name: row.id for row in _playing(session, game)}
    if missing := next((name for name in names if name not in playing), None):
        title = full_name(GAMES[game])
        raise Refused(_("%(missing)s does not play %(game)s with people.", missing=missing, game=title))
    return _seated([playing[name] for name in names], game, count)


def stand_in(session: Session, game: str) -> bytes | None:
    """Return the source of the bot that moves for people who are late; None if no such house bot plays the game."""
    playing = {row.name: row.id for row in _playing(session, game, house=True)}
    version = next((playing[name] for name in STRENGTHS["medium"] if name in playing), None)
    return session.scalars(select(Version.source).where(Version.id == version)).one_or_none()


def field_of(session: Session, game: str, asked: Sequence[int] = ()) -> list[int]:
    """Return the IDs of versions that play a person's boards: those `asked` for, and the house bots."""
    house = [row.id for row in _playing(session, game, house=True)]
    return list(dict.fromkeys([*asked, *house]))[:FIELD]


def _playing(session: Session, game: str, house: bool = False) -> list[Row[int, str, list[str] | None]]:
    """Return the ID, the name and the games of the versions that people may meet in a game, oldest bots first."""
    active = select(Version.id, Bot.name, Version.games).join(Bot, Bot.active_version_id == Version.id)
    allowed = active.where(Bot.active, Bot.plays_people, ~Bot.barred, Version.state == VersionState.VALID)
    owned = allowed.where(Bot.owner.has(name_key=HOUSE)) if house else allowed
    return [row for row in session.execute(owned.order_by(Bot.id)) if plays(row.games, game)]


def _seated(ids: Sequence[int], game: str, count: int) -> list[int]:
    if count and not ids:
        raise Refused(_("No bot of this strength plays %(game)s here yet.", game=full_name(GAMES[game])))
    return list(islice(cycle(ids), count))


def names_of(table: LiveTable) -> list[str]:
    """Return the names of a table's seats. Those of equal names are numbered from the second on."""
    seen: Counter[str] = Counter()
    names = []
    for seat in table.seats:
        name = _name(seat)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return names


def _name(seat: LiveSeat) -> str:
    if seat.version:
        return seat.version.bot.name
    if seat.user:
        return _("%(name)s's program", name=seat.user.name) if seat.program else seat.user.name
    return _(GUEST)
