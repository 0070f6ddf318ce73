"""Names of bots: unique, reserved for some time after a bot gave one up, and changed by the owner."""

from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, FormerName
from arena.games.errors import Refused
from arena.services.base import dates
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.names import check_name, key
from arena.services.base.times import database_time, moment
from arena.services.people import audit, teams
from arena.services.people.quotas import may_play
from arena.words import _, ngettext

RESERVED: Final = 30 * 86400.0
"""Seconds for which a former name stays reserved for the bot's owner."""
MOST: Final = 3
"""Largest number of former names reserved for one bot, so that nobody collects names by renaming."""


def rename(arena: Arena, account: Account, bot_id: int, name: str) -> None:
    """Rename a bot as its owner or an administrator. Raises `NotFound` and `Refused`.

    Addresses, results and entries name the bot by its ID, so they show the new name; records and notices keep the name
    of their time. The old name is reserved for the owner for `RESERVED` seconds, because until they are forgotten,
    another author's bot under that name would pass for this one.
    """
    check_name(name, "name of the bot")
    try:
        with arena.transaction() as session:
            bot = teams.managed(session, account, bot_id)
            check_free(session, bot.owner_id, name, bot_id)
            former, bot.name, bot.name_key = bot.name, name, key(name)
            session.flush()
            check_reserved(session, bot.owner_id, name)
            if key(former) != key(name):
                _reserve(session, account, bot, former)
            audit.note_foreign(session, account, bot, "renamed a bot", f"formerly {former}")
    except IntegrityError:
        raise taken(name) from None


def check_free(session: Session, owner_id: int, name: str, bot_id: int | None = None) -> None:
    """Raise `Refused` if a bot other than `bot_id` has this name."""
    bot = session.scalar(select(Bot).where(Bot.name_key == key(name), Bot.id.is_distinct_from(bot_id)))
    if bot and bot.owner_id == owner_id:
        raise Refused(_("You already have a bot named %(name)s; upload a new version on its page.", name=bot.name))
    if bot:
        raise taken(bot.name)


def rejected_bot(session: Session, owner_id: int, name: str) -> int | None:
    """Return the ID of the owner's bot of this name if each of its versions was rejected."""
    bot = session.scalar(select(Bot).where(Bot.name_key == key(name), Bot.owner_id == owner_id))
    return bot.id if bot and not may_play(session, bot.id) else None


def check_reserved(session: Session, owner_id: int, name: str) -> None:
    """Raise `Refused` if this name is reserved for a bot of another owner, otherwise end its reservation.

    Call it after the name is stored: a concurrent rename that gives it up has committed by then, because names are
    unique.
    """
    former = session.get(FormerName, key(name))
    if former and former.bot.owner_id != owner_id and former.until > database_time(session).timestamp():
        raise Refused(
            _("The name %(name)s belonged to another user's bot until lately. Choose another name.", name=name)
        )
    if former:
        session.delete(former)


def taken(name: str) -> Refused:
    """Return the refusal of a name that another bot has."""
    return Refused(_("The name %(name)s is taken by another user's bot. Choose another name.", name=name))


def _reserve(session: Session, account: Account, bot: Bot, former: str) -> None:
    session.execute(delete(FormerName).where(FormerName.until <= now()))
    mine = select(FormerName.until).where(FormerName.bot_id == bot.id).order_by(FormerName.until)
    held = session.scalars(mine).all()
    if len(held) >= MOST and not account.is_admin:
        raise Refused(
            ngettext(
                "%(name)s was renamed %(num)s time in the last 30 days, which is the limit. "
                "It can be renamed again from %(time)s.",
                "%(name)s was renamed %(num)s times in the last 30 days, which is the limit. "
                "It can be renamed again from %(time)s.",
                len(held),
                name=former,
                time=dates.moment(moment(held[0])),
            )
        )
    session.add(FormerName(name_key=key(former), bot_id=bot.id, until=database_time(session).timestamp() + RESERVED))
