"""Round robin: every combination of bots meets."""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Tournament
from arena.services.formats.base import Number, Shape, SingleStage, places, rounds
from arena.tournament.formats import round_robin
from arena.tournament.formats.base import Cost
from arena.words import N_


class RoundRobin(SingleStage):
    """Every combination of bots meets."""

    id = round_robin.NAME
    title = round_robin.TITLE
    summary = round_robin.SUMMARY
    order = 1
    fields = (Number("rounds", N_("Rounds"), N_("Number of meetings of every combination of bots."), 1, 1, 1000),)
    solitaire = True

    def describe(self, shape: Shape) -> str:
        return rounds(shape["rounds"])

    def cost(self, shape: Shape, entries: int, places: int) -> Cost:
        return round_robin.cost(entries, places, shape["rounds"])

    def tables(self, entries: int, places: int, shape: Shape) -> Iterator[Sequence[int]]:
        return round_robin.tables(entries, places, shape["rounds"])

    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
        """Return all tables once, and at a solitaire the tables that replace cancelled ones."""
        tables = super().next_tables(session, tournament)
        return _replacements(session, tournament) if tables is None and places(tournament) == 1 else tables


def _replacements(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
    """Return the tables that replace those of a solitaire that were cancelled when an entry was withdrawn.

    All entries sit at each table of a solitaire, so the others would lose it, too.
    """
    here = (Entry.tournament_id == tournament.id, Entry.out.is_(None))
    alive = session.scalars(select(Entry.number).where(*here).order_by(Entry.number)).all()
    played = tournament.tables_done + tournament.tables_failed
    missing = round_robin.solitaire_replacements(alive, tournament.shape["rounds"], played)
    if not missing:
        return None
    return missing if tournament.settled else ()
