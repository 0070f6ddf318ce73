"""The archive: bots that take part in nothing new and that lists leave out, with all their results."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, Version
from arena.games.errors import Conflict, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import VersionState
from arena.services.people import audit, quotas, teams
from arena.services.tournaments import exits
from arena.words import _


def archive(arena: Arena, account: Account, bot_id: int) -> None:
    """Archive a bot as its owner or an administrator. Raises `NotFound` and `Refused`.

    It is deactivated, so tournaments and ladders treat it as such.
    """
    with arena.transaction() as session:
        bot = teams.managed(session, account, bot_id)
        if bot.archived is not None:
            raise Conflict(_("%(name)s is already archived.", name=bot.name))
        check_validated(session, bot)
        bot.archived, bot.active = session.scalars(select(now())).one(), False
        exits.drop_deactivated(session, bot_id)
        audit.note_foreign(session, account, bot, "archived a bot")


def restore(arena: Arena, account: Account, bot_id: int) -> None:
    """Bring an archived bot back, inactive, as its owner or an administrator. Raises `NotFound` and `Refused`."""
    with arena.transaction() as session:
        bot = teams.managed(session, account, bot_id)
        if bot.archived is None:
            raise Refused(_("%(name)s is not archived.", name=bot.name))
        if not account.is_admin:
            quotas.lock_user(session, bot.owner_id)
            quotas.check_bots(session, bot.owner_id)
        bot.archived = None
        audit.note_foreign(session, account, bot, "brought back a bot")


def check_validated(session: Session, bot: Bot) -> None:
    """Raise `Refused` if a version of the bot waits for validation or is being validated."""
    pending = select(Version.number).where(Version.bot_id == bot.id, Version.state == VersionState.PENDING)
    number = session.scalar(pending.order_by(Version.number).limit(1))
    if number is not None:
        raise Refused(
            _("Version %(number)s of %(name)s is being validated. Try again in a moment.", number=number, name=bot.name)
        )
