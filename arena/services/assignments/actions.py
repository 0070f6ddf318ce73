"""Actions on assignments: create, change and delete them as an organiser, and enter a bot as a participant."""

from typing import Final

from sqlalchemy import delete as delete_from
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from arena.db.models import Assignment, AssignmentAttempt, AssignmentEntry, Bot, Group, User, Version
from arena.games.divisions import CAGED
from arena.games.errors import Conflict, NotFound, Refused
from arena.games.registry import rules_of
from arena.services.assignments.rows import check_visible, find, takes_part
from arena.services.assignments.terms import Challenge, Terms, check_challenge, columns
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.repertoire import full_name, plays
from arena.services.base.times import database_time, moment
from arena.services.comparisons.actions import able_version
from arena.services.formats.field import eligible
from arena.services.people.audit import note
from arena.services.people.rows import HOUSE
from arena.words import _, ngettext

_STAFF: Final = (User.is_admin, User.is_organiser)


def create(arena: Arena, account: Account, challenge: Challenge, terms: Terms) -> int:
    """Create an assignment, and return its ID. Raises `Refused`, `NotFound` and `OptionError`."""
    check_organiser(account)
    check_challenge(challenge)
    values = columns(terms, challenge.variant)
    with arena.transaction() as session:
        reference = able_version(session, challenge.variant, challenge.reference_id)
        if challenge.group_id is not None and session.get(Group, challenge.group_id) is None:
            raise NotFound(_("There is no group %(id)s.", id=challenge.group_id))
        company = _company(session, challenge.variant, reference)
        made = Assignment(**vars(challenge), **values, company=company, created_by_id=account.id)
        session.add(made)
        session.flush()
        note(session, account, "created an assignment", f"assignment {made.id}", _summary(made))
        return made.id


def change(arena: Arena, account: Account, assignment_id: int, terms: Terms) -> None:
    """Change the terms of an assignment, such as its deadline; a final that could not start is tried again.

    Raises `NotFound`, `Refused` and `OptionError`.
    """
    check_organiser(account)
    with arena.transaction() as session:
        assignment = find(session, assignment_id, lock=True)
        values = columns(terms, assignment.variant)
        if assignment.final_id is not None:
            _check_after_final(assignment, terms)
            values["plan"] = assignment.plan
        for name, value in values.items():
            setattr(assignment, name, value)
        assignment.problem = assignment.closed = None
        note(session, account, "changed an assignment", f"assignment {assignment_id}", _summary(assignment))


def delete(arena: Arena, account: Account, assignment_id: int) -> None:
    """Delete an assignment for which nothing has been played. Raises `NotFound` and `Refused`."""
    check_organiser(account)
    with arena.transaction() as session:
        assignment = find(session, assignment_id, lock=True)
        here = AssignmentAttempt.assignment_id == assignment_id
        if assignment.final_id is not None or session.scalar(select(AssignmentAttempt.version_id).where(here).limit(1)):
            raise Conflict(
                _("Cannot delete: comparisons of this assignment have been played, and its results would go.")
            )
        session.execute(delete_from(AssignmentEntry).where(AssignmentEntry.assignment_id == assignment_id))
        session.delete(assignment)
        note(session, account, "deleted an assignment", f"assignment {assignment_id}", assignment.name)


def enter(arena: Arena, account: Account, assignment_id: int, bot_id: int) -> None:
    """Enter one of the account's bots: its active version and all later ones take part. Replaces an earlier entry.

    Raises `NotFound` and `Refused`.
    """
    with arena.transaction() as session:
        assignment = find(session, assignment_id, lock=True)
        check_visible(session, assignment, account)
        _check_open(session, assignment, account)
        bot = _own_bot(session, account, bot_id)
        entry = session.get(AssignmentEntry, (assignment_id, account.id))
        if entry is None:
            entry = AssignmentEntry(assignment_id=assignment_id, user_id=account.id, bot_id=bot_id, first=0)
            session.add(entry)
        elif entry.bot_id == bot_id:
            return
        entry.bot_id, entry.first = bot_id, _first(session, assignment, bot)
        entry.entered = database_time(session).timestamp()


def _check_open(session: Session, assignment: Assignment, account: Account) -> None:
    current = database_time(session).timestamp()
    if not takes_part(session, assignment, account.id):
        raise Refused(_("This assignment is for the members of its group, and you are not one of them."))
    if current < assignment.opens:
        raise Refused(_("This assignment has not opened yet."))
    if current > assignment.deadline:
        raise Refused(_("The deadline of this assignment has passed."))


def _own_bot(session: Session, account: Account, bot_id: int) -> Bot:
    bot = session.get(Bot, bot_id)
    if bot is None or bot.owner_id != account.id:
        raise Refused(_("Choose one of your own bots."))
    if bot.division != CAGED:
        raise Refused(_("%(name)s runs outside the arena. Choose a bot that you have uploaded.", name=bot.name))
    return bot


def _first(session: Session, assignment: Assignment, bot: Bot) -> int:
    """Return the number of the first version that takes part. Raises `Refused` if it does not play the game."""
    if bot.active_version_id is None:
        return 1
    version = session.get_one(Version, bot.active_version_id)
    rules = rules_of(assignment.variant)
    if not plays(version.games, rules.id):
        raise Refused(
            _("%(name)s does not play %(game)s. Choose a bot that does.", name=bot.name, game=full_name(rules))
        )
    return version.number


def _company(session: Session, variant: str, reference: Version) -> list[int]:
    """Return versions for the other places of a table: of house bots, oldest first, then of organisers' bots.

    The oldest house bots are the quickest. Raises `Refused` if there are too few.
    """
    needed = max(0, len(rules_of(variant).teams) - 2)
    found = session.execute(select(User.id, User.name_key).where(or_(User.name_key == HOUSE, *_STAFF)))
    staff = {row.id: row.name_key for row in found}
    able = [one for one in eligible(session, variant) if one.owner in staff and one.bot != reference.bot_id]
    if len(able) < needed:
        raise Refused(
            ngettext(
                "A table of this variant needs %(num)s other bot of the house or of organisers; %(able)s play it.",
                "A table of this variant needs %(num)s other bots of the house or of organisers; %(able)s play it.",
                needed,
                able=len(able),
            )
        )
    return [one.version for one in sorted(able, key=lambda one: staff[one.owner] != HOUSE)[:needed]]


def _check_after_final(assignment: Assignment, terms: Terms) -> None:
    if (assignment.opens, assignment.deadline) != (terms.opens, terms.deadline):
        raise Conflict(_("The final tournament has started with the bots of the old deadline, so the times are fixed."))


def _summary(assignment: Assignment) -> str:
    opens, deadline = (f"{moment(time):%Y-%m-%d %H:%M}" for time in (assignment.opens, assignment.deadline))
    points = assignment.points
    places = ", ".join(f"{one:g}" for one in points["places"]) or "none"
    return (
        f"{assignment.name}, {opens} to {deadline} UTC; points for a valid bot: {points['valid']:g}, "
        f"for beating the reference: {points['beaten']:g}, for places: {places}"
    )
