"""Analyses of matches: estimates of their decisions, and what each seat lost by phase."""

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, deferred, mapped_column, relationship

from arena.db.base import Base, Epoch, Id, one_of
from arena.db.clock import now


class Analysis(Base):
    """The analysis of one match: of bots, or of people at a live table, whose own decisions are analysed then."""

    __tablename__ = "analyses"
    __table_args__ = (
        one_of("state", "waiting", "done", "failed"),
        CheckConstraint("(match_id IS NULL) <> (live_id IS NULL)", name="match"),
        CheckConstraint("(state = 'done') = (found IS NOT NULL)", name="done"),
        Index("ix_analyses_waiting", "state", "asked"),
        Index("ix_analyses_latest", "variant", "id"),
    )

    id: Mapped[Id]
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), unique=True)
    live_id: Mapped[int | None] = mapped_column(ForeignKey("live_tables.id", ondelete="CASCADE"), unique=True)
    variant: Mapped[str]
    state: Mapped[str] = mapped_column(default="waiting")
    """State: waiting, done or failed (of the arena)."""
    asked: Mapped[bool]
    """Whether somebody waits for it; those come first."""
    wanted: Mapped[Epoch] = mapped_column(default=now(), index=True)
    """Time at which it was last asked for, or the arena last chose the match."""
    attempts: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    lease_until: Mapped[Epoch | None]
    rung_at: Mapped[Epoch | None]
    retry_at: Mapped[Epoch | None]
    version: Mapped[int | None]
    """Number of the way in which it was made (`arena.match.analysis.VERSION`); None until it is done."""
    deals: Mapped[int | None]
    """Number of deals, hands or rounds of the match; None until it is done."""
    found: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    """Packed decisions; see `arena.services.analyses.views.Found`."""

    lost: Mapped[list["LostPoints"]] = relationship(order_by="(LostPoints.seat, LostPoints.number)")


class LostPoints(Base):
    """Points lost by the decisions of one seat in one phase of an analysed match."""

    __tablename__ = "lost_points"

    analysis_id: Mapped[int] = mapped_column(ForeignKey("analyses.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """0-based number of the phase, in the order in which the phases of the seat begin."""
    phase: Mapped[str]
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id", ondelete="CASCADE"), index=True)
    """Version in the seat; None for a person or a program outside."""
    decisions: Mapped[int]
    best: Mapped[int]
    """Number of decisions for the action with the best estimate."""
    lost: Mapped[float]
    """Points that all decisions lost."""
    margin: Mapped[float]
    """Half-width of the 95 % interval of `lost`."""
    inaccuracies: Mapped[int]
    mistakes: Mapped[int]
    blunders: Mapped[int]
