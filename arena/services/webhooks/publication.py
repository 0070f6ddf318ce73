"""Publication of events: number them, make the deliveries to webhooks, and leave notices, in one transaction."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Select, select, union
from sqlalchemy.orm import Session

from arena.db.models import Bot, BotMember, Delivery, Entry, Event, Tournament, User, Version, Webhook
from arena.db.upsert import insert_missing
from arena.services.base.context import Arena
from arena.services.events import log
from arena.services.events.kinds import EventKind, sentence
from arena.services.people.notices import NoticeKind, notify

NOTICES: Final = {
    EventKind.VERSION_VALIDATED: NoticeKind.VALIDATION,
    EventKind.VERSION_REJECTED: NoticeKind.VALIDATION,
    EventKind.VERSION_UNCHECKED: NoticeKind.VALIDATION,
    EventKind.VERSION_FAULTED: NoticeKind.FAULT,
    EventKind.TOURNAMENT_FINISHED: NoticeKind.TOURNAMENT,
}
"""Kind of the notice about each kind of event. Other events have none, or are notified by the action itself."""


def publish(arena: Arena) -> int:
    """Publish the new events, and return their number."""
    with arena.reading() as session:
        if not log.has_new(session):
            return 0
    with arena.transaction() as session:
        events = log.publish(session)
        webhooks = session.scalars(select(Webhook).where(Webhook.disabled.is_(None)).order_by(Webhook.id)).all()
        for event in events:
            _deliver(session, event, webhooks)
            _notify(session, event)
    return len(events)


def _deliver(session: Session, event: Event, webhooks: Iterable[Webhook]) -> None:
    """Make the deliveries of an event, one for each webhook that asks for it."""
    asked = [webhook for webhook in webhooks if event.kind in webhook.kinds]
    if not asked:
        return
    concerned = _concerned(session, event)
    administrators = set(session.scalars(select(User.id).where(User.is_admin)))
    for webhook in asked:
        about_all = webhook.everything and event.user_id is None
        if webhook.user_id in concerned or (about_all and (event.public or webhook.user_id in administrators)):
            insert_missing(session, Delivery, {"webhook_id": webhook.id, "event_id": event.id})


def _notify(session: Session, event: Event) -> None:
    kind = NOTICES.get(EventKind(event.kind))
    if kind is None or _is_routine(session, event):
        return
    for user_id in sorted(_concerned(session, event)):
        notify(session, user_id, lambda: sentence(event.kind, event.data), event.tournament_id, kind, event.bot_id)


def _is_routine(session: Session, event: Event) -> bool:
    """Return whether an event is the end of a tournament that the arena plays by itself: a placement or comparison."""
    if event.kind != EventKind.TOURNAMENT_FINISHED:
        return False
    cup = session.get(Tournament, event.tournament_id)
    return cup is None or cup.priority > 0 or cup.format == "comparison"


def _concerned(session: Session, event: Event) -> frozenset[int]:
    """Return the accounts that an event is about: the bot's team, or a tournament's creator and its bots' teams."""
    if event.user_id is not None:
        return frozenset([event.user_id])
    if event.bot_id is not None:
        return frozenset(session.scalars(_teams(select(Bot.id).where(Bot.id == event.bot_id))))
    creator = select(Tournament.created_by_id).where(Tournament.id == event.tournament_id)
    entered = select(Version.bot_id).join(Entry, Entry.version_id == Version.id)
    owners = _teams(entered.where(Entry.tournament_id == event.tournament_id))
    return frozenset([*session.scalars(creator), *session.scalars(owners)])


def _teams(bots: Select[int]) -> Select[int]:
    """Select the users who own one of these bots, alone or with others."""
    owners = select(Bot.owner_id.label("user")).where(Bot.id.in_(bots))
    accepted = (BotMember.bot_id.in_(bots), BotMember.accepted.is_not(None))
    both = union(owners, select(BotMember.user_id).where(*accepted)).subquery()
    return select(both.c.user)
