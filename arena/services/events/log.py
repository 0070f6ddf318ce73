"""The log of events: note them, publish them in an order that readers can follow, read them, and forget old ones.

An event is noted in the transaction of what happened, so it exists exactly if that does. Transactions commit in another
order than their events get IDs, and a reader that has seen one ID could miss a lower one that is committed later. So
events get a number when they are published: by one process at a time, after they are committed. Readers go by number.
"""

from collections.abc import Collection
from typing import Annotated, Any, Final

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, BotMember, Event, EventCursor, Tournament, Version
from arena.db.upsert import insert_missing
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.times import moment
from arena.services.base.views import Time, View, says
from arena.services.events.kinds import PRIVATE, EventKind, sentence
from arena.words import _

DAY: Final = 86400.0
KEPT: Final = 30.0
"""Days for which published events, and their deliveries to webhooks, are kept."""
BATCH: Final = 500
"""Largest number of events that are published, or deleted, in one transaction."""
MOST: Final = 200
"""Largest number of events read at a time."""


class EventRow(View, frozen=True):
    """Something that happened."""

    number: Annotated[int, says("Place in the log, and the cursor `after` which reading goes on.")]
    kind: Annotated[str, says("Kind of the event, such as `tournament.finished`.")]
    at: Time
    text: Annotated[str, says("A sentence about it.")]
    tournament_id: int | None
    bot_id: int | None
    version_id: int | None
    data: Annotated[dict[str, Any], says("Names and numbers at that time; they depend on the kind.")]


def note(session: Session, kind: EventKind, user_id: int | None = None, **data: Any) -> Event:
    """Note an event in the transaction of what happened; `user_id` is the only account that it is for."""
    event = Event(kind=kind, public=kind not in PRIVATE, user_id=user_id, data=data)
    session.add(event)
    return event


def note_tournament(session: Session, kind: EventKind, tournament: Tournament, **data: Any) -> None:
    """Note an event of a tournament. Trials have none, because their results are not public."""
    if tournament.rated:
        event = note(session, kind, tournament=tournament.name, variant=tournament.variant, **data)
        event.tournament_id = tournament.id


def note_version(
    session: Session, kind: EventKind, version: Version, tournament: Tournament | None = None, **data: Any
) -> None:
    """Note an event of a version, perhaps in a tournament."""
    names: dict[str, Any] = {"bot": version.bot.name, "version": version.number}
    if tournament:
        names["tournament"] = tournament.name
    event = note(session, kind, **names, **data)
    event.bot_id, event.version_id = version.bot_id, version.id
    event.tournament_id = tournament.id if tournament else None


def has_new(session: Session) -> bool:
    """Return whether an event waits to be published."""
    return session.scalar(select(Event.id).where(Event.number.is_(None)).limit(1)) is not None


def publish(session: Session) -> list[Event]:
    """Publish the events that have been committed, and return them. Holds a lock until the transaction ends."""
    insert_missing(session, EventCursor, {"id": 1, "last": 0})
    cursor = session.scalars(select(EventCursor).with_for_update()).one()
    new = session.scalars(select(Event).where(Event.number.is_(None)).order_by(Event.id).limit(BATCH)).all()
    for event in new:
        event.number = cursor.last = cursor.last + 1
    session.flush()
    return list(new)


def after(
    arena: Arena, viewer: Account | None, cursor: int, most: int = MOST, *,
    tournament_id: int = 0, bot_id: int = 0, kinds: Collection[str] = (),
) -> list[EventRow]:  # fmt: skip
    """Return the first events after the cursor that the viewer may read, perhaps of a tournament, bot or some kinds.

    Raises `NotFound` if there is no such tournament or bot.
    """
    which = [Event.number > cursor, visible(viewer)]
    which += [Event.tournament_id == tournament_id] if tournament_id else []
    which += [Event.bot_id == bot_id] if bot_id else []
    which += [Event.kind.in_(kinds)] if kinds else []
    with arena.reading() as session:
        _require(session, Tournament, tournament_id)
        _require(session, Bot, bot_id)
        found = session.scalars(select(Event).where(*which).order_by(Event.number).limit(most))
        return [row_of(event) for event in found]


def _require(session: Session, model: type[Tournament | Bot], id: int) -> None:
    if id and session.scalar(select(model.id).where(model.id == id)) is None:
        raise NotFound(
            _("There is no bot %(id)s.", id=id) if model is Bot else _("There is no tournament %(id)s.", id=id)
        )


def newest(arena: Arena) -> int:
    """Return the number of the latest event, after which a new reader begins; 0 if there is none."""
    with arena.reading() as session:
        return session.scalar(select(EventCursor.last)) or 0


def visible(viewer: Account | None) -> ColumnElement[bool]:
    """Return the condition of the events that a visitor or member may read."""
    if viewer is None:
        return Event.public.is_(True)
    if viewer.is_admin:
        # One condition: for two, SQLite would look up all events of the first and sort them.
        return func.coalesce(Event.user_id, viewer.id) == viewer.id
    own = select(Bot.id).where(Bot.owner_id == viewer.id)
    shared = select(BotMember.bot_id).where(BotMember.user_id == viewer.id, BotMember.accepted.is_not(None))
    return or_(Event.public, Event.user_id == viewer.id, Event.bot_id.in_(own.union_all(shared)))


def row_of(event: Event) -> EventRow:
    """Return a published event as others see it."""
    text = sentence(event.kind, event.data)
    ids = (event.tournament_id, event.bot_id, event.version_id)
    return EventRow(event.number or 0, event.kind, moment(event.at), text, *ids, event.data)


def forget(session: Session, days: float) -> int:
    """Delete a batch of published events older than this number of days, and return their number."""
    old = select(Event.id).where(Event.at < now() - days * DAY, Event.number.is_not(None)).order_by(Event.at)
    ids = session.scalars(old.limit(BATCH)).all()
    if ids:
        _delete(session, Event.id.in_(ids))
    return len(ids)


def forget_tournament(session: Session, tournament_id: int) -> None:
    """Delete the events of a tournament that is deleted."""
    _delete(session, Event.tournament_id == tournament_id)


def forget_bot(session: Session, bot_id: int) -> None:
    """Delete the events of a bot that is deleted."""
    _delete(session, Event.bot_id == bot_id)


def _delete(session: Session, which: ColumnElement[bool]) -> None:
    session.execute(delete(Event).where(which), execution_options={"synchronize_session": False})
