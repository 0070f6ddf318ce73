"""Reminders of assignments."""

from sqlalchemy import select, update

from arena.db.clock import now
from arena.db.models import Assignment, Event, GroupMember, Version
from arena.services.assignments import actions, reminders
from arena.services.assignments.terms import Challenge, Terms
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import groups, notices
from tests import factories


def test_participants_are_reminded_once_per_deadline(arena: Arena, author: Account, admin: Account) -> None:
    """A day before the deadline each participant gets an event and a notice; once more if the deadline moves."""
    version = factories.bot(arena, admin, "Reference")
    group = groups.create(arena, admin, "Class")
    with arena.transaction() as session:
        session.add(GroupMember(group_id=group, user_id=author.id))
    task = Challenge("suitability-2", version, group)
    made = actions.create(arena, admin, task, Terms("Homework", 0, 1e10))
    assert reminders.remind(arena) == 0

    for reminded, hours in ((1, 20), (0, 0), (1, 10)):
        if hours:
            with arena.transaction() as session:
                session.execute(update(Assignment).values(deadline=now() + 3600 * hours))
        assert reminders.remind(arena) == reminded
    with arena.transaction() as session:
        reminders._remind(session, session.get_one(Assignment, made))
        assert len(session.scalars(select(Event).where(Event.kind == "assignment.due")).all()) == 2
    assert [row.text.startswith("Homework ends on ") for row in notices.latest(arena, author)] == [True, True]


def test_former_members_are_not_reminded(arena: Arena, author: Account, admin: Account) -> None:
    """A bot that was entered before its owner left the group does not count as taking part."""
    version = factories.bot(arena, admin, "Reference")
    mine = factories.bot(arena, author, "mine")
    group = groups.create(arena, admin, "Class")
    with arena.transaction() as session:
        session.add(GroupMember(group_id=group, user_id=author.id))
        bot = session.get_one(Version, mine).bot_id
    made = actions.create(arena, admin, Challenge("suitability-2", version, group), Terms("Homework", 0, 1e10))
    actions.enter(arena, author, made, bot)
    groups.leave(arena, author, group)
    with arena.transaction() as session:
        session.execute(update(Assignment).values(deadline=now() + 3600))

    assert reminders.remind(arena) == 1
    assert notices.latest(arena, author) == []
