"""Actions of administrators on bots: disable and enable."""

from collections.abc import Callable

from sqlalchemy.orm import Session

from arena.db.models import Bot
from arena.games.errors import Conflict, Refused
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.bots.rows import find
from arena.services.people import audit, notices
from arena.services.tournaments import exits
from arena.services.tournaments.withdrawals import checked_reason
from arena.words import _


def disable(arena: Arena, actor: Account, bot_id: int, reason: str) -> None:
    """Disable a bot: it enters no new tournaments and tables, takes no uploads, and its owner cannot undo it.

    The team is notified of the reason. Raises `NotFound`, and `Refused` if it is disabled already or without a reason.
    """
    check_admin(actor)
    stated = checked_reason(reason)
    with arena.transaction() as session:
        bot = find(session, bot_id, lock=True)
        if bot.disabled is not None:
            raise Conflict(_("%(name)s is already disabled: %(reason)s", name=bot.name, reason=bot.disabled))
        bot.disabled = stated
        exits.drop_deactivated(session, bot_id)
        audit.note(session, actor, "disabled a bot", f"bot {bot.name}", stated)
        _tell(
            session, bot,
            lambda: _("%(name)s disabled %(bot)s: %(reason)s", name=actor.name, bot=bot.name, reason=stated),
        )  # fmt: skip


def enable(arena: Arena, actor: Account, bot_id: int) -> None:
    """Enable a disabled bot. Raises `NotFound`, and `Refused` if it is not disabled."""
    check_admin(actor)
    with arena.transaction() as session:
        bot = find(session, bot_id, lock=True)
        if bot.disabled is None:
            raise Refused(_("%(name)s is not disabled.", name=bot.name))
        bot.disabled = None
        audit.note(session, actor, "enabled a bot", f"bot {bot.name}")
        _tell(session, bot, lambda: _("%(name)s enabled %(bot)s again.", name=actor.name, bot=bot.name))


def _tell(session: Session, bot: Bot, says: Callable[[], str]) -> None:
    """Notify the team of a bot."""
    for user_id in sorted(bot.team):
        notices.notify(session, user_id, says)
