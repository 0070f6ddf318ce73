"""Events that pages, streams, notices and webhooks tell of, and their deliveries to webhooks."""

from typing import Any, Final

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.outgoing import Outgoing, outgoing
from arena.db.models.users import User

_NEW: Final = text("number IS NULL")


class Event(Base):
    """Something that happened. Tournaments, bots and versions are named by ID only, as events may outlive them."""

    __tablename__ = "events"
    __table_args__ = (
        Index("ix_events_new", "id", sqlite_where=_NEW, postgresql_where=_NEW),
        Index("ix_events_tournament_id_number", "tournament_id", "number"),
        Index("ix_events_bot_id_number", "bot_id", "number"),
    )

    id: Mapped[Id]
    number: Mapped[int | None] = mapped_column(unique=True)
    """Place in the log, which ascends in the order in which readers see events; None until it is published."""
    at: Mapped[Epoch] = mapped_column(default=now(), index=True)
    kind: Mapped[str]
    """An `arena.services.events.kinds.EventKind`."""
    public: Mapped[bool]
    """Whether everybody may read it; otherwise only the account or the bot's team may."""
    tournament_id: Mapped[int | None]
    bot_id: Mapped[int | None]
    version_id: Mapped[int | None]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    """Account that it is for; None if it is not for a single account."""
    data: Mapped[dict[str, Any]]
    """Names and numbers at that time."""


class EventCursor(Base):
    """The only row says how many events have been published. It also serves as the lock of publication."""

    __tablename__ = "event_cursor"
    __table_args__ = (CheckConstraint("id = 1", name="single"),)

    id: Mapped[Id]
    last: Mapped[int]
    """Number of the latest event. Kept apart from events, so that numbers never come again when events go."""


class Webhook(Base):
    """Address to which a member's events are sent."""

    __tablename__ = "webhooks"
    __table_args__ = (CheckConstraint("substr(url, 1, 8) = 'https://' OR substr(url, 1, 7) = 'http://'", name="url"),)

    id: Mapped[Id]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    url: Mapped[str]
    kinds: Mapped[list[str]]
    """Kinds of events that are sent."""
    everything: Mapped[bool] = mapped_column(default=False)
    """Whether public events about others are sent as well."""
    secret: Mapped[str]
    """Key that signs deliveries, in the form of Standard Webhooks: ``whsec_`` and Base64."""
    failing: Mapped[Epoch | None]
    """Time of the first failure since the last success; None if the last delivery succeeded."""
    disabled: Mapped[str | None]
    """Reason why nothing is sent; None if it is in use."""
    created: Mapped[Epoch] = mapped_column(default=now())

    user: Mapped[User] = relationship()


class Delivery(Outgoing, Base):
    """An event on its way to a webhook, or what became of it. There is one for each event and webhook."""

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("webhook_id", "event_id"),
        *outgoing(),
        CheckConstraint("state <> 'delivered' OR (status IS NOT NULL AND status BETWEEN 200 AND 299)", name="status"),
    )

    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), index=True)
    status: Mapped[int | None]
    """HTTP status of the last answer; None if there was none."""
    milliseconds: Mapped[int | None]
    """Duration of the last attempt."""

    webhook: Mapped[Webhook] = relationship()
    event: Mapped[Event] = relationship()
