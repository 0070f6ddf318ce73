"""Sets of deals, one attempt each: a person's own, those of a day for everybody, and those of a group."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from statistics import fmean
from typing import Annotated, Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, exists, false, or_, select, true
from sqlalchemy.orm import Session, selectinload

from arena.db.clock import now
from arena.db.models import GroupMember, LiveBoards, LiveField, LiveSeat, LiveSet, LiveTable, User, Version
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.times import database_time, moment
from arena.services.base.views import View, says, view_of
from arena.services.live import tables
from arena.services.live.people import GUEST, Person
from arena.services.live.tables import Wish
from arena.services.people import groups
from arena.words import _

OWN: Final = 5
"""Number of deals of a person's own set."""
SHOWN: Final = 100
"""Number of people and bots on a page of results."""
LATEST: Final = 20
"""Number of a person's open and latest sets among which unfinished ones are looked for."""

Played = dict[int | None, LiveTable]
"""A person's tables in a set, by number of the deal."""


class _Who(NamedTuple):
    """A person in the results of a set."""

    user: int | None
    guest: str | None
    name: str
    real_name: str = ""


class SetView(View, frozen=True):
    """A set of deals, as a person has played it."""

    id: Annotated[int | None, says("Null for deals of today that nobody has begun.")]
    variant: str
    deals: Annotated[int, says("Number of deals.")]
    day: Annotated[str | None, says("Date on which everybody may play them; null for other sets.")]
    group_id: Annotated[int | None, says("Group whose members may play them; null for other sets.")]
    group: str | None
    closes: Annotated[datetime | None, says("Time from which nobody plays them; null for a person's own set.")]
    closed: Annotated[bool, says("Whether everything is shown: it has closed, or the person's own set is played.")]
    done: Annotated[int, says("Number of deals that the person has played.")]
    next: Annotated[int | None, says("1-based number of the deal that the person can play now; null for none.")]
    begun: Annotated[bool, says("Whether the person has begun that deal.")]
    points: Annotated[int, says("Points of the person in the finished deals.")]

    @property
    def deadline(self) -> datetime | None:
        """Closing time, as assignments call it."""
        return self.closes

    @property
    def phase(self) -> str:
        """Phase, as assignments have it: open or over."""
        return "over" if self.closed else "open"


class SetRow(View, frozen=True):
    """A person or a bot on the deals of a set."""

    name: str
    real_name: Annotated[str, says("Real name, for organisers; empty if unknown or not shown.")]
    bot: Annotated[int | None, says("ID of the bot; null for a person.")]
    mine: bool
    points: Annotated[tuple[int | None, ...], says("Points by deal; null for a deal that is not finished.")]
    beaten: Annotated[tuple[float | None, ...], says("Share of the bots that a person beat, by deal; empty for a bot.")]

    @property
    def total(self) -> int:
        """Points of all deals."""
        return sum(one or 0 for one in self.points)

    @property
    def whole(self) -> bool:
        """Whether every deal is finished."""
        return None not in self.points

    @property
    def share(self) -> float | None:
        """Share of the bots that a person beat, on average; None if nothing can be compared."""
        known = [one for one in self.beaten if one is not None]
        return fmean(known) if known else None


class SetResult(View, frozen=True):
    """Everybody on the deals of a set, as far as the viewer may see it."""

    set: SetView
    staff: Annotated[bool, says("Whether the viewer sees all members of the group, as organisers do.")]
    commitments: Annotated[tuple[str, ...], says("Hashes of the seeds of the deals that were drawn.")]
    seeds: Annotated[tuple[str, ...], says("Seeds of these deals in hexadecimal; empty before the set closes.")]
    rows: Annotated[tuple[SetRow, ...], says("Those who played every deal first, best first.")]
    people: Annotated[int, says("Number of people in the results.")]

    @property
    def mine(self) -> SetRow | None:
        """Row of the viewer; None before the first finished deal."""
        return next((row for row in self.rows if row.mine), None)


def open_own(arena: Arena, person: Person, wish: Wish) -> str:
    """Begin a set of deals for one person. Returns the code of the first table. Raises as `tables.open_table`."""
    with arena.transaction() as session:
        return _deal(session, person, add(session, wish, OWN), 0)


def open_next(arena: Arena, person: Person, set_id: int) -> str:
    """Return the code of a person's table of the next deal of a set. Raises `NotFound` and `Refused`."""
    with arena.transaction() as session:
        return next_table(session, person, find(session, set_id, lock=True))


def results(arena: Arena, person: Person | None, set_id: int, viewer: Account | None = None) -> SetResult:
    """Return everybody on the deals of a set; before it closes, the bots and the person's own deals only.

    Before it closes, nobody sees a deal that they have not finished, but organisers see everybody and everything in
    the set of a group, with the real names of its members. Raises `NotFound`, also for a set that is not for this
    person.
    """
    with arena.reading() as session:
        return result_of(session, person, find(session, set_id), viewer)


def unfinished(arena: Arena, person: Person) -> list[SetView]:
    """Return the sets that a person can play now: those of the person's groups by deadline, then the own ones."""
    mine = select(LiveBoards.set_id).join(LiveTable, LiveTable.boards_id == LiveBoards.id).join(LiveTable.seats)
    own = LiveSet.closes.is_(None) & LiveSet.id.in_(mine.where(person.sits()))
    theirs = exists().where(GroupMember.group_id == LiveSet.group_id, GroupMember.user_id == person.user)
    found = select(LiveSet).where(or_(own, theirs & (LiveSet.closes > now())))
    order = (LiveSet.closes.nulls_last(), LiveSet.id.desc())
    with arena.reading() as session:
        latest = session.scalars(found.order_by(*order).limit(LATEST)).all()
        return [one for one in views(session, person, latest) if one.next]


def add(session: Session, wish: Wish, deals: int, **whose: Any) -> LiveSet:
    """Add a set of `deals` against the bots that are wished for; `whose` are columns. Raises as `tables.draw`."""
    made = LiveSet(variant=wish.variant, deals=deals, bots=tables.opponents(session, wish), **whose)
    session.add(made)
    session.flush()
    return made


def find(session: Session, set_id: int, lock: bool = False) -> LiveSet:
    """Return a set, locked if asked, so that nobody draws or begins a deal of it twice. Raises `NotFound`."""
    found = session.get(LiveSet, set_id, with_for_update=lock or None)
    if found is None:
        raise NotFound(_("There is no set of deals %(id)s.", id=set_id))
    return found


def next_table(session: Session, person: Person, found: LiveSet) -> str:
    """Return the code of a person's table of the next deal of a locked set. Raises `NotFound` and `Refused`."""
    played = _tables_of(session, person, [found])[found.id]
    if not _takes_part(session, person, found, played):
        raise _unknown(found.id)
    view = _view(found, played, True, database_time(session))
    if view.closes and view.closed:
        raise Refused(_("These deals are closed."))
    if view.next is None:
        if found.day:
            raise Refused(_("You have played all of these deals. New ones begin at midnight UTC."))
        raise Refused(_("You have played all of these deals."))
    return played[view.next - 1].code if view.begun else _deal(session, person, found, view.next - 1)


def _deal(session: Session, person: Person, found: LiveSet, number: int) -> str:
    """Seat a person at a deal, which is drawn for its first visitor. Returns the table's code. Raises `Refused`."""
    tables.check_limits(session, person)
    boards = session.scalars(_boards(found).where(LiveBoards.number == number)).one_or_none()
    if boards is None:
        boards = tables.lay(session, Wish(found.variant), found.bots)
        boards.set_id, boards.number = found.id, number
    return tables.seat_people(session, boards, {boards.bots.index(None): person})


def views(session: Session, person: Person | None, found: Sequence[LiveSet]) -> list[SetView]:
    """Return sets as a person has played them."""
    played, current = _tables_of(session, person, found), database_time(session)
    return [_view(one, played[one.id], _takes_part(session, person, one, played[one.id]), current) for one in found]


def _view(found: LiveSet, played: Played, plays: bool, current: datetime) -> SetView:
    done = [table for table in played.values() if table.state != LiveState.PLAYING]
    following = next((one for one in range(found.deals) if one not in played or played[one] not in done), None)
    closes = moment(found.closes) if found.closes is not None else None
    closed = current >= closes if closes else following is None
    return view_of(
        SetView,
        found,
        group=found.group.name if found.group else None,
        closed=closed,
        done=len(done),
        next=following + 1 if following is not None and plays and not closed else None,
        begun=following in played,
        points=sum(seat.score or 0 for table in done for seat in table.seats if seat.version_id is None),
    )


def _takes_part(session: Session, person: Person | None, found: LiveSet, played: Played) -> bool:
    """Return whether a set is for a person, who has `played` these deals of it."""
    if found.group_id is not None:
        return person is not None and person.user is not None and groups.is_member(session, found.group_id, person.user)
    return found.day is not None or bool(played)


def _unknown(set_id: int) -> NotFound:
    return NotFound(_("There is no set of deals %(id)s.", id=set_id))


def _tables_of(session: Session, person: Person | None, found: Sequence[LiveSet]) -> Mapping[int | None, Played]:
    """Return a person's tables by set and number of the deal.

    A guest who became a member may have two tables of a deal: the first counts.
    """
    played: Mapping[int | None, Played] = defaultdict(dict)
    if person is None:
        return played
    mine = select(LiveTable, LiveBoards.set_id, LiveBoards.number).join(LiveTable.seats).join(LiveTable.boards)
    these = mine.where(person.sits(), LiveBoards.set_id.in_([one.id for one in found if one.id]))
    for table, set_id, number in session.execute(these.order_by(LiveTable.id).options(selectinload(LiveTable.seats))):
        played[set_id].setdefault(number, table)
    return played


def result_of(session: Session, person: Person | None, found: LiveSet, viewer: Account | None = None) -> SetResult:
    """Return everybody on the deals of a set, as `results` does. Raises `NotFound`."""
    played = _tables_of(session, person, [found])[found.id]
    plays = _takes_part(session, person, found, played)
    staff = found.group_id is not None and viewer is not None and viewer.may_organise
    if not plays and not staff:
        raise _unknown(found.id)
    view = _view(found, played, plays, database_time(session))
    boards = session.scalars(_boards(found)).all()
    everything = staff or view.closed
    finished = {number for number, table in played.items() if table.state == LiveState.FINISHED}
    bots = _bots([one for one in boards if everything or one.number in finished], found.deals)
    people = _people(session, found, true() if everything else person.sits() if person else false(), staff)
    rows = [_row(one, points, bots, found.deals, one[:2] == person[:2] if person else False) for one, points in people]
    ranked = sorted([*rows, *bots], key=lambda row: (not row.whole, -row.total, row.name))
    return SetResult(
        set=view,
        staff=staff,
        commitments=tuple(one.commitment for one in boards),
        seeds=tuple(one.seed.hex() for one in boards) if view.closed else (),
        rows=tuple(row for place, row in enumerate(ranked) if staff or row.mine or place < SHOWN),
        people=len(people),
    )


def _people(
    session: Session, found: LiveSet, whose: ColumnElement[bool], staff: bool
) -> Collection[tuple[_Who, Mapping[int | None, int]]]:
    """Return the people who finished a deal in time, and for `staff` all members, with points by number of the deal."""
    members = groups.members(session, found.group_id) if staff and found.group_id is not None else []
    points: dict[_Who, dict[int | None, int]] = {
        _Who(one.user_id, None, one.name, one.real_name): {} for one in members
    }
    known = {one.user: one for one in points}
    finished = (
        select(LiveSeat.user_id, LiveSeat.guest, User.name, LiveBoards.number, LiveSeat.score)
        .join(LiveSeat.table)
        .join(LiveTable.boards)
        .outerjoin(LiveSeat.user)
        .where(LiveBoards.set_id == found.id, LiveSeat.version_id.is_(None), LiveTable.state == LiveState.FINISHED)
        .where(whose, LiveTable.finished < found.closes if found.closes is not None else true())
    )
    for row in session.execute(finished.order_by(LiveTable.id)):
        who = known.get(row.user_id) or _Who(row.user_id, row.guest, row.name or _(GUEST))
        points.setdefault(who, {}).setdefault(row.number, row.score or 0)
    return points.items()


def _row(who: _Who, points: Mapping[int | None, int], bots: Sequence[SetRow], deals: int, mine: bool) -> SetRow:
    own = tuple(points.get(number) for number in range(deals))
    beaten = tuple(share(one, [bot.points[number] for bot in bots]) for number, one in enumerate(own))
    return SetRow(who.name, who.real_name, None, mine, own, beaten)


def _bots(boards: Sequence[LiveBoards], deals: int) -> list[SetRow]:
    """Return the bots that have played these boards."""
    scores: Mapping[tuple[int, str], dict[int | None, int]] = defaultdict(dict)
    for one in boards:
        for row in one.field:
            if row.score is not None:
                scores[row.version.bot_id, row.version.bot.name][one.number] = row.score
    return [
        SetRow(name, "", bot, False, tuple(points.get(number) for number in range(deals)), ())
        for (bot, name), points in scores.items()
    ]


def _boards(found: LiveSet) -> Select[LiveBoards]:
    """Select the boards of a set that were drawn."""
    field = selectinload(LiveBoards.field).joinedload(LiveField.version).joinedload(Version.bot)
    return select(LiveBoards).where(LiveBoards.set_id == found.id).order_by(LiveBoards.number).options(field)


def share(points: int | None, others: Iterable[int | None]) -> float | None:
    """Return the share of others with fewer points; equal ones count half. None if nothing can be compared."""
    known = [one for one in others if one is not None]
    if points is None or not known:
        return None
    return sum((one < points) + (one == points) / 2 for one in known) / len(known)
