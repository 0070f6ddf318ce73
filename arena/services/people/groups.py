"""Groups of members, such as classes: organisers make them, and only organisers see their members' real names."""

import unicodedata
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import delete as delete_rows
from sqlalchemy import func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Assignment, Group, GroupMember, Invitation, LiveSet, User
from arena.db.upsert import insert_missing
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.names import check_title, key
from arena.services.base.times import moment
from arena.services.base.views import Time, View
from arena.services.people import audit
from arena.services.people.notices import notify
from arena.words import N_, _


@dataclass(frozen=True)
class GroupMemberRow:
    """A member of a group, as organisers see it."""

    user_id: int
    name: str
    real_name: str = field(repr=False)
    """Empty if unknown."""
    joined: datetime


class OwnGroup(View, frozen=True):
    """A group that the account is in."""

    id: int
    name: str
    joined: Time


def members(session: Session, group_id: int) -> list[GroupMemberRow]:
    """Return the members of a group by real name, then by account name. Show real names only to organisers."""
    named = select(GroupMember, User.name).join(User, User.id == GroupMember.user_id)
    found = session.execute(named.where(GroupMember.group_id == group_id))
    rows = [GroupMemberRow(row.user_id, name, row.real_name, moment(row.joined)) for row, name in found]
    return sorted(rows, key=lambda row: (row.real_name.casefold(), row.name.lower()))


def locked(session: Session, group_id: int) -> Group:
    """Return a group, locked until the transaction ends. Raises `NotFound`.

    Lock a group before its invitations, so that no two transactions wait for each other.
    """
    group = session.scalar(select(Group).where(Group.id == group_id).with_for_update())
    if group is None:
        raise NotFound(_("There is no group %(id)s.", id=group_id))
    return group


def create(arena: Arena, account: Account, name: str) -> int:
    """Create an empty group, and return its ID. Raises `Refused`."""
    check_organiser(account)
    title = check_title(name, N_("name of the group"))
    try:
        with arena.transaction() as session:
            group = Group(name=title, name_key=key(title))
            session.add(group)
            session.flush()
            audit.note(session, account, "created a group", f"group {title}")
            return group.id
    except IntegrityError:
        raise _taken(title) from None


def rename(arena: Arena, account: Account, group_id: int, name: str) -> None:
    """Rename a group. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    title = check_title(name, N_("name of the group"))
    try:
        with arena.transaction() as session:
            group = locked(session, group_id)
            audit.note(session, account, "renamed a group", f"group {group.name}", title)
            group.name, group.name_key = title, key(title)
    except IntegrityError:
        raise _taken(title) from None


def delete(arena: Arena, account: Account, group_id: int) -> None:
    """Delete a group and revoke its invitations. Its members keep their accounts. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        group = locked(session, group_id)
        _check_unassigned(session, group)
        revoked = func.coalesce(Invitation.revoked, now())
        theirs = update(Invitation).where(Invitation.group_id == group_id)
        session.execute(theirs.values(group_id=None, real_name="", revoked=revoked))
        session.execute(delete_rows(GroupMember).where(GroupMember.group_id == group_id))
        audit.note(session, account, "deleted a group", f"group {group.name}")
        session.delete(group)


def _check_unassigned(session: Session, group: Group) -> None:
    """Raise `Refused` if there is an assignment or a set of deals for the group, whose results need its members."""
    name = session.scalar(select(Assignment.name).where(Assignment.group_id == group.id).limit(1))
    if name is not None:
        raise Conflict(_("Cannot delete: the assignment %(name)s is for this group.", name=name))
    if session.scalar(select(LiveSet.id).where(LiveSet.group_id == group.id).limit(1)) is not None:
        raise Conflict(_("Cannot delete: a set of deals is for this group."))


def set_real_name(arena: Arena, account: Account, group_id: int, user_id: int, real_name: str) -> None:
    """Change the real name of a member; an empty one means unknown. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    checked = check_real_name(real_name) if real_name.strip() else ""
    with arena.transaction() as session:
        group = locked(session, group_id)
        member = _member(session, group, user_id)
        member.real_name = checked
        audit.note(session, account, "changed a real name", f"group {group.name}", _name(session, user_id))


def remove(arena: Arena, account: Account, group_id: int, user_id: int) -> None:
    """Remove a member from a group; the account stays. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        group = locked(session, group_id)
        session.delete(_member(session, group, user_id))
        audit.note(session, account, "removed a member from a group", f"group {group.name}", _name(session, user_id))


def leave(arena: Arena, account: Account, group_id: int) -> None:
    """Leave a group; its teachers are notified. Raises `NotFound`, alike for other groups and for unknown ones."""
    own_group(arena, account, group_id)
    with arena.transaction() as session:
        group = locked(session, group_id)
        session.delete(_member(session, group, account.id))
        for teacher in _teachers(session, group_id):
            if teacher != account.id:
                notify(
                    session,
                    teacher,
                    lambda: _("%(name)s left the group %(group)s.", name=account.name, group=group.name),
                )
        audit.note(session, account, "left a group", f"group {group.name}")


def _teachers(session: Session, group_id: int) -> list[int]:
    """Return the organisers who made invitations or assignments for a group; all organisers if none of them did."""
    able = select(User.id).where(or_(User.is_admin, User.is_organiser), User.disabled.is_(None)).order_by(User.id)
    made = [select(one.created_by_id).where(one.group_id == group_id) for one in (Assignment, Invitation)]
    theirs = session.scalars(able.where(or_(*(User.id.in_(ids) for ids in made)))).all()
    return list(theirs or session.scalars(able))


def put(session: Session, group_id: int, user_id: int, real_name: str = "") -> None:
    """Make a user a member of a group if necessary. A real name replaces an earlier one; an empty one keeps it."""
    insert_missing(session, GroupMember, {"group_id": group_id, "user_id": user_id})
    if real_name:
        theirs = (GroupMember.group_id == group_id, GroupMember.user_id == user_id)
        session.execute(update(GroupMember).where(*theirs).values(real_name=real_name))


def is_member(session: Session, group_id: int, user_id: int) -> bool:
    """Return whether a user is a member of a group."""
    return session.get(GroupMember, (group_id, user_id)) is not None


def groups_of(arena: Arena, account: Account) -> list[OwnGroup]:
    """Return the groups that an account is in, by name."""
    theirs = select(Group, GroupMember.joined).join(GroupMember, GroupMember.group_id == Group.id)
    with arena.reading() as session:
        found = session.execute(theirs.where(GroupMember.user_id == account.id).order_by(Group.name_key))
        return [OwnGroup(group.id, group.name, moment(joined)) for group, joined in found]


def own_group(arena: Arena, account: Account, group_id: int) -> OwnGroup:
    """Return a group that the account is in. Raises `NotFound`, alike for other groups and for unknown ones."""
    for one in groups_of(arena, account):
        if one.id == group_id:
            return one
    raise NotFound(_("You are not in a group %(id)s.", id=group_id))


def check_real_name(real_name: str) -> str:
    """Return a real name, normalised so that equal names compare equal. Raises `Refused` if it is not one line."""
    return check_title(unicodedata.normalize("NFC", " ".join(real_name.split())), N_("real name"))


def _member(session: Session, group: Group, user_id: int) -> GroupMember:
    member = session.get(GroupMember, (group.id, user_id))
    if member is None:
        raise NotFound(_("There is no such member of %(group)s.", group=group.name))
    return member


def _name(session: Session, user_id: int) -> str:
    return session.scalars(select(User.name).where(User.id == user_id)).one()


def _taken(name: str) -> Refused:
    return Refused(_("There is already a group %(name)s; please choose another name.", name=name))
