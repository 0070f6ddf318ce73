"""The course of a Swiss tournament: after every round, who meets in the next one."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Tournament
from arena.services import tallies
from arena.services.plans import rules_of
from arena.tournament.formats.swiss import Standing, swiss


def more(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
    """The tables of the next round, where one is due; None after the last, or where too few are left."""
    if not tournament.settled:
        return ()
    if tournament.stage >= tournament.shape["rounds"]:
        return None
    entered = select(Entry).where(Entry.tournament_id == tournament.id).order_by(Entry.number)
    entries = session.scalars(entered).all()
    met = _met(session, tournament, {entry.version_id: entry.number for entry in entries})
    standings = _standings(session, tournament, [entry for entry in entries if entry.out is None])
    return swiss(standings, len(rules_of(tournament.variant).teams), met) or None


def _standings(session: Session, tournament: Tournament, entries: Sequence[Entry]) -> list[Standing]:
    """By share of points, so that a round without a table gives and takes nothing. A table that came to nothing is
    such a round, too."""
    scores = tallies.scores(session, tournament.id)
    standings = []
    for entry in entries:
        score = scores.get(entry.version_id)
        share = Fraction(score.sums.h, score.sums.n) if score else None
        standings.append(Standing(entry.number, share, tournament.stage - (score.sums.tables if score else 0)))
    return standings


def _met(session: Session, tournament: Tournament, numbers: dict[int, int]) -> dict[tuple[int, int], int]:
    """By entries, the smaller first, at how many tables they have met."""
    pairs = tallies.pairs(session, tournament.id)
    return {(min(numbers[a], numbers[b]), max(numbers[a], numbers[b])): sums.tables for (a, b), sums in pairs.items()}
