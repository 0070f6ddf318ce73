"""Dailies: sets of deals for everybody, until midnight UTC."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import LiveBoards, LiveSet, LiveTable
from arena.games.base import Variant
from arena.games.errors import NotFound, Refused
from arena.games.registry import VARIANTS
from arena.services.base.context import Arena
from arena.services.base.repertoire import first_of_each
from arena.services.base.times import database_time
from arena.services.base.views import View, says
from arena.services.live import sets
from arena.services.live.people import Person
from arena.services.live.sets import SetResult, SetView
from arena.services.live.tables import Wish
from arena.words import _

DEALS: Final = {"suits_barnhart": 1}
"""Number of deals by game; the only one of Suits by Aaron Barnhart has four hands. `OTHERS` for all other games."""
OTHERS: Final = 5
STRENGTH: Final = "medium"


class Daily(View, frozen=True):
    """The dailies of a day, for a person."""

    day: date
    closes: datetime
    games: tuple[SetView, ...]
    streak: Annotated[int, says("Days in a row, up to today or yesterday, on which the person played a daily.")]


def variants() -> list[Variant]:
    """Return the variants with a daily: the first of each game."""
    return first_of_each(VARIANTS.values())


def deals_of(variant: Variant) -> int:
    """Return the number of deals of a daily."""
    return DEALS.get(variant.game, OTHERS)


def today(arena: Arena, person: Person | None) -> Daily:
    """Return today's dailies as a person has played them."""
    with arena.reading() as session:
        day = _today(session)
        found = [_find(session, day, one.id) or _blank(day, one) for one in variants()]
        games = tuple(sets.views(session, person, found))
        return Daily(day, _midnight(day), games, _streak(session, person, day) if person else 0)


def open_next(arena: Arena, person: Person, variant_id: str) -> str:
    """Return the code of the person's table of the next deal of today's daily. Raises `NotFound` and `Refused`."""
    variant = _variant(variant_id)
    if variant is None:
        raise NotFound(_("There is no daily of this game."))
    for _attempt in range(2):
        try:
            with arena.transaction() as session:
                return sets.next_table(session, person, _todays(session, variant))
        except IntegrityError:  # another visitor was the first of the day at the same time
            continue
    raise Refused(_("Try again."))


def results(arena: Arena, person: Person | None, day: date, variant_id: str) -> SetResult:
    """Return everybody on the deals of a day, as `sets.results` does. Raises `NotFound`."""
    with arena.reading() as session:
        found = _find(session, day, variant_id)
        if found is not None:
            return sets.result_of(session, person, found)
        variant = _variant(variant_id)
        if variant is None or day != _today(session):
            raise NotFound(_("There was no daily of this game on this day."))
        (view,) = sets.views(session, person, [_blank(day, variant)])
        return SetResult(view, staff=False, commitments=(), seeds=(), rows=(), people=0)


def _todays(session: Session, variant: Variant) -> LiveSet:
    """Return today's set of a variant, locked; made for its first visitor."""
    day = _today(session)
    wish, until = Wish(variant.id, strength=STRENGTH), _midnight(day).timestamp()
    return _find(session, day, variant.id, lock=True) or sets.add(
        session, wish, deals_of(variant), day=day.isoformat(), closes=until
    )


def _find(session: Session, day: date, variant_id: str, lock: bool = False) -> LiveSet | None:
    found = select(LiveSet).where(LiveSet.day == day.isoformat(), LiveSet.variant == variant_id)
    return session.scalars(found.with_for_update() if lock else found).one_or_none()


def _blank(day: date, variant: Variant) -> LiveSet:
    """Return the set of a day that nobody has begun. It is not in the database."""
    closes = _midnight(day).timestamp()
    return LiveSet(variant=variant.id, deals=deals_of(variant), day=day.isoformat(), closes=closes)


def _variant(variant_id: str) -> Variant | None:
    """Return a variant with a daily; None for others."""
    return next((one for one in variants() if one.id == variant_id), None)


def _streak(session: Session, person: Person, day: date) -> int:
    """Return the number of days in a row on which a person finished a daily, up to today or yesterday."""
    days = select(LiveSet.day).join(LiveBoards, LiveBoards.set_id == LiveSet.id)
    mine = days.join(LiveTable, LiveTable.boards_id == LiveBoards.id).join(LiveTable.seats).where(person.sits())
    played = set(session.scalars(mine.where(LiveSet.day.is_not(None), LiveTable.finished > 0)))
    last = day if day.isoformat() in played else day - timedelta(1)
    streak = 0
    while (last - timedelta(streak)).isoformat() in played:
        streak += 1
    return streak


def _today(session: Session) -> date:
    return database_time(session).date()


def _midnight(day: date) -> datetime:
    """Return the end of a day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(1)
