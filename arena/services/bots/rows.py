"""Look-up of bots and versions, and numbering of versions."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Version
from arena.games.errors import NotFound, Refused
from arena.services.base.names import key
from arena.words import _


def find(session: Session, bot_id: int, lock: bool = False) -> Bot:
    """Return the bot with this ID, and lock its row if `lock`. Raises `NotFound`."""
    bot = session.get(Bot, bot_id, with_for_update=lock or None)
    if bot is None:
        raise NotFound(_("There is no bot %(id)s.", id=bot_id))
    return bot


def find_by_name(session: Session, name: str) -> Bot:
    """Return the bot with this name, in any case. Raises `NotFound`."""
    bot = session.scalar(select(Bot).where(Bot.name_key == key(name)))
    if bot is None:
        raise NotFound(_("There is no bot %(name)s.", name=name))
    return bot


def check_present(bot: Bot) -> None:
    """Raise `Refused` if the bot is archived."""
    if bot.archived is not None:
        raise Refused(_("%(name)s is archived. Bring it back first.", name=bot.name))


def find_version(session: Session, version_id: int) -> Version:
    """Return the version with this ID. Raises `NotFound`."""
    version = session.get(Version, version_id)
    if version is None:
        raise NotFound(_("There is no version %(id)s.", id=version_id))
    return version


def next_number(session: Session, bot_id: int) -> int:
    """Return the number of the bot's next version."""
    return 1 + (session.scalar(select(func.max(Version.number)).where(Version.bot_id == bot_id)) or 0)
