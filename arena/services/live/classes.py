"""Sets of deals for a group, such as a class: organisers make them, and see how all members did."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import GroupMember, LiveBoards, LiveSet
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.sheets import as_csv
from arena.services.base.times import database_time, written
from arena.services.live import sets
from arena.services.live.people import Person
from arena.services.live.sets import SetResult, SetRow, SetView
from arena.services.live.tables import Wish
from arena.services.people import groups
from arena.services.people.audit import note
from arena.words import _

USUAL: Final = 5
"""Number of deals, unless the organiser chooses another one."""
MOST: Final = 10
"""Largest number of deals."""


def create(arena: Arena, account: Account, group_id: int, wish: Wish, deals: int, closes: datetime) -> int:
    """Make a set of deals for the members of a group, and return its ID.

    Raises `Refused`, `NotFound` and `OptionError`.
    """
    check_organiser(account)
    if not 1 <= deals <= MOST:
        raise Refused(_("A set has 1 to %(most)s deals, not %(count)s.", most=MOST, count=deals))
    with arena.transaction() as session:
        group = groups.locked(session, group_id)
        _check_future(session, closes)
        made = sets.add(session, wish, deals, group_id=group_id, closes=closes.timestamp())
        detail = f"{deals} of {wish.variant} for {group.name}, until {written(closes)}"
        note(session, account, "made a set of deals", f"set {made.id}", detail)
        return made.id


def close_at(arena: Arena, account: Account, set_id: int, closes: datetime) -> None:
    """Move the deadline of a group's set that is still open. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        found = _find(session, set_id, lock=True)
        if found.closes is not None and found.closes <= database_time(session).timestamp():
            raise Conflict(_("The deadline has passed, and everybody has seen the cards. Set the group other deals."))
        _check_future(session, closes)
        found.closes = closes.timestamp()
        note(session, account, "moved the deadline of a set of deals", f"set {set_id}", f"to {written(closes)}")


def _check_future(session: Session, closes: datetime) -> None:
    if closes <= database_time(session):
        raise Refused(_("The deadline must be in the future."))


def delete(arena: Arena, account: Account, set_id: int) -> None:
    """Delete a group's set of which nobody has begun a deal. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        found = _find(session, set_id, lock=True)
        if session.scalar(select(LiveBoards.id).where(LiveBoards.set_id == set_id).limit(1)):
            raise Conflict(_("Cannot delete: members have begun to play these deals, and their results would go."))
        note(session, account, "deleted a set of deals", f"set {set_id}", f"{found.deals} of {found.variant}")
        session.delete(found)


def sets_for(arena: Arena, account: Account, group_id: int | None = None) -> list[SetView]:
    """Return the sets of groups that an account may see, or those of one group, the latest closing time first."""
    theirs = select(LiveSet).where(LiveSet.group_id.is_not(None))
    if group_id is not None:
        theirs = theirs.where(LiveSet.group_id == group_id)
    if not account.may_organise:
        member = select(GroupMember.group_id).where(GroupMember.user_id == account.id)
        theirs = theirs.where(LiveSet.group_id.in_(member))
    with arena.reading() as session:
        found = session.scalars(theirs.order_by(LiveSet.closes.desc(), LiveSet.id.desc())).all()
        return sets.views(session, Person.member(account), found)


def results(arena: Arena, account: Account, set_id: int) -> SetResult:
    """Return everybody on the deals of a group's set, as organisers see it. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.reading() as session:
        return sets.result_of(session, None, _find(session, set_id), account)


def sheet(arena: Arena, account: Account, set_id: int) -> str:
    """Return these results as CSV, a line for each member. Raises `Refused` and `NotFound`."""
    result = results(arena, account, set_id)
    head = (
        "account",
        "real_name",
        *(f"deal_{number + 1}" for number in range(result.set.deals)),
        "total",
        "field_beaten",
    )
    people = sorted(
        (row for row in result.rows if row.bot is None), key=lambda row: (row.real_name or row.name).lower()
    )
    return as_csv([head, *map(_line, people)])


def _line(row: SetRow) -> Sequence[object]:
    begun = any(one is not None for one in row.points)
    share = None if row.share is None else round(row.share, 4)
    return row.name, row.real_name, *row.points, row.total if begun else None, share


def _find(session: Session, set_id: int, lock: bool = False) -> LiveSet:
    """Return a set of a group, locked if asked. Raises `NotFound`."""
    found = sets.find(session, set_id, lock)
    if found.group_id is None:
        raise NotFound(_("There is no set of deals %(id)s for a group.", id=set_id))
    return found
