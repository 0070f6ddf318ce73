"""Actions of administrators on members: disable, enable, log out, and change their rights."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, User
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.people import audit, keys, notices
from arena.services.people.rows import HOUSE, ROLES, role
from arena.services.people.sessions import end_sessions
from arena.services.tournaments import exits
from arena.services.tournaments.withdrawals import checked_reason
from arena.words import _


def disable(arena: Arena, actor: Account, user_id: int, reason: str) -> None:
    """Disable an account: it can no longer log in, and its bots enter no new tournaments and tables.

    The member reads the reason at log-in. Raises `NotFound`, and `Refused` for the last administrator, for an account
    that is disabled already, and without a reason.
    """
    check_admin(actor)
    stated = checked_reason(reason)
    with arena.transaction() as session:
        user = find(session, user_id)
        if user.disabled is not None:
            raise Conflict(_("%(name)s is already disabled: %(reason)s", name=user.name, reason=user.disabled))
        _check_replaceable(session, user)
        user.disabled = stated
        end_sessions(session, user_id)
        keys.revoke_all(session, user_id)
        exits.drop_deactivated(session, *session.scalars(select(Bot.id).where(Bot.owner_id == user_id)))
        audit.note(session, actor, "disabled a member", f"member {user.name}", stated)


def enable(arena: Arena, actor: Account, user_id: int) -> None:
    """Enable a disabled account, and with it its bots. Raises `NotFound`, and `Refused` if it is not disabled."""
    check_admin(actor)
    with arena.transaction() as session:
        user = find(session, user_id)
        if user.disabled is None:
            raise Refused(_("%(name)s is not disabled.", name=user.name))
        user.disabled = None
        audit.note(session, actor, "enabled a member", f"member {user.name}")


def log_out(arena: Arena, actor: Account, user_id: int) -> None:
    """End all sessions of a member. Raises `NotFound`."""
    check_admin(actor)
    with arena.transaction() as session:
        user = find(session, user_id)
        end_sessions(session, user_id)
        audit.note(session, actor, "ended all sessions", f"member {user.name}")


def set_rights(
    arena: Arena, actor: Account, user_id: int, *, admin: bool | None = None, organiser: bool | None = None
) -> str:
    """Grant or revoke the rights of an administrator or organiser; None leaves a right as it is. Returns the role.

    The member is notified. Raises `NotFound`, and `Refused` for the last administrator.
    """
    check_admin(actor)
    with arena.transaction() as session:
        user = find(session, user_id)
        before = role(user)
        if admin is False:
            _check_replaceable(session, user)
        user.is_admin = user.is_admin if admin is None else admin
        user.is_organiser = user.is_organiser if organiser is None else organiser
        if (after := role(user)) != before:
            audit.note(session, actor, "changed a role", f"member {user.name}", f"{before} to {after}")
            notices.notify(
                session, user_id,
                lambda: _(
                    "%(name)s changed your role from %(before)s to %(after)s.",
                    name=actor.name, before=_(ROLES[before]), after=_(ROLES[after]),
                ),
            )  # fmt: skip
        return after


def find(session: Session, user_id: int) -> User:
    """Return the member with this ID, locked. Raises `NotFound`."""
    user = session.get(User, user_id, with_for_update=True)
    if user is None or user.deleted is not None or user.name_key == HOUSE:
        raise NotFound(_("There is no member %(id)s.", id=user_id))
    return user


def _check_replaceable(session: Session, user: User) -> None:
    """Raise `Refused` if the user is the only administrator who can log in. Locks all administrators."""
    able = select(User.id).where(User.is_admin, User.disabled.is_(None)).order_by(User.id).with_for_update()
    if session.scalars(able).all() == [user.id]:
        raise Refused(_("%(name)s is the only administrator; appoint another one first.", name=user.name))
