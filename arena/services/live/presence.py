"""Presence of bots outside the arena: what their owners let them play, and how quick they are."""

from collections.abc import Sequence
from datetime import datetime
from math import ceil
from typing import Annotated, Final

from msgspec import Meta
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, LiveMove, LiveSeat, LiveTable, Presence, Version
from arena.db.upsert import put
from arena.games.divisions import CAGED
from arena.games.errors import NotFound, Refused
from arena.games.registry import OPEN, VARIANTS
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.inputs import Input, Text
from arena.services.base.states import LiveState
from arena.services.base.times import moment
from arena.services.base.views import View, says
from arena.services.bots.actions import check_enabled, check_own
from arena.services.bots.rows import check_present, find, find_by_name
from arena.services.formats.presence import READY_FOR, ready
from arena.words import _

MOST: Final = 16
"""Largest number of tables at a time."""
RENEW_EVERY: Final = 10.0
"""Seconds between two notes that a bot is there."""
MEASURED: Final = 1000
"""Number of a bot's latest moves whose times are counted."""


class Ready(Input):
    """An offer of a bot outside the arena to play. It holds for a minute after each request for its questions."""

    bot: Annotated[Text, says("Name of the bot.")]
    tables: Annotated[int, Meta(ge=0, le=MOST), says("Largest number of tables at a time; 0 for no further ones.")] = 1
    variants: Annotated[Sequence[Text], says("IDs of variants; empty for all.")] = ()


class MoveTimes(View, frozen=True):
    """Times of the latest moves of a bot outside the arena, in seconds."""

    moves: Annotated[int, says("Number of moves that are counted.")]
    late: Annotated[int, says("Number of them whose time was up.")]
    p50: float | None
    p95: float | None
    p99: float | None


class OutsidePage(View, frozen=True):
    """How a bot outside the arena plays."""

    ready: Annotated[int, says("Number of tables that it offers to play at a time; 0 if it is not there.")]
    seen: Annotated[datetime | None, says("Time of its last request, about; null before its first offer.")]
    playing: Annotated[tuple[str, ...], says("Codes of the tables at which it plays.")]
    times: MoveTimes


def page_of(arena: Arena, bot_id: int) -> OutsidePage:
    """Return how a bot outside the arena plays. Raises `NotFound`."""
    with arena.reading() as session:
        if find(session, bot_id).division == CAGED:
            raise NotFound(_("This bot was uploaded; it does not run outside the arena."))
        found = session.execute(select(Presence.tables, Presence.seen).where(Presence.bot_id == bot_id)).one_or_none()
        there = session.scalar(select(Presence.bot_id).where(Presence.bot_id == bot_id, ready()))
        return OutsidePage(
            found.tables if found and there else 0,
            moment(found.seen) if found else None,
            _playing(session, bot_id),
            times_of(session, bot_id),
        )


def offer(arena: Arena, account: Account, wish: Ready) -> float:
    """Let a bot play from now on. Returns the seconds for which this holds without requests.

    Raises `NotFound`, `Forbidden` and `Refused`.
    """
    for one in wish.variants:
        if f"{one}-quick" not in OPEN:
            open_ = [variant for variant in VARIANTS if f"{variant}-quick" in OPEN]
            values = {"variant": one[:64], "variants": ", ".join(open_)}
            raise Refused(_("%(variant)s is not played in the open divisions. These are: %(variants)s.", **values))
    with arena.transaction() as session:
        bot = own_bot(session, account, wish.bot)
        check_present(bot)
        check_enabled(bot)
        at = session.scalars(select(now())).one()
        variants = list(wish.variants) or None
        put(session, Presence, [{"bot_id": bot.id, "tables": wish.tables, "variants": variants, "seen": at}])
    return READY_FOR


def own_bot(session: Session, account: Account, name: str) -> Bot:
    """Return a bot outside the arena of an account or its team. Raises `NotFound`, `Forbidden` and `Refused`."""
    bot = find_by_name(session, name[:100])
    check_own(bot, account)
    if bot.division == CAGED:
        raise Refused(_("%(name)s was uploaded, so the arena plays it.", name=bot.name))
    return bot


def renew(arena: Arena, bot: int) -> None:
    """Note that a bot is there, not too often."""
    stale = (Presence.bot_id == bot, Presence.seen < now() - RENEW_EVERY)
    with arena.reading() as session:
        if session.scalar(select(Presence.bot_id).where(*stale)) is None:
            return
    with arena.transaction() as session:
        session.execute(update(Presence).where(*stale).values(seen=now()))


def times_of(session: Session, bot: int) -> MoveTimes:
    """Return the times of a bot's latest moves."""
    timed = (
        select(LiveMove.spent, LiveMove.late)
        .join(LiveSeat, (LiveSeat.table_id == LiveMove.table_id) & (LiveSeat.seat == LiveMove.seat))
        .join(LiveSeat.version)
        .where(Version.bot_id == bot, LiveMove.spent.is_not(None))
        .order_by(LiveMove.id.desc())
        .limit(MEASURED)
    )
    rows = session.execute(timed).all()
    if not rows:
        return MoveTimes(0, 0, None, None, None)
    spent = sorted(row.spent for row in rows)
    marks = (round(spent[ceil(len(spent) * share) - 1], 3) for share in (0.5, 0.95, 0.99))
    return MoveTimes(len(rows), sum(row.late for row in rows), *marks)


def _playing(session: Session, bot: int) -> tuple[str, ...]:
    own = select(LiveTable.code).join(LiveTable.seats).join(LiveSeat.version).order_by(LiveTable.id)
    return tuple(session.scalars(own.where(Version.bot_id == bot, LiveTable.state == LiveState.PLAYING)))
