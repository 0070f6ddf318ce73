"""Tallies: sums over results, updated in the transactions of the results, so that pages need not compute them.

All sums are whole numbers, so they do not depend on the order in which tables finish. A table is one observation: with
h half points won of n possible ones, a tally holds the sums of h, n, h², h·n and n² over tables
(`arena.tournament.intervals`). In addition p is the sum of game points by which a bot led others; strengths are fitted
to it (`arena.services.ratings.strengths`).
"""

from sqlalchemy import CheckConstraint, ForeignKey, PrimaryKeyConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base


class _Sums:
    """Sums over tables."""

    tables: Mapped[int]
    h: Mapped[int]
    n: Mapped[int]
    hh: Mapped[int]
    hn: Mapped[int]
    nn: Mapped[int]


class _Score(_Sums):
    """Tally of one version against all others."""

    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    matches: Mapped[int]
    faults: Mapped[int]
    """Number of matches in which it failed."""
    p: Mapped[int]
    """Game points by which it led each other bot in each match, summed."""
    pp: Mapped[int]
    """Sum of p squared over tables."""
    pn: Mapped[int]
    """Sum of p times n over tables."""
    strength: Mapped[float | None]
    """Points per match above the field, fitted to the sums of all versions; None if not fitted or undetermined."""
    reach: Mapped[float | None]
    """Half the width of the interval of `strength`."""


class _Pair(_Sums):
    """Tally of version `a` against version `b`; a < b, and h counts the half points that a won from b."""

    a: Mapped[int] = mapped_column(ForeignKey("versions.id"))
    b: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    p: Mapped[int]
    """Game points that a scored more than b, over all matches with both."""


class TournamentScore(_Score, Base):
    """Tally of one version in a tournament."""

    __tablename__ = "tournament_scores"
    __table_args__ = (PrimaryKeyConstraint("tournament_id", "version_id"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))


class TournamentPair(_Pair, Base):
    """Tally of two versions in a tournament."""

    __tablename__ = "tournament_pairs"
    __table_args__ = (PrimaryKeyConstraint("tournament_id", "a", "b"), CheckConstraint("a < b", name="order"))

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))


class VariantScore(_Score, Base):
    """Tally of one version in all tournaments of a variant."""

    __tablename__ = "variant_scores"
    __table_args__ = (PrimaryKeyConstraint("variant", "version_id"),)

    variant: Mapped[str]


class VariantPair(_Pair, Base):
    """Tally of two versions in all tournaments of a variant."""

    __tablename__ = "variant_pairs"
    __table_args__ = (PrimaryKeyConstraint("variant", "a", "b"), CheckConstraint("a < b", name="order"))

    variant: Mapped[str]
