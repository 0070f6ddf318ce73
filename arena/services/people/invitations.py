"""Invitations: links with which people register and join a group, and who may register at all."""

import secrets
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, joinedload

from arena.db.clock import now
from arena.db.models import Group, Invitation, InvitationUse, User
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena, settings_of
from arena.services.base.dates import long_day
from arena.services.base.texts import sentences
from arena.services.base.times import database_time, moment
from arena.services.base.views import Time, View, view_of
from arena.services.people import audit, groups
from arena.settings import Settings
from arena.words import N_, _, number

MOST_USES: Final = 1000
LONGEST: Final = timedelta(days=366)
"""Longest time for which an invitation is valid."""
ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters of a token: none that look alike on a board."""
PARTS, LENGTH = 3, 4
"""Shape of a token, such as ``k7mp-2xqh-9cta``: 59 random bits, too many to guess over the network."""
SHOWN: Final = 200
"""Maximum number of invitations listed."""
ASK: Final = N_("Ask the person who gave it to you for a new one.")


class InvitationState(StrEnum):
    """Whether an invitation can be used, and if not, why."""

    OPEN = "open"
    USED_UP = "used_up"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True)
class InvitationRow:
    """An invitation, as organisers see it."""

    id: int
    token: str = field(repr=False)
    group_id: int | None
    group: str | None
    """Name of that group."""
    real_name: str = field(repr=False)
    """Name of the only person that it is for; empty if it is for anybody."""
    uses: int
    """Largest number of uses."""
    used: int
    expires: datetime
    created: datetime
    created_by: str
    state: InvitationState


class Guest(View, frozen=True):
    """An account that used an invitation."""

    name: str
    at: Time


@dataclass(frozen=True)
class InvitationPage:
    """An invitation and the accounts that used it, earliest first."""

    row: InvitationRow
    joined: tuple[Guest, ...]


@dataclass(frozen=True)
class Offer:
    """An invitation, as the person sees it who opened its link."""

    token: str = field(repr=False)
    group: str | None
    """Name of the group that its users join, if any."""
    joined: bool
    """Whether the person is in that group already."""


def create(
    arena: Arena, account: Account, uses: int, expires: datetime, group_id: int | None = None, real_name: str = ""
) -> int:
    """Create an invitation and return its ID; one with a real name is for one person. Raises `Refused`, `NotFound`."""
    check_organiser(account)
    name = groups.check_real_name(real_name) if real_name.strip() else ""
    if name and (uses != 1 or group_id is None):
        raise Refused(_("An invitation with a real name is for one use and for a group."))
    with arena.transaction() as session:
        check_terms(session, uses, expires)
        group = None if group_id is None else groups.locked(session, group_id)
        made = add(session, account, uses, expires, group_id, name)
        session.flush()
        into = f"group {group.name}, " if group else ""
        detail = f"{into}{uses} uses until {expires.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        audit.note(session, account, "created an invitation", f"invitation {made.id}", detail)
        return made.id


def add(
    session: Session, account: Account, uses: int, expires: datetime, group_id: int | None, real_name: str = ""
) -> Invitation:
    """Add an invitation; its terms must be checked."""
    made = Invitation(token=_token(), uses=uses, expires=expires.timestamp(), real_name=real_name)
    made.group_id, made.created_by_id = group_id, account.id
    session.add(made)
    return made


def check_terms(session: Session, uses: int, expires: datetime) -> None:
    """Raise `Refused` unless an invitation may have this number of uses and this end."""
    if not 1 <= uses <= MOST_USES:
        raise Refused(
            _("The number of uses must be 1 to %(most)s, not %(uses)s.", most=number(MOST_USES), uses=number(uses))
        )
    current = database_time(session)
    if not current < expires <= current + LONGEST:
        raise Refused(
            _("The end of an invitation must be in the future, and at most %(days)s days ahead.", days=LONGEST.days)
        )


def revoke(arena: Arena, account: Account, invitation_id: int) -> None:
    """Revoke an invitation; members who used it stay. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        row = _one(session, Invitation.id == invitation_id, lock=True)
        if row.revoked is not None:
            raise Conflict(_("The invitation is already revoked."))
        row.revoked = database_time(session).timestamp()
        audit.note(session, account, "revoked an invitation", f"invitation {row.id}")


def is_token(token: str) -> bool:
    """Return whether a token is well-formed."""
    parts = token.split("-")
    return len(parts) == PARTS and all(len(part) == LENGTH and set(part) <= set(ALPHABET) for part in parts)


def last_moment(day: date) -> datetime:
    """Return the end of an invitation that is valid through this day, in UTC."""
    return datetime.combine(day, time.max, UTC)


def check_registration(settings: Settings, invited: bool) -> None:
    """Raise `Refused` if this arena lets nobody register, or only people who are invited."""
    if settings.registration == "closed":
        raise Refused(_("Registration is closed: this arena takes no new members."))
    if settings.registration == "invitation" and not invited:
        raise Refused(_("Registration is by invitation: open the invitation link that you were given."))


def admit(session: Session, token: str | None) -> Invitation | None:
    """Return the invitation with which somebody may register now, locked; None if they need none.

    Pass it to `use` in the same transaction. Raises `Refused` and `NotFound`.
    """
    check_registration(settings_of(session), bool(token))
    return _usable(session, token) if token else None


def use(session: Session, invitation: Invitation | None, user_id: int) -> None:
    """Count a use of the invitation that `admit` returned, and make the user a member of its group."""
    if invitation is None:
        return
    session.add(InvitationUse(invitation_id=invitation.id, user_id=user_id))
    session.flush()
    if invitation.group_id is not None:
        groups.put(session, invitation.group_id, user_id, invitation.real_name)


def join(arena: Arena, account: Account, token: str) -> str:
    """Make a member of the arena a member of the invitation's group, and return its name.

    Nothing changes if they are one already. Raises `Refused` and `NotFound`.
    """
    with arena.transaction() as session:
        row = _locked(session, token)
        if row.group is None:
            _check_usable(session, row)
            raise Refused(_("This invitation is for new members; you already have an account."))
        if not groups.is_member(session, row.group.id, account.id):
            _check_usable(session, row)
            use(session, row, account.id)
        return row.group.name


def offer(arena: Arena, token: str, account: Account | None) -> Offer:
    """Return what the link with this token offers. Raises `Refused` if it cannot be used, and `NotFound`."""
    with arena.reading() as session:
        row = _one(session, Invitation.token == _canonical(token))
        joined = bool(account and row.group_id and groups.is_member(session, row.group_id, account.id))
        if not joined:
            _check_usable(session, row)
        return Offer(row.token, row.group.name if row.group else None, joined)


def invitations(arena: Arena, account: Account) -> list[InvitationRow]:
    """Return the latest invitations for anybody, newest first. Raises `Refused`."""
    check_organiser(account)
    with arena.reading() as session:
        return rows(session, _query().where(Invitation.real_name == "").order_by(Invitation.id.desc()).limit(SHOWN))


def invitation_page(arena: Arena, account: Account, invitation_id: int) -> InvitationPage:
    """Return an invitation and who used it. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.reading() as session:
        found = rows(session, _query().where(Invitation.id == invitation_id))
        if not found:
            raise _missing()
        joined = session.execute(
            select(User.name, InvitationUse.at)
            .join(User, User.id == InvitationUse.user_id)
            .where(InvitationUse.invitation_id == invitation_id)
            .order_by(InvitationUse.at, User.id)
        )
        return InvitationPage(found[0], tuple(Guest(name, moment(at)) for name, at in joined))


def rows_of_group(session: Session, group_id: int) -> list[InvitationRow]:
    """Return the invitations to a group, newest first."""
    return rows(session, _query().where(Invitation.group_id == group_id).order_by(Invitation.id.desc()))


def rows(session: Session, query: Select[Any]) -> list[InvitationRow]:
    """Return the invitations that a query selects, with their number of uses."""
    current = database_time(session).timestamp()
    return [_row(row, used, current) for row, used in session.execute(query)]


def _query() -> Select[Any]:
    used = select(func.count()).where(InvitationUse.invitation_id == Invitation.id).scalar_subquery()
    return select(Invitation, used).options(joinedload(Invitation.group), joinedload(Invitation.created_by))


def _row(row: Invitation, used: int, current: float) -> InvitationRow:
    return view_of(
        InvitationRow,
        row,
        group=row.group.name if row.group else None,
        used=used,
        created_by=row.created_by.name,
        state=_state(row, used, current),
    )


def _state(row: Invitation, used: int, current: float) -> InvitationState:
    if row.revoked is not None:
        return InvitationState.REVOKED
    if row.expires <= current:
        return InvitationState.EXPIRED
    return InvitationState.USED_UP if used >= row.uses else InvitationState.OPEN


def _locked(session: Session, token: str) -> Invitation:
    """Return the invitation with this token, locked together with its group. Raises `NotFound`."""
    group_id = _one(session, Invitation.token == _canonical(token)).group_id
    session.execute(select(Group.id).where(Group.id == group_id).with_for_update())
    return _one(session, Invitation.token == _canonical(token), lock=True)


def _usable(session: Session, token: str) -> Invitation:
    row = _locked(session, token)
    _check_usable(session, row)
    return row


def _check_usable(session: Session, row: Invitation) -> None:
    """Raise `Refused` with the reason if an invitation cannot be used."""
    used = session.scalars(select(func.count()).where(InvitationUse.invitation_id == row.id)).one()
    reasons = {
        InvitationState.REVOKED: _("This invitation was revoked."),
        InvitationState.EXPIRED: _("This invitation ended on %(day)s.", day=long_day(moment(row.expires))),
        InvitationState.USED_UP: _(
            "This invitation was already used, %(used)s of %(uses)s times.", used=number(used), uses=number(row.uses)
        ),
    }
    state = _state(row, used, session.scalars(select(now())).one())
    if state in reasons:
        raise Refused(sentences(reasons[state], _(ASK)))


def _one(session: Session, condition: Any, lock: bool = False) -> Invitation:
    query = select(Invitation).where(condition).execution_options(populate_existing=True)
    row = session.scalar(query.with_for_update() if lock else query)
    if row is None:
        raise _missing()
    return row


def _missing() -> NotFound:
    return NotFound(_("There is no such invitation. Check the link for typing errors."))


def _token() -> str:
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)) for _ in range(PARTS))


def _canonical(token: str) -> str:
    """Return a token as it is stored; an empty one if it cannot be a token."""
    stored = token.strip().lower()
    return stored if is_token(stored) else ""
