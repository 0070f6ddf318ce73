"""Rows of assignments: look-up, and who takes part with which uploads and results."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, exists, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session, joinedload

from arena.db.models import Assignment, AssignmentAttempt, AssignmentEntry, Bot, GroupMember, Tournament, User, Version
from arena.games.errors import NotFound
from arena.services.assignments.points import Award, from_json
from arena.services.assignments.progress import Progress, counting, progress
from arena.services.assignments.views import FinalPlace, Result, Student, Upload
from arena.services.base.access import Account
from arena.services.base.states import OVER, TournamentState
from arena.services.base.times import moment
from arena.services.tournaments.standings import standings
from arena.words import _


class Participant(NamedTuple):
    """A member who may take part, and the bot that counts."""

    user_id: int
    name: str
    real_name: str
    bot_id: int | None
    bot: str | None
    first: int
    """Number of the bot's first version that takes part."""


def find(session: Session, assignment_id: int, lock: bool = False) -> Assignment:
    """Return the assignment, and lock its row if `lock`. Raises `NotFound`."""
    found = session.get(Assignment, assignment_id, with_for_update=lock or None, populate_existing=lock)
    if found is None:
        raise NotFound(_("There is no assignment %(id)s.", id=assignment_id))
    return found


def takes_part(session: Session, assignment: Assignment, user_id: int) -> bool:
    """Return whether the assignment is for this member."""
    if assignment.group_id is None:
        return True
    return session.get(GroupMember, (assignment.group_id, user_id)) is not None


def belongs(assignment: Assignment, user_id: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    """Like `takes_part`, as a condition of a query."""
    if assignment.group_id is None:
        return true()
    return exists().where(GroupMember.group_id == assignment.group_id, GroupMember.user_id == user_id)


def check_visible(session: Session, assignment: Assignment, account: Account) -> None:
    """Raise `NotFound` unless the account takes part or is an organiser."""
    if not account.may_organise and not takes_part(session, assignment, account.id):
        raise NotFound(_("There is no assignment %(id)s.", id=assignment.id))


def participants(session: Session, assignment: Assignment) -> list[Participant]:
    """Return the members of the group and all who entered a bot, also former members, by name."""
    here = (AssignmentEntry.user_id == User.id) & (AssignmentEntry.assignment_id == assignment.id)
    member = (GroupMember.user_id == User.id) & (GroupMember.group_id == assignment.group_id)
    found = session.execute(
        select(User.id, User.name, GroupMember.real_name, Bot.id, Bot.name, AssignmentEntry.first)
        .outerjoin(AssignmentEntry, here)
        .outerjoin(GroupMember, member)
        .outerjoin(Bot, Bot.id == AssignmentEntry.bot_id)
        .where(AssignmentEntry.bot_id.is_not(None) | GroupMember.user_id.is_not(None))
        .order_by(User.name_key)
    )
    return [
        Participant(user, name, real or "", bot, title, first or 1) for user, name, real, bot, title, first in found
    ]


def students(session: Session, assignment: Assignment, *, private: Collection[int] | None) -> list[Student]:
    """Return the participants with their results.

    Real names and reasons of rejection are kept only for the users in `private`; None keeps those of all.
    """
    people = participants(session, assignment)
    uploads = _uploads(session, assignment, people)
    places = _places(session, assignment)
    made = [_student(assignment, one, uploads.get(one.bot_id or 0, ()), places, private) for one in people]
    return _explained(session, made, private)


def _student(
    assignment: Assignment, one: Participant, uploads: Iterable[Upload], places: Mapping[int, FinalPlace],
    private: Collection[int] | None,
) -> Student:  # fmt: skip
    mine = tuple(upload for upload in uploads if upload.number >= one.first)
    counts = counting(mine)
    place = places.get(counts.version_id) if counts else None
    known = private is None or one.user_id in private
    return Student(
        user_id=one.user_id,
        name=one.name,
        real_name=one.real_name if known else "",
        bot_id=one.bot_id,
        bot=one.bot,
        uploads=mine,
        progress=progress(mine),
        reason=None,
        counts=counts,
        place=place,
        award=_award(assignment, counts, place),
    )


def _award(assignment: Assignment, counts: Upload | None, place: FinalPlace | None) -> Award:
    if counts is None:
        return Award()
    rules = from_json(assignment.points)
    beaten = counts.result is not None and counts.result.decision == "better"
    placed = rules.of_place(place.rank, place.entries) if place and place.settled else 0.0
    return Award(rules.valid, rules.beaten if beaten else 0.0, placed)


def _explained(session: Session, made: list[Student], private: Collection[int] | None) -> list[Student]:
    """Add the reasons of rejected uploads, and of uploads that cannot be compared."""
    known = [one for one in made if private is None or one.user_id in private]
    rejected = [one.latest.version_id for one in known if one.progress == Progress.REJECTED and one.latest]
    found = session.execute(select(Version.id, Version.report).where(Version.id.in_(rejected)))
    reports = {row.id: row.report for row in found}
    return [_with_reason(one, reports) for one in made]


def _with_reason(one: Student, reports: Mapping[int, dict[str, Any] | None]) -> Student:
    latest = one.latest
    reason = None
    if latest and (report := reports.get(latest.version_id)):
        reason = report["message"]
    elif latest and latest.result:
        reason = latest.result.problem
    return Student(**{**vars(one), "reason": reason})


def _uploads(session: Session, assignment: Assignment, people: Iterable[Participant]) -> Mapping[int, list[Upload]]:
    """Return the versions of the participants' bots, in order, by bot."""
    bots = [one.bot_id for one in people if one.bot_id is not None]
    results = _results(session, AssignmentAttempt.assignment_id == assignment.id)
    found = session.execute(
        select(Version.bot_id, Version.id, Version.number, Version.state, Version.created)
        .where(Version.bot_id.in_(bots))
        .order_by(Version.bot_id, Version.number)
    )
    uploads: dict[int, list[Upload]] = defaultdict(list)
    for bot, id, number, state, created in found:
        late = created > assignment.deadline
        upload = Upload(
            version_id=id, number=number, state=state, created=moment(created), late=late, result=results.get(id)
        )
        uploads[bot].append(upload)
    return uploads


def _results(session: Session, *which: ColumnElement[bool]) -> dict[int, Result]:
    """Return the results of attempts that meet these conditions, by version."""
    found = session.scalars(select(AssignmentAttempt).where(*which).options(joinedload(AssignmentAttempt.tournament)))
    return {attempt.version_id: _result(attempt) for attempt in found}


def _result(attempt: AssignmentAttempt) -> Result:
    tournament = attempt.tournament
    if tournament is None:
        return Result(
            tournament_id=None, problem=attempt.problem, running=False, tables=0, decision="undecided", share=None,
            interval=None,
        )  # fmt: skip
    verdict = tournament.verdict or {}
    running = tournament.state in (TournamentState.RUNNING, TournamentState.PAUSED)
    mean, interval = verdict.get("mean"), verdict.get("interval")
    return Result(
        tournament_id=tournament.id,
        problem=None,
        running=running,
        tables=verdict.get("tables", tournament.tables_done),
        decision=verdict.get("decision", "running" if running else "undecided"),
        share=None if mean is None else share_of(mean),
        interval=None if interval is None else (share_of(interval[0]), share_of(interval[1])),
    )


def share_of(lead: float) -> float:
    """Return the share of the points between two bots that a lead of -1 to 1 stands for."""
    return (1 + lead) / 2


def _places(session: Session, assignment: Assignment) -> dict[int, FinalPlace]:
    """Return the places in the final, by version; none before it has started."""
    final = None if assignment.final_id is None else session.get(Tournament, assignment.final_id)
    if final is None:
        return {}
    rows = standings(session, final)
    return {row.version_id: FinalPlace(row.rank, len(rows), final.state in OVER) for row in rows}
