"""Reminders of assignments that end within a day: an event and a notice for each participant, once per deadline."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Assignment
from arena.services.assignments.rows import find, participants, takes_part
from arena.services.base.context import Arena
from arena.services.base.times import moment, written
from arena.services.events import log
from arena.services.events.kinds import EventKind, sentence
from arena.services.people.notices import NoticeKind, notify

AHEAD: Final = 86400.0
"""Seconds before the deadline from which participants are reminded."""


def remind(arena: Arena) -> int:
    """Remind the participants of assignments that end within a day. Returns the number of assignments."""
    soon = (Assignment.deadline > now(), Assignment.deadline <= now() + AHEAD)
    new = Assignment.reminded.is_distinct_from(Assignment.deadline)
    due = select(Assignment.id).where(Assignment.closed.is_(None), Assignment.opens <= now(), *soon, new)
    with arena.reading() as session:
        ids = session.scalars(due.order_by(Assignment.id)).all()
    for assignment_id in ids:
        with arena.transaction() as session:
            _remind(session, find(session, assignment_id, lock=True))
    return len(ids)


def _remind(session: Session, assignment: Assignment) -> None:
    if assignment.reminded == assignment.deadline:  # another process was faster
        return
    assignment.reminded = assignment.deadline
    data = {"assignment": assignment.name, "deadline": written(moment(assignment.deadline))}
    for one in participants(session, assignment):
        if not takes_part(session, assignment, one.user_id):  # left the group
            continue
        log.note(session, EventKind.ASSIGNMENT_DUE, one.user_id, **data, id=assignment.id)
        notify(session, one.user_id, lambda: sentence(EventKind.ASSIGNMENT_DUE, data), kind=NoticeKind.ASSIGNMENT)
