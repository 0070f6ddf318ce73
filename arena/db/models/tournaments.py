"""Tournaments, who takes part, and schedules that make them."""

from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.bots import Version
from arena.db.models.users import User


class Tournament(Base):
    """A set of tables made by a format over a list of entries."""

    __tablename__ = "tournaments"
    __table_args__ = (UniqueConstraint("schedule_id", "due"),)

    id: Mapped[Id]
    name: Mapped[str]
    variant: Mapped[str] = mapped_column(index=True)
    options: Mapped[dict[str, Any]]
    """The game's options, complete, as they were when it was made."""
    format: Mapped[str]
    """round_robin, balanced, swiss, knockout, ladder or comparison."""
    shape: Mapped[dict[str, Any]]
    """The format's own numbers; see `arena.services.plans`."""
    state: Mapped[str] = mapped_column(index=True)
    """draft, scheduled, running, paused, finished or cancelled."""
    problem: Mapped[str | None]
    """Why it stands still or never began, for people."""
    boards: Mapped[int]
    """How many matches with boards of their own a table has per seating."""
    seatings: Mapped[str] = mapped_column(default="rotations")
    """Which seatings a table has: rotations, all or single."""
    entry_rule: Mapped[str] = mapped_column(default="chosen")
    """Who is entered at the start: all, chosen or one_per_owner."""
    chosen: Mapped[list[Any] | None]
    """Ids of the bots that the rule speaks of; None where it speaks of all."""
    fault_cap: Mapped[int | None]
    """In so many matches a bot may fail; with the next one it is withdrawn. None: as often as it likes."""
    seed: Mapped[bytes]
    """Secret until the tournament is over."""
    commitment: Mapped[str]
    priority: Mapped[int] = mapped_column(default=0)
    """Higher is played first; above 0 it is rung on the urgent queue."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())
    starts_at: Mapped[Epoch | None]
    """When it is to start by itself."""
    started: Mapped[Epoch | None]
    finished: Mapped[Epoch | None]
    schedule_id: Mapped[int | None] = mapped_column(ForeignKey("schedules.id"))
    due: Mapped[Epoch | None]
    """The time of its schedule that it was made for. One tournament for each, whoever makes it."""
    stage: Mapped[int] = mapped_column(default=0)
    """How many stages (rounds of a Swiss or a knockout, batches of a ladder) have got their tables."""
    tables_total: Mapped[int] = mapped_column(default=0)
    tables_done: Mapped[int] = mapped_column(default=0)
    tables_failed: Mapped[int] = mapped_column(default=0)
    tables_cancelled: Mapped[int] = mapped_column(default=0)
    """Those of bots that were withdrawn, and what was too late to count."""
    tables_insecure: Mapped[int] = mapped_column(default=0)
    """How many of those done have a match that was played below every minimum of the cage."""
    folded: Mapped[int] = mapped_column(default=0)
    """How many of its first tables the ratings have taken in (or passed over); see `arena.services.fold`."""
    verdict: Mapped[dict[str, Any] | None]
    """What a comparison came to; see `arena.services.comparisons`."""

    created_by: Mapped[User] = relationship()

    @hybrid_property
    def tables_settled(self) -> int:
        """To how many of its tables nothing will happen any more by itself."""
        return self.tables_done + self.tables_failed + self.tables_cancelled

    @hybrid_property
    def settled(self) -> bool:
        """Whether that holds for all that there are."""
        return self.tables_settled == self.tables_total


class Entry(Base):
    """A version that takes part. Frozen when the tournament starts; a ladder takes in more while it runs."""

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("tournament_id", "version_id"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """0-based, in the order of seeding."""
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    out: Mapped[str | None]
    """Why it gets no more tables: withdrawn, faults, deactivated, replaced or eliminated. None: it does."""
    out_after: Mapped[int | None]
    """The number of the table after which it was out."""

    version: Mapped[Version] = relationship()


class Schedule(Base):
    """Makes a tournament at every time of a cron expression."""

    __tablename__ = "schedules"

    id: Mapped[Id]
    name: Mapped[str]
    """Of the tournaments that it makes; each has its time added."""
    plan: Mapped[dict[str, Any]]
    """What they are like; see `arena.services.plans`."""
    cron: Mapped[str]
    zone: Mapped[str]
    """The IANA name of the time zone in which the expression is meant."""
    catch_up: Mapped[str]
    """What to do about times that passed while nobody looked: skip them, or make one tournament for all (once)."""
    paused: Mapped[bool] = mapped_column(default=False)
    seen_until: Mapped[Epoch]
    """Times up to here have been dealt with. It never goes back, whatever the clock does."""
    problem: Mapped[str | None]
    """Why the latest time came to nothing."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())

    created_by: Mapped[User] = relationship()


class Rejudgement(Base):
    """An organiser's order to play tables again. Kept for ever."""

    __tablename__ = "rejudgements"

    id: Mapped[Id]
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), index=True)
    table_number: Mapped[int | None]
    """The table it was about; None where it was about several."""
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"))
    """The version whose tables it was about; None where it was about no version."""
    reason: Mapped[str]
    tables: Mapped[int]
    """How many are played again."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())

    created_by: Mapped[User] = relationship()
