"""Integrity of assignments: their settings, the comparisons of uploads, and the entries of finals."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Assignment, AssignmentAttempt, AssignmentEntry, Bot, Entry, Tournament, Version
from arena.services.assignments.pages import challenge_of
from arena.services.assignments.terms import check_challenge, columns, terms_of
from arena.services.formats.comparison import Comparison
from arena.services.integrity.findings import Wrong, check_rows


def assignment(session: Session, assignment_id: int) -> Iterator[Wrong]:
    """Check an assignment. Raises `Refused` and `OptionError` if its settings are invalid."""
    row = session.get_one(Assignment, assignment_id)
    check_challenge(challenge_of(row))
    columns(terms_of(row), row.variant)
    yield from _owners(session, row)
    yield from _comparisons(session, row)
    yield from _final(session, row)


def _owners(session: Session, row: Assignment) -> Iterator[Wrong]:
    """Check that participants entered bots of their own."""
    strange = (
        select(AssignmentEntry.user_id, AssignmentEntry.bot_id)
        .join(Bot, Bot.id == AssignmentEntry.bot_id)
        .where(AssignmentEntry.assignment_id == row.id, Bot.owner_id != AssignmentEntry.user_id)
    )
    for user, bot in session.execute(strange):
        yield Wrong(f"user {user} takes part with bot {bot} of another user")


def _comparisons(session: Session, row: Assignment) -> Iterator[Wrong]:
    """Check that each attempt has a reason or is a comparison of its version with the reference bot."""
    attempts = (
        select(AssignmentAttempt, Tournament)
        .outerjoin(Tournament, Tournament.id == AssignmentAttempt.tournament_id)
        .where(AssignmentAttempt.assignment_id == row.id)
        .order_by(AssignmentAttempt.version_id)
    )
    for attempt, tournament in session.execute(attempts):
        if (tournament is None) == (attempt.problem is None):
            yield Wrong(f"the attempt of version {attempt.version_id} must have either a comparison or a problem")
        elif tournament is not None and not _fits(row, attempt, tournament):
            what = f"tournament {tournament.id} is not a comparison of version {attempt.version_id} with the reference"
            yield Wrong(what)


def _fits(row: Assignment, attempt: AssignmentAttempt, tournament: Tournament) -> bool:
    compared = tournament.shape.get("a"), tournament.shape.get("b")
    return tournament.format == Comparison.id and compared == (row.reference_id, attempt.version_id)


def _final(session: Session, row: Assignment) -> Iterator[Wrong]:
    """Check that only timely uploads of participants are in the final."""
    entered = select(AssignmentEntry.bot_id).where(AssignmentEntry.assignment_id == row.id)
    strange = (
        select(Version.id)
        .join(Entry, Entry.version_id == Version.id)
        .where(Entry.tournament_id == row.final_id)
        .where((Version.created > row.deadline) | Version.bot_id.not_in(entered))
    )
    for version in session.scalars(strange.order_by(Version.id)):
        yield Wrong(f"version {version} is in the final, but was late or is of no participant")


CHECKS = (check_rows("assignment", Assignment, assignment),)
