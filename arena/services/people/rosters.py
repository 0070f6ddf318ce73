"""Rosters: the members of a group with their real names, in pages and as CSV, for organisers only."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Group, GroupMember, Invitation, InvitationUse, User, Version
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.names import is_name, key
from arena.services.base.sheets import as_csv, from_csv
from arena.services.base.texts import sentences
from arena.services.base.times import database_time, moment
from arena.services.base.views import Time, View, says
from arena.services.people import audit, groups, invitations
from arena.services.people.groups import GroupMemberRow
from arena.services.people.invitations import InvitationRow, InvitationState
from arena.services.people.rows import HOUSE
from arena.words import _, ngettext, number

MOST_LINES: Final = 1000
MOST_PROBLEMS: Final = 20
"""Maximum number of problems that are listed."""
COLUMNS: Final = {"account": "account", "real_name": "real_name", "real name": "real_name"}
"""Fields of a line by the name of their column, in lower case; other columns are ignored."""
HEAD: Final = ("account", "real_name", "joined", "bots", "latest_upload", "invitation")


class BadRoster(Refused):
    """A roster that cannot be imported, with a sentence for each problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        more = len(problems) - MOST_PROBLEMS
        self.problems = (*problems[:MOST_PROBLEMS], *([_more(more)] if more > 0 else []))
        super().__init__(" ".join(self.problems))


def _more(count: int) -> str:
    return ngettext("%(num)s more line is wrong.", "%(num)s more lines are wrong.", count)


@dataclass(frozen=True)
class Line:
    """A line of a roster. One of its names may be empty."""

    number: int
    """Number of the line in the file, from 1."""
    account: str
    """Name of the account; empty for a person who may not have one yet."""
    real_name: str = field(repr=False)


class Import(View, frozen=True):
    """Numbers of what an import changed."""

    added: Annotated[int, says("Accounts that became members.")]
    renamed: Annotated[int, says("Members whose real name changed.")]
    invited: Annotated[int, says("People who got an invitation link of their own.")]

    def __str__(self) -> str:
        parts = (
            _counted(self.added, "member", "members") + " added",
            _counted(self.renamed, "real name", "real names") + " changed",
            _counted(self.invited, "person", "people") + " invited",
        )
        return ", ".join(parts)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


class GroupRow(View, frozen=True):
    """A group in a list."""

    id: int
    name: str
    members: int
    waiting: Annotated[int, says("Number of people who have not used their own link.")]
    created: Time


@dataclass(frozen=True)
class RosterRow:
    """A member of a group and what they did."""

    member: GroupMemberRow
    bots: int
    latest: datetime | None
    """Time of the latest upload."""


@dataclass(frozen=True)
class Roster:
    """The page of a group."""

    id: int
    name: str
    members: tuple[RosterRow, ...]
    waiting: tuple[InvitationRow, ...]
    """Links of people who have not joined yet, by real name; some may have expired."""
    shared: tuple[InvitationRow, ...]
    """Invitations for anybody, newest first."""


def all_groups(arena: Arena, account: Account) -> list[GroupRow]:
    """Return all groups by name. Raises `Refused`."""
    check_organiser(account)
    members = select(func.count()).where(GroupMember.group_id == Group.id).scalar_subquery()
    used = select(InvitationUse.user_id).where(InvitationUse.invitation_id == Invitation.id).exists()
    waits = (Invitation.group_id == Group.id, Invitation.real_name != "", Invitation.revoked.is_(None), ~used)
    waiting = select(func.count()).where(*waits).scalar_subquery()
    with arena.reading() as session:
        found = session.execute(select(Group, members, waiting).order_by(Group.name_key))
        return [GroupRow(row.id, row.name, count, still, moment(row.created)) for row, count, still in found]


def roster(arena: Arena, account: Account, group_id: int) -> Roster:
    """Return a group with its members and invitations. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.reading() as session:
        group = session.get(Group, group_id)
        if group is None:
            raise NotFound(_("There is no group %(id)s.", id=group_id))
        invited = invitations.rows_of_group(session, group_id)
        return Roster(
            id=group.id,
            name=group.name,
            members=tuple(_with_activity(session, groups.members(session, group_id))),
            waiting=tuple(sorted(filter(_waits, invited), key=lambda row: row.real_name.casefold())),
            shared=tuple(row for row in invited if not row.real_name),
        )


def export(page: Roster, link: Callable[[str], str]) -> str:
    """Return a roster as CSV. `link` makes a link from the token of an invitation that waits for its person."""
    members = [
        (row.member.name, row.member.real_name, _iso(row.member.joined), row.bots, _iso(row.latest), None)
        for row in page.members
    ]
    waiting = [("", row.real_name, None, None, None, link(row.token) if _open(row) else None) for row in page.waiting]
    return as_csv([HEAD, *members, *waiting])


def parse(data: bytes) -> list[Line]:
    """Return the lines of a roster in CSV: columns `account`, `real_name`, or both.

    Raises `BadRoster` with a sentence for each bad line.
    """
    (__, head), *body = from_csv(data) or [(0, [""])]
    columns = [COLUMNS.get(cell.lower()) for cell in head]
    if not any(columns):
        raise BadRoster([_("The first line must name the columns: account, real_name, or both.")])
    if not body or len(body) > MOST_LINES:
        values = {"most": number(MOST_LINES), "number": number(len(body))}
        raise BadRoster([_("A roster has 1 to %(most)s lines after the first; this one has %(number)s.", **values)])
    lines, problems = [], []
    for line, cells in body:
        try:
            lines.append(_line(line, dict(zip(columns, cells, strict=False))))
        except Refused as refusal:
            problems.append(_("Line %(line)s: %(problem)s", line=line, problem=refusal))
    if problems := problems or _repetitions(lines):
        raise BadRoster(problems)
    return lines


def take(arena: Arena, account: Account, group_id: int, lines: Sequence[Line], expires: datetime) -> Import:
    """Make the people of a roster members of a group, all or none.

    A line with the name of an account makes it a member, or changes its real name. A line with a real name alone makes
    an invitation for that person until `expires`, unless the group has a member of that name or a link waits for them.
    Raises `Refused` (`BadRoster` if accounts are unknown) and `NotFound`.
    """
    check_organiser(account)
    with arena.transaction() as session:
        group = groups.locked(session, group_id)
        invitations.check_terms(session, 1, expires)
        ids = _accounts(session, lines)
        added, renamed = _put(
            session, group, {ids[key(line.account)]: line.real_name for line in lines if line.account}
        )
        invited = _invite(session, account, group, [line.real_name for line in lines if not line.account], expires)
        done = Import(added, renamed, invited)
        audit.note(session, account, "imported a roster", f"group {group.name}", str(done))
        return done


def _line(number: int, cells: dict[str | None, str]) -> Line:
    account, real_name = cells.get("account", ""), cells.get("real_name", "")
    if not account and not real_name:
        raise Refused(_("it has neither the name of an account nor a real name."))
    return Line(number, account, groups.check_real_name(real_name) if real_name else "")


def _repetitions(lines: Sequence[Line]) -> list[str]:
    """Return a sentence for each line that means the same person as an earlier one."""
    problems, seen = [], dict[tuple[str, str], int]()
    for line in lines:
        who = ("account", key(line.account)) if line.account else ("person", line.real_name.casefold())
        first = seen.setdefault(who, line.number)
        if first != line.number:
            values = {"line": line.number, "name": line.account or line.real_name, "first": first}
            problem = _("Line %(line)s: %(name)s is already on line %(first)s.", **values)
            remedy = _("If they are two people, add something that tells them apart.")
            problems.append(problem if line.account else sentences(problem, remedy))
    return problems


def _accounts(session: Session, lines: Sequence[Line]) -> dict[str, int]:
    """Return the IDs of the named accounts by name in lower case. Raises `BadRoster` if some do not exist."""
    wanted = {key(line.account) for line in lines if is_name(line.account)}
    found = session.execute(select(User.name_key, User.id).where(User.name_key.in_(wanted), User.name_key != HOUSE))
    ids = {name: user_id for name, user_id in found}  # noqa: C416 -- rows are no pairs for mypy
    problems = [
        _(
            "Line %(line)s: there is no account %(name)s. Leave the account empty to get an invitation link.",
            line=line.number,
            name=line.account,
        )
        for line in lines
        if line.account and key(line.account) not in ids
    ]
    if problems:
        raise BadRoster(problems)
    return ids


def _put(session: Session, group: Group, named: dict[int, str]) -> tuple[int, int]:
    """Make these users, with their real names, members; return the numbers of new members and of changed names."""
    before = {row.user_id: row.real_name for row in groups.members(session, group.id)}
    for user_id, real_name in named.items():
        groups.put(session, group.id, user_id, real_name)
    _withdraw(session, group, set(named.values()))
    changed = [user_id for user_id, name in named.items() if name and before.get(user_id, name) != name]
    return len(named.keys() - before), len(changed)


def _withdraw(session: Session, group: Group, real_names: set[str]) -> None:
    """Revoke the links that wait for these people: they are members, or get new ones."""
    current = database_time(session).timestamp()
    for row in filter(_waits, invitations.rows_of_group(session, group.id)):
        if row.real_name in real_names:
            session.get_one(Invitation, row.id).revoked = current


def _invite(session: Session, account: Account, group: Group, real_names: Sequence[str], expires: datetime) -> int:
    """Make a link for each person who is neither a member nor invited; return the number of links."""
    invited = {row.real_name for row in filter(_open, invitations.rows_of_group(session, group.id))}
    known = invited | {row.real_name for row in groups.members(session, group.id)}
    missing = [name for name in real_names if name not in known]
    _withdraw(session, group, set(missing))
    for name in missing:
        invitations.add(session, account, 1, expires, group.id, name)
    return len(missing)


def _waits(row: InvitationRow) -> bool:
    """Return whether the link is for one person, who has not used it."""
    return bool(row.real_name) and row.state in (InvitationState.OPEN, InvitationState.EXPIRED)


def _open(row: InvitationRow) -> bool:
    return row.state == InvitationState.OPEN


def _with_activity(session: Session, members: Sequence[GroupMemberRow]) -> list[RosterRow]:
    bots, latest = func.count(Bot.id.distinct()), func.max(Version.created)
    query = select(Bot.owner_id, bots, latest).join(Version, Version.bot_id == Bot.id).group_by(Bot.owner_id)
    found = session.execute(query.where(Bot.owner_id.in_([member.user_id for member in members])))
    activity = {owner: (count, moment(time)) for owner, count, time in found}
    return [RosterRow(member, *activity.get(member.user_id, (0, None))) for member in members]


def _iso(time: datetime | None) -> str | None:
    return f"{time:%Y-%m-%d %H:%M}" if time else None
