"""Processes of the arena and their signs of life."""

from typing import Any

from sqlalchemy import JSON
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch, one_of


class Process(Base):
    """A process of the arena on any machine, as it last reported itself; deleted when it ends or is long silent."""

    __tablename__ = "processes"
    __table_args__ = (one_of("kind", "worker", "web", "live"), one_of("state", "idle", "busy", "paused", "out"))

    name: Mapped[str] = mapped_column(primary_key=True)
    """Host and process ID, as in `Attempt.worker`."""
    kind: Mapped[str]
    """Kind: worker, web or live."""
    release: Mapped[str]
    """Release of Suit Arena that it runs."""
    state: Mapped[str]
    """State: idle, busy, paused or out."""
    detail: Mapped[str]
    """What it works on, or why it is paused or out; may be empty."""
    started: Mapped[Epoch]
    since: Mapped[Epoch]
    """Time at which it entered its state."""
    seen: Mapped[Epoch]
    """Time of its last sign of life."""
    active: Mapped[Epoch | None]
    """Time at which it last took a doorbell or received a move of a bot; None if it has not."""
    held: Mapped[Epoch | None]
    """Time at which it last held a bot; None if it has not."""
    packages: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    """Versions of Python and of the packages that its bots can import, by name; None if it has held no bot."""
    refused: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    """Reasons why it offers no others, by name; None if it has held no bot."""
    samples: Mapped[list[Any]]
    """Its metrics; see `arena.services.base.measures`."""
