"""Teams: accounts that own a bot together.

A bot has one owner, and co-owners whom the owner invited and who accepted. All of them upload versions, read private
details, switch the bot on and off, withdraw it, and get its notices. Only the owner and administrators rename, archive
and delete it and change the team.

Where accounts share something, such as places by the rule "one bot of each owner" and turns in ladders, a bot counts
for its owner alone. So a team has one share for each of its owners, and nobody gains one by an invitation.
"""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Select, delete, or_, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, BotMember, User
from arena.games.errors import Conflict, Forbidden, NotFound, Refused
from arena.services.base.access import Account, may_manage
from arena.services.base.context import Arena
from arena.services.people import audit, quotas
from arena.services.people.notices import notify
from arena.services.people.rows import HOUSE, member_named
from arena.words import _

LARGEST: Final = 10
"""Largest number of members of a team, with the owner and open invitations."""


def invite(arena: Arena, account: Account, bot_id: int, name: str) -> None:
    """Invite the account with this name to own a bot together. Raises `Refused` and `NotFound`."""
    with arena.transaction() as session:
        bot = managed(session, account, bot_id)
        user = member_named(session, name[:40])
        _check_new(bot, user)
        session.add(BotMember(bot_id=bot_id, user_id=user.id))
        notify(
            session, user.id,
            lambda: _(
                "%(name)s invites you to own %(bot)s together. Answer on the page My bots.",
                name=account.name, bot=bot.name,
            ),
        )  # fmt: skip
        audit.note_foreign(session, account, bot, "invited a co-owner of a bot", user.name)


def accept(arena: Arena, account: Account, bot_id: int) -> None:
    """Accept an invitation to own a bot together. Raises `NotFound` and `Refused`."""
    with arena.transaction() as session:
        bot = _locked(session, bot_id)
        invited = (BotMember.bot_id == bot_id, BotMember.user_id == account.id, BotMember.accepted.is_(None))
        accepted = update(BotMember).where(*invited).values(accepted=now()).returning(BotMember.user_id)
        if session.scalar(accepted) is None:
            raise Forbidden(_("You have no open invitation to %(bot)s.", bot=bot.name))
        _tell(
            session, bot, account,
            lambda: _("%(name)s now owns %(bot)s together with you.", name=account.name, bot=bot.name),
        )  # fmt: skip


def leave(arena: Arena, account: Account, bot_id: int) -> None:
    """Leave a team, or decline an invitation. Raises `NotFound`, and `Refused` for the owner and for strangers."""
    with arena.transaction() as session:
        bot = _locked(session, bot_id)
        if bot.owner_id == account.id:
            raise Refused(_("You are the owner of %(bot)s. Hand it over to a co-owner first.", bot=bot.name))
        left = account.id in bot.team
        if not _delete(session, bot_id, account.id):
            raise Forbidden(_("You do not belong to the team of %(bot)s.", bot=bot.name))
        names = {"name": account.name, "bot": bot.name}
        notify(
            session, bot.owner_id,
            lambda: _("%(name)s left the team of %(bot)s.", **names) if left
            else _("%(name)s declined to join the team of %(bot)s.", **names),
        )  # fmt: skip


def remove(arena: Arena, account: Account, bot_id: int, user_id: int) -> None:
    """Remove a co-owner from a team, or withdraw an invitation. Raises `NotFound` and `Refused`."""
    with arena.transaction() as session:
        bot = managed(session, account, bot_id)
        if not _delete(session, bot_id, user_id):
            raise Refused(_("This account does not belong to the team of %(bot)s.", bot=bot.name))
        notify(
            session, user_id,
            lambda: _(
                "You no longer belong to the team of %(bot)s, by decision of %(name)s.",
                bot=bot.name, name=account.name,
            ),
        )  # fmt: skip
        audit.note_foreign(session, account, bot, "removed a co-owner of a bot", session.get_one(User, user_id).name)


def hand_over(arena: Arena, account: Account, bot_id: int, user_id: int) -> None:
    """Make a co-owner the owner; the former owner becomes a co-owner. Raises `NotFound` and `Refused`.

    The bot and its sources count towards the quotas of the new owner.
    """
    with arena.transaction() as session:
        bot = managed(session, account, bot_id)
        if user_id not in bot.team - {bot.owner_id}:
            raise Refused(_("%(bot)s can be handed over to a co-owner only.", bot=bot.name))
        quotas.lock_users(session, bot.owner_id, user_id)
        if not account.is_admin:
            quotas.check_transfer(session, bot, user_id)
        former = bot.owner_id
        _make_owner(session, bot, user_id)
        session.add(BotMember(bot_id=bot_id, user_id=former, accepted=now()))
        _tell(
            session, bot, account,
            lambda: _(
                "%(bot)s was handed over to %(owner)s by %(name)s.",
                bot=bot.name, owner=bot.owner.name, name=account.name,
            ),
            former,
        )  # fmt: skip
        audit.note_foreign(session, account, bot, "handed over a bot", bot.owner.name)


def depart(session: Session, user_id: int) -> None:
    """Take an account out of all teams, because it is deleted. Its bots go to the co-owners who joined first."""
    for bot in session.scalars(select(Bot).where(Bot.owner_id == user_id).order_by(Bot.id)).all():
        heir = next((one.user_id for one in bot.members if one.accepted is not None), None)
        if heir is not None:
            _make_owner(session, bot, heir)
            _tell_heir(session, bot, heir)
    session.execute(delete(BotMember).where(BotMember.user_id == user_id))


def managed(session: Session, account: Account, bot_id: int) -> Bot:
    """Return a bot, locked, for what only its owner and administrators may do. Raises `NotFound` and `Refused`."""
    bot = _locked(session, bot_id)
    if not may_manage(bot.owner_id, account):
        raise Forbidden(_("Only the owner of %(bot)s may do this.", bot=bot.name))
    if bot.owner.name_key == HOUSE:
        raise Forbidden(_("%(bot)s is a house bot: it belongs to the arena.", bot=bot.name))
    return bot


def bots_of(user_id: int) -> Select[int]:
    """Select the IDs of the bots that an account owns, alone or with others."""
    joined = select(BotMember.bot_id).where(BotMember.user_id == user_id, BotMember.accepted.is_not(None))
    return select(Bot.id).where(or_(Bot.owner_id == user_id, Bot.id.in_(joined)))


def own_bots(arena: Arena, account: Account) -> frozenset[int]:
    """Return the IDs of the bots that the account owns, alone or with others."""
    with arena.reading() as session:
        return frozenset(session.scalars(bots_of(account.id)))


def _locked(session: Session, bot_id: int) -> Bot:
    bot = session.get(Bot, bot_id, with_for_update=True)
    if bot is None:
        raise NotFound(_("There is no bot %(id)s.", id=bot_id))
    return bot


def _check_new(bot: Bot, user: User) -> None:
    """Raise `Refused` unless the account can be invited."""
    found = next((one for one in bot.members if one.user_id == user.id), None)
    if user.id == bot.owner_id or (found and found.accepted is not None):
        raise Conflict(_("%(name)s already owns %(bot)s.", name=user.name, bot=bot.name))
    if found:
        raise Conflict(_("%(name)s is already invited.", name=user.name))
    if len(bot.members) + 1 >= LARGEST:
        raise Refused(_("A team has at most %(most)s members, with the owner and open invitations.", most=LARGEST))


def _make_owner(session: Session, bot: Bot, user_id: int) -> None:
    _delete(session, bot.id, user_id)
    bot.owner_id = user_id
    session.flush()
    session.refresh(bot)


def _delete(session: Session, bot_id: int, user_id: int) -> bool:
    mine = delete(BotMember).where(BotMember.bot_id == bot_id, BotMember.user_id == user_id)
    return session.scalar(mine.returning(BotMember.user_id)) is not None


def _tell(session: Session, bot: Bot, actor: Account, says: Callable[[], str], *others: int) -> None:
    """Notify the team, except the account that acts."""
    for user_id in sorted((bot.team | set(others)) - {actor.id}):
        notify(session, user_id, says)


def _tell_heir(session: Session, bot: Bot, heir: int) -> None:
    notify(
        session, heir,
        lambda: _("You are now the owner of %(bot)s: its former owner deleted the account.", bot=bot.name),
    )  # fmt: skip
