"""Tallies: what results add up to, kept in the results' own transactions, so that pages need not add.

All are whole numbers, so that the order in which tables finish changes nothing. A table is one observation: with h half
points taken of the n that were possible there, a tally holds the sums of h, n, h², h·n and n² over tables
(`arena.tournament.intervals`).
"""

from sqlalchemy import ForeignKey, PrimaryKeyConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base


class _Sums:
    """The sums over tables."""

    tables: Mapped[int]
    h: Mapped[int]
    n: Mapped[int]
    hh: Mapped[int]
    hn: Mapped[int]
    nn: Mapped[int]


class _Score(_Sums):
    """Of one version, against everybody."""

    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    matches: Mapped[int]
    faults: Mapped[int]
    """In how many of the matches it failed."""


class _Pair(_Sums):
    """Of the version `a` against `b`; a < b, and h counts what a took from b."""

    a: Mapped[int] = mapped_column(ForeignKey("versions.id"))
    b: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)


class TournamentScore(_Score, Base):
    """In a tournament."""

    __tablename__ = "tournament_scores"
    __table_args__ = (PrimaryKeyConstraint("tournament_id", "version_id"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))


class TournamentPair(_Pair, Base):
    """In a tournament."""

    __tablename__ = "tournament_pairs"
    __table_args__ = (PrimaryKeyConstraint("tournament_id", "a", "b"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))


class VariantScore(_Score, Base):
    """In all tournaments of a variant."""

    __tablename__ = "variant_scores"
    __table_args__ = (PrimaryKeyConstraint("variant", "version_id"),)

    variant: Mapped[str]


class VariantPair(_Pair, Base):
    """In all tournaments of a variant."""

    __tablename__ = "variant_pairs"
    __table_args__ = (PrimaryKeyConstraint("variant", "a", "b"),)

    variant: Mapped[str]
