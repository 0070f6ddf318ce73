"""How people fare: points per deal above the field of bots with the same cards in the same seat."""

import math
from collections import defaultdict
from statistics import fmean, stdev
from typing import Annotated, Any, Final

from sqlalchemy import ColumnElement, and_, func, select, update

from arena.db.models import LiveBoards, LiveField, LiveSeat, LiveSet, LiveTable, User
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live.people import Person

CONFIDENCE: Final = 1.96
"""Standard errors on either side of a mean for an interval of 95 %."""
LISTED: Final = 10
"""Number of dailies' deals from which a person is on the list of people."""
SHOWN: Final = 100


class Standing(View, frozen=True):
    """A person's results in one variant: each deal less the mean of the bots with the same cards."""

    variant: str
    above: Annotated[tuple[float, ...], says("Points above the field, by deal, oldest first.")]

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.above)

    @property
    def mean(self) -> float:
        """Mean points above the field."""
        return fmean(self.above)

    @property
    def error(self) -> float | None:
        """Half of the 95 % interval of the mean; None for a single deal."""
        return CONFIDENCE * stdev(self.above) / math.sqrt(self.deals) if self.deals > 1 else None

    @property
    def course(self) -> list[float]:
        """The mean after each deal."""
        return [fmean(self.above[: count + 1]) for count in range(self.deals)]


class PersonRow(View, frozen=True):
    """A member on the list of people."""

    name: str
    standing: Standing


def standings_of(arena: Arena, person: Person) -> tuple[Standing, ...]:
    """Return a person's results by variant, the most played first. Only matches without help count."""
    with arena.reading() as session:
        above: dict[str, list[float]] = defaultdict(list)
        for row in session.execute(_results(person.sits())):
            above[row.variant].append(float(row.score - row.mean))
    found = [Standing(variant, tuple(points)) for variant, points in above.items()]
    return tuple(sorted(found, key=lambda one: -one.deals))


def people(arena: Arena, variant: str) -> tuple[PersonRow, ...]:
    """Return the members who want to be listed, by their results in the dailies of a variant, best first."""
    dailies = LiveBoards.set_id.in_(select(LiveSet.id).where(LiveSet.day.is_not(None), LiveSet.variant == variant))
    daily = and_(dailies, User.listed, User.deleted.is_(None))
    with arena.reading() as session:
        above: dict[str, list[float]] = defaultdict(list)
        for row in session.execute(_results(daily).join(User, User.id == LiveSeat.user_id).add_columns(User.name)):
            above[row.name].append(float(row.score - row.mean))
    rows = [PersonRow(name, Standing(variant, tuple(points))) for name, points in above.items()]
    ranked = sorted(rows, key=lambda row: -row.standing.mean)
    return tuple(row for row in ranked if row.standing.deals >= LISTED)[:SHOWN]


def is_listed(arena: Arena, account: Account) -> bool:
    """Return whether a member wants to be on the list of people."""
    with arena.reading() as session:
        return session.get_one(User, account.id).listed


def list_me(arena: Arena, account: Account, listed: bool) -> None:
    """Put a member on the list of people, or take the member off it."""
    with arena.transaction() as session:
        session.execute(update(User).where(User.id == account.id).values(listed=listed))


def _results(which: ColumnElement[bool]) -> Any:
    """Select the results of seats with the mean of the field, oldest first."""
    field = (
        select(LiveField.boards_id, func.avg(LiveField.score).label("mean"))
        .where(LiveField.score.is_not(None))
        .group_by(LiveField.boards_id)
        .subquery()
    )
    return (
        select(LiveBoards.variant, LiveSeat.score, field.c.mean)
        .select_from(LiveSeat)
        .join(LiveTable, LiveTable.id == LiveSeat.table_id)
        .join(LiveBoards, LiveBoards.id == LiveTable.boards_id)
        .join(field, field.c.boards_id == LiveBoards.id)
        .where(LiveTable.state == LiveState.FINISHED, which)
        .where(LiveTable.undone == 0, LiveTable.hints == 0)
        .order_by(LiveTable.finished, LiveTable.id)
    )
