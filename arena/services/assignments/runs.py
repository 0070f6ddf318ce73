"""Runs of assignments, called by the sweep: compare uploads with the reference bot, and start finals.

Only the database's clock counts. Each participant has one comparison running at a time and the latest upload goes
first, so a class gets its answers in turns, and an old upload never delays a new one. A comparison is created in the
transaction that notes the attempt, under the lock of the assignment, so no upload is compared twice.
"""

from dataclasses import replace
from typing import Final

import structlog
from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Assignment, AssignmentAttempt, AssignmentEntry, Bot, CurrentRating, Tournament, Version
from arena.games.errors import ArenaError
from arena.games.registry import rules_of
from arena.services.assignments.rows import belongs, find
from arena.services.base.context import Arena
from arena.services.base.pace import in_time
from arena.services.base.repertoire import plays
from arena.services.base.states import TournamentState, VersionState
from arena.services.base.texts import sentences
from arena.services.base.times import database_time
from arena.services.comparisons import actions as comparisons
from arena.services.formats.comparison import CAUTION
from arena.services.formats.costs import cost
from arena.services.formats.field import Entrant, seeded
from arena.services.formats.plans import CHOSEN, from_json
from arena.services.people.audit import note
from arena.services.people.notices import notify
from arena.services.tournaments import stages
from arena.words import N_, _

BATCH: Final = 20
"""Most comparisons that a sweep starts for an assignment."""
MARGIN: Final = 0.1
"""Lead above the required one that comparisons are tuned to find: 5 percentage points of share."""

log: Final = structlog.get_logger()


def run_due(arena: Arena) -> int:
    """Start the comparisons and finals that are due, and return the number of comparisons.

    Safe to call from any number of processes. If much is due, some is left to the next sweep.
    """
    with arena.reading() as session:
        running = select(Assignment.id).where(Assignment.closed.is_(None), Assignment.opens <= now())
        ids = session.scalars(running.order_by(Assignment.id)).all()
    return sum(_run(arena, assignment_id) for assignment_id in in_time(ids))


def _run(arena: Arena, assignment_id: int) -> int:
    try:
        with arena.reading() as session:
            due = _due(session, find(session, assignment_id))
        started = sum(_compare(arena, assignment_id, version) for version in in_time(due[:BATCH]))
        if not due:
            _finish(arena, assignment_id)
    except Exception:  # an internal error with one assignment must not block the others
        log.exception("assignment not advanced", assignment=assignment_id)
        return 0
    return started


def _due(session: Session, assignment: Assignment) -> list[int]:
    """Return the versions to compare now: the latest of each participant without a running comparison."""
    latest: dict[int, int] = {}
    for user, version in session.execute(_waiting(assignment).order_by(Version.id.desc())):
        latest.setdefault(user, version)
    busy = session.scalars(
        select(AssignmentAttempt.user_id)
        .join(Tournament, Tournament.id == AssignmentAttempt.tournament_id)
        .where(AssignmentAttempt.assignment_id == assignment.id)
        .where(Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED)))
    ).all()
    return sorted(version for user, version in latest.items() if user not in set(busy))


def _waiting(assignment: Assignment) -> Select[int, int]:
    """Select user and version of all valid uploads that have no attempt."""
    attempted = exists().where(
        AssignmentAttempt.assignment_id == assignment.id, AssignmentAttempt.version_id == Version.id
    )
    return _entered(assignment, VersionState.VALID).where(~attempted)


def _entered(assignment: Assignment, state: VersionState) -> Select[int, int]:
    """Select user and version of all timely uploads in this state, without those of former members of the group."""
    return (
        select(AssignmentEntry.user_id, Version.id)
        .join(Version, (Version.bot_id == AssignmentEntry.bot_id) & (Version.number >= AssignmentEntry.first))
        .where(AssignmentEntry.assignment_id == assignment.id, Version.state == state)
        .where(Version.created <= assignment.deadline, belongs(assignment, AssignmentEntry.user_id))
    )


def _compare(arena: Arena, assignment_id: int, version_id: int) -> bool:
    """Start the comparison of a version, unless another process has. Returns whether it was started.

    If it cannot start now, for example because the queue is full, the next sweep tries again.
    """
    try:
        with arena.transaction() as session:
            assignment = find(session, assignment_id, lock=True)
            due = session.execute(_waiting(assignment).where(Version.id == version_id)).first()
            return due is not None and _attempt(session, assignment, due[0], session.get_one(Version, version_id))
    except ArenaError as refusal:
        log.warning("comparison not started", assignment=assignment_id, version=version_id, reason=str(refusal))
        return False


def _attempt(session: Session, assignment: Assignment, user_id: int, version: Version) -> bool:
    attempt = AssignmentAttempt(assignment_id=assignment.id, version_id=version.id, user_id=user_id)
    rules = rules_of(assignment.variant)
    if not plays(version.games, rules.id):
        attempt.problem = N_("It does not play this game.")
    elif version.id in (assignment.reference_id, *assignment.company):
        attempt.problem = N_("It is one of the bots that every participant meets.")
    else:
        attempt.tournament_id = comparisons.start(
            session, assignment.variant, assignment.reference, version, assignment.company, user_id, _shape(assignment)
        )
    session.add(attempt)
    return attempt.tournament_id is not None


def _shape(assignment: Assignment) -> dict[str, float]:
    """Return the numbers of the sequential test."""
    return {
        "delta": MARGIN,
        "most": assignment.tables,
        "target": 2 * assignment.share - 1,
        "risk": (1 - assignment.confidence) * CAUTION,
    }


def _finish(arena: Arena, assignment_id: int) -> None:
    """Start the final of an assignment whose uploads are all validated, and close it, once the deadline has passed."""
    with arena.reading() as session:
        assignment = find(session, assignment_id)
        if not _over(session, assignment):
            return
        if assignment.plan:  # search for the tables before the assignment is locked; the result is cached
            cost(from_json(assignment.plan), len(_finalists(session, assignment)))
    with arena.transaction() as session:
        assignment = find(session, assignment_id, lock=True)
        if assignment.closed is not None or not _over(session, assignment):
            return
        if assignment.plan and assignment.final_id is None:
            _start_final(session, assignment)
        waiting = session.execute(_waiting(assignment).limit(1)).first()
        if waiting is None:
            assignment.closed = database_time(session).timestamp()


def _over(session: Session, assignment: Assignment) -> bool:
    """Return whether the deadline has passed and no upload waits for its validation."""
    if database_time(session).timestamp() <= assignment.deadline:
        return False
    return session.execute(_entered(assignment, VersionState.PENDING).limit(1)).first() is None


def _start_final(session: Session, assignment: Assignment) -> None:
    try:
        finalists = _finalists(session, assignment)
        chosen = [one.bot for one in finalists]
        plan = replace(from_json(assignment.plan or {}), entry_rule=CHOSEN, chosen=chosen)
        with session.begin_nested():
            made = stages.start(session, plan, [one.version for one in finalists], assignment.created_by_id)
    except ArenaError as refusal:
        assignment.problem = str(refusal)
        _tell_problem(session, assignment, str(refusal))
        return
    assignment.final_id, assignment.problem = made, None
    note(session, None, "started the final of an assignment", f"assignment {assignment.id}", f"tournament {made}")


def _tell_problem(session: Session, assignment: Assignment, problem: str) -> None:
    notify(
        session, assignment.created_by_id,
        lambda: sentences(
            _("The final of %(assignment)s could not be started.", assignment=assignment.name), problem
        ),
    )  # fmt: skip


def _finalists(session: Session, assignment: Assignment) -> list[Entrant]:
    """Return the versions that count, of bots that are active and play the game, in order of seeding."""
    game = rules_of(assignment.variant).id
    rating = (CurrentRating.version_id == Version.id) & (CurrentRating.variant == assignment.variant)
    found = session.execute(
        _entered(assignment, VersionState.VALID)
        .add_columns(Bot.id, Version.games, CurrentRating.mu, CurrentRating.sigma)
        .join(Bot, Bot.id == Version.bot_id)
        .outerjoin(CurrentRating, rating)
        .where(Bot.active)
        .order_by(Version.number)
    )
    counting = {
        user: Entrant(bot, user, version, None if mu is None else mu - 3 * sigma)
        for user, version, bot, games, mu, sigma in found
        if plays(games, game)
    }
    return seeded(counting.values())
