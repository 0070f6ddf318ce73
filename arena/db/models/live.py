"""Live tables, at which people and programs outside the arena play with bots.

Sets of deals, boards, the field that plays them, seats and moves.
"""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, deferred, mapped_column, relationship

from arena.db.base import Base, Epoch, Id, one_of
from arena.db.clock import now
from arena.db.models.bots import Version
from arena.db.models.tables import Table
from arena.db.models.users import Group, User


class LiveSet(Base):
    """Deals that are played once by each person against the same bots: of a day, of a group, or one person's own.

    A person's own set has neither day nor group: it belongs to the person at its tables.
    """

    __tablename__ = "live_sets"
    __table_args__ = (
        UniqueConstraint("day", "variant"),
        CheckConstraint("day IS NULL OR group_id IS NULL", name="whose"),
        CheckConstraint("(closes IS NULL) = (day IS NULL AND group_id IS NULL)", name="closes"),
    )

    id: Mapped[Id]
    variant: Mapped[str]
    deals: Mapped[int]
    """Number of deals. Each is drawn for its first visitor."""
    bots: Mapped[list[Any]]
    """IDs of the opponents' versions, the same in all deals."""
    day: Mapped[str | None]
    """Date, as in ISO 8601, on which everybody may play them; None for other sets."""
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id"), index=True)
    """Group whose members may play them; None for other sets."""
    closes: Mapped[Epoch | None]
    """Time from which nobody plays them and everything is shown; None for a person's own set."""
    created: Mapped[Epoch] = mapped_column(default=now())

    group: Mapped[Group | None] = relationship()


class LiveBoards(Base):
    """The boards of one match, who sits where, and so everything that the result of a seat is compared by."""

    __tablename__ = "live_boards"
    __table_args__ = (
        UniqueConstraint("set_id", "number"),
        CheckConstraint("length(seed) = 32", name="seed"),
        CheckConstraint("(set_id IS NULL) = (number IS NULL)", name="set"),
    )

    id: Mapped[Id]
    variant: Mapped[str]
    options: Mapped[dict[str, Any]]
    """Complete options of the game; those of one deal differ from the variant's."""
    seed: Mapped[bytes]
    """Seed of the boards and of the bots; secret until their set closes."""
    commitment: Mapped[str]
    bots: Mapped[list[Any]]
    """IDs of the versions by seat; None for the seats of people."""
    set_id: Mapped[int | None] = mapped_column(ForeignKey("live_sets.id"))
    """Set that they belong to; None if they were drawn for one table."""
    number: Mapped[int | None]
    """0-based number within the set."""
    created: Mapped[Epoch] = mapped_column(default=now())

    set: Mapped[LiveSet | None] = relationship()
    field: Mapped[list["LiveField"]] = relationship(order_by="LiveField.version_id")


class LiveField(Base):
    """A bot that plays the boards in the person's seat, against the same bots, and its result there."""

    __tablename__ = "live_field"
    __table_args__ = (
        Index("ix_live_field_waiting", "score"),
        CheckConstraint("(score IS NULL) = (record IS NULL)", name="played"),
    )

    boards_id: Mapped[int] = mapped_column(ForeignKey("live_boards.id", ondelete="CASCADE"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True, index=True)
    score: Mapped[int | None]
    """Points of the seat; None until it has played."""
    fault: Mapped[str | None]
    """Kind of its fault; None if it did not fail."""
    record: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    """Packed record; see `arena.match.record.pack`."""

    version: Mapped[Version] = relationship()


class LiveTable(Base):
    """A table at which at least one person sits. The moves are its truth: a host can continue it at any time."""

    __tablename__ = "live_tables"
    __table_args__ = (
        one_of("state", "waiting", "playing", "finished", "failed", "abandoned"),
        Index("ix_live_tables_state", "state", "touched"),
        CheckConstraint("(state = 'finished') = (record IS NOT NULL)", name="record"),
    )

    id: Mapped[Id]
    code: Mapped[str] = mapped_column(unique=True)
    """Random text in its address."""
    boards_id: Mapped[int] = mapped_column(ForeignKey("live_boards.id"), index=True)
    state: Mapped[str] = mapped_column(default="playing")
    """State: waiting (for people), playing, finished, failed (of the arena) or abandoned (by the people)."""
    table_id: Mapped[int | None] = mapped_column(ForeignKey("tables.id"), unique=True)
    """Table of a tournament that is played here; None for other tables."""
    clock: Mapped[float | None]
    """Seconds that a person or program has for a move before it is made for it; None for no limit."""
    bank: Mapped[float] = mapped_column(default=0.0)
    """Seconds by which all moves of a seat may exceed `clock`."""
    resumed: Mapped[Epoch | None]
    """Time from which a host has played it without a break; no move takes time before it."""
    created: Mapped[Epoch] = mapped_column(default=now())
    touched: Mapped[Epoch] = mapped_column(default=now())
    """Time at which a person last looked at it or moved, about."""
    finished: Mapped[Epoch | None]
    deals: Mapped[int | None]
    """Number of deals, hands or rounds of the finished match; None before, and for those from before it was counted."""
    attempts: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    """Number that every claim raises; moves of bots with an older fence are refused."""
    lease_until: Mapped[Epoch | None]
    retry_at: Mapped[Epoch | None]
    undone: Mapped[int] = mapped_column(default=0)
    """Number of times that the person has taken back moves."""
    hints: Mapped[int] = mapped_column(default=0)
    """Number of hints that the person has asked for."""
    problem: Mapped[str | None]
    """Reason why the arena could not continue it."""
    record: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    """Packed record; see `arena.match.record.pack`."""

    boards: Mapped[LiveBoards] = relationship()
    table: Mapped[Table | None] = relationship()
    seats: Mapped[list["LiveSeat"]] = relationship(order_by="LiveSeat.seat", back_populates="table")


class LiveSeat(Base):
    """A seat of a live table: of a bot, in the cage or outside, of a member, of a member's program or of a guest."""

    __tablename__ = "live_seats"
    __table_args__ = (
        CheckConstraint("(version_id IS NULL) <> (user_id IS NULL AND guest IS NULL)", name="person"),
        CheckConstraint("user_id IS NULL OR guest IS NULL", name="guest"),
        CheckConstraint("user_id IS NOT NULL OR NOT program", name="program"),
    )

    table_id: Mapped[int] = mapped_column(ForeignKey("live_tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    guest: Mapped[str | None] = mapped_column(index=True)
    """Random text that a guest's browser keeps; None if it is not a guest's seat."""
    program: Mapped[bool] = mapped_column(default=False)
    """Whether a program of the member plays, not the member."""
    score: Mapped[int | None]
    rank: Mapped[int | None]
    fault: Mapped[str | None]
    """Kind of the bot's fault; None if it did not fail."""

    table: Mapped[LiveTable] = relationship(back_populates="seats")
    version: Mapped[Version | None] = relationship()
    user: Mapped[User | None] = relationship()


class LiveMove(Base):
    """A move at a live table. Those of people are written by the web server, all others by the host."""

    __tablename__ = "live_moves"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[Id]
    """Ascending, about in the order of writing."""
    table_id: Mapped[int] = mapped_column(ForeignKey("live_tables.id", ondelete="CASCADE"))
    number: Mapped[int]
    """0-based number within the match."""
    seat: Mapped[int]
    token: Mapped[str]
    fault: Mapped[str | None]
    """Kind of the fault that made the arena take over the seat with this move."""
    late: Mapped[bool] = mapped_column(default=False)
    """Whether it was made for the person or program because the time was up."""
    spent: Mapped[float | None]
    """Seconds that the seat took for it; None without a clock."""
    made: Mapped[Epoch] = mapped_column(default=now())


class LiveNote(Base):
    """Questions to a language model about a move of a member's program, and its answers."""

    __tablename__ = "live_notes"
    __table_args__ = (
        ForeignKeyConstraint(["table_id", "number"], ["live_moves.table_id", "live_moves.number"], ondelete="CASCADE"),
    )

    table_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Number of the move within the match."""
    model: Mapped[str]
    answers: Mapped[int]
    """Number of the model's answers."""
    refused: Mapped[int]
    """Number of answers that had no legal action in the form that was asked for."""
    gave_up: Mapped[bool]
    """Whether the first legal action was played in place of an answer."""
    seconds: Mapped[float]
    """Time from the question to the action."""
    tokens_in: Mapped[int | None]
    tokens_out: Mapped[int | None]
    cost: Mapped[float | None]
    messages: Mapped[bytes] = deferred(mapped_column(LargeBinary, nullable=False))
    """Compressed JSON list of the messages; empty if the table has no room for them."""
