"""Deletion of an account by its owner. Results stay, under a neutral name."""

from typing import Any, Final

from sqlalchemy import delete as delete_from
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db import models
from arena.db.clock import now
from arena.db.models import Bot, Invitation, InvitationUse, LiveNote, LiveSeat, Tournament, User
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TournamentState
from arena.services.formats.comparison import Comparison
from arena.services.people import audit, teams
from arena.services.people.rows import HOUSE, neutral_name
from arena.services.tournaments import actions, withdrawals
from arena.services.trials import disposal
from arena.words import _

DELETED: Final[tuple[Any, ...]] = (
    models.AccessToken, models.AccountLink, models.BotMember, models.DeviceRequest, models.Event,
    models.GroupMember, models.LtiScore, models.Notice, models.Repeat, models.UserIdentity, models.UserSession,
    models.ValidationRequest, models.Webhook,
)  # fmt: skip
"""Models whose rows are deleted with their user."""


def delete(arena: Arena, account: Account) -> None:
    """Delete an account, after its bots have left everything that is running. Bots with co-owners go to the first.

    Every step is a transaction, and all of them can be repeated. Raises `Refused` for the house and the last
    administrator, and while a tournament with one of its bots is being created.
    """
    with arena.transaction() as session:
        _check_may_go(session, account)
        teams.depart(session, account.id)
        session.execute(update(Bot).where(Bot.owner_id == account.id).values(active=False))
    for tournament_id in _comparisons(arena, account):
        actions.cancel(arena, account, tournament_id)
    withdrawals.withdraw_all(arena, account)
    with arena.transaction() as session:
        _check_may_go(session, account)
        _forget(session, account)


def _check_may_go(session: Session, account: Account) -> None:
    """Raise `Refused` for the house and the last administrator. Locks the administrators."""
    if account.name == HOUSE:
        raise Refused(_("The account of the house bots cannot be deleted."))
    able = (User.is_admin, User.disabled.is_(None))
    admins = session.scalars(select(User.id).where(*able).order_by(User.id).with_for_update()).all()
    if admins == [account.id]:
        raise Refused(_("You are the only administrator; appoint another one first."))


def _comparisons(arena: Arena, account: Account) -> list[int]:
    """Return the comparisons that the account has started and that are not over."""
    running = Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED))
    mine = (Tournament.created_by_id == account.id, Tournament.format == Comparison.id, running)
    with arena.reading() as session:
        return list(session.scalars(select(Tournament.id).where(*mine).order_by(Tournament.id)))


def _forget(session: Session, account: Account) -> None:
    if account.may_organise:
        audit.note(session, account, "deleted their account", f"member {account.id}")
    disposal.delete_all_by(session, account.id)
    for model in DELETED:
        session.execute(delete_from(model).where(model.user_id == account.id))
    programs = select(LiveSeat.table_id).where(LiveSeat.user_id == account.id, LiveSeat.program)
    session.execute(update(LiveNote).where(LiveNote.table_id.in_(programs)).values(messages=b""))
    used = select(InvitationUse.invitation_id).where(InvitationUse.user_id == account.id)
    session.execute(update(Invitation).where(Invitation.id.in_(used)).values(real_name=""))
    name = neutral_name(account.id)
    nobody = {"name": name, "name_key": name, "password": None, "email": None, "is_admin": False, "is_organiser": False}
    session.execute(update(User).where(User.id == account.id).values(**nobody, deleted=now()))
