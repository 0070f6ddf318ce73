"""Pages of assignments: the list, an assignment with its results, and what a new one can choose from."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Assignment, Bot, Group, GroupMember, Tournament, Version
from arena.services.assignments.progress import Progress
from arena.services.assignments.rows import check_visible, find, students, takes_part
from arena.services.assignments.terms import Challenge, terms_of
from arena.services.assignments.views import AssignmentPage, AssignmentRow, Student
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.times import database_time, moment
from arena.services.base.views import view_of
from arena.words import N_


def assignments(arena: Arena, account: Account) -> list[AssignmentRow]:
    """Return the assignments that an account may see, the latest deadline first."""
    groups = select(GroupMember.group_id).where(GroupMember.user_id == account.id)
    mine = () if account.may_organise else (or_(Assignment.group_id.is_(None), Assignment.group_id.in_(groups)),)
    with arena.reading() as session:
        found = session.scalars(
            select(Assignment)
            .where(*mine)
            .order_by(Assignment.deadline.desc(), Assignment.id.desc())
            .options(joinedload(Assignment.group))
        )
        return [_row(one, database_time(session)) for one in found]


def assignment_page(arena: Arena, assignment_id: int, account: Account) -> AssignmentPage:
    """Return the page of an assignment, as far as the account may see it. Raises `NotFound`."""
    with arena.reading() as session:
        assignment = find(session, assignment_id)
        check_visible(session, assignment, account)
        everyone = students(session, assignment, private=None if account.may_organise else [account.id])
        row = _row(assignment, database_time(session))
        final = None if assignment.final_id is None else session.get(Tournament, assignment.final_id)
        return view_of(
            AssignmentPage,
            assignment,
            row=row,
            challenge=challenge_of(assignment),
            terms=terms_of(assignment),
            reference=assignment.reference.bot.name,
            reference_bot_id=assignment.reference.bot_id,
            reference_number=assignment.reference.number,
            created_by=assignment.created_by.name,
            final_state=final.state if final else None,
            students=tuple(everyone) if account.may_organise or assignment.public else (),
            distribution=_distribution(everyone),
            me=next((one for one in everyone if one.user_id == account.id), None),
            bots=_bots(session, assignment, account) if row.phase == "open" else (),
        )


def challenge_of(assignment: Assignment) -> Challenge:
    """Return the challenge of an assignment."""
    return view_of(Challenge, assignment)


def groups(arena: Arena) -> list[tuple[int, str]]:
    """Return ID and name of all groups, by name."""
    with arena.reading() as session:
        return [(row.id, row.name) for row in session.execute(select(Group.id, Group.name).order_by(Group.name_key))]


def references(arena: Arena) -> list[tuple[int, str]]:
    """Return ID and name of the active versions of all active bots, the oldest bot first."""
    with arena.reading() as session:
        active = select(Version.id, Bot.name, Version.number).join(Bot, Bot.active_version_id == Version.id)
        found = session.execute(active.where(Bot.active).order_by(Bot.id))
        return [(id, f"{name} v{number}") for id, name, number in found]


def sorted_by(found: Collection[Student], key: str) -> Sequence[Student]:
    """Return participants by ``name`` (the default), ``points`` or ``state``."""
    order = list(Progress)
    by_name = sorted(found, key=lambda one: ((one.real_name or one.name).lower(), one.user_id))
    if key == "points":
        return sorted(by_name, key=lambda one: -one.award.total)
    return sorted(by_name, key=lambda one: order.index(Progress(one.progress))) if key == "state" else by_name


def _distribution(everyone: Collection[Student]) -> Mapping[str, int]:
    counted = Counter(one.progress for one in everyone)
    return {state: counted[state] for state in Progress if counted[state]}


def _bots(session: Session, assignment: Assignment, account: Account) -> tuple[tuple[int, str], ...]:
    if not takes_part(session, assignment, account.id):
        return ()
    mine = session.execute(select(Bot.id, Bot.name).where(Bot.owner_id == account.id).order_by(Bot.name_key))
    return tuple((row.id, row.name) for row in mine)


def _row(assignment: Assignment, current: datetime) -> AssignmentRow:
    opens, deadline = moment(assignment.opens), moment(assignment.deadline)
    phase = N_("planned") if current < opens else N_("open") if current <= deadline else N_("over")
    return view_of(AssignmentRow, assignment, group=assignment.group.name if assignment.group else None, phase=phase)
