"""The course of a knockout: after every stage, who goes on, and who meets in the next one.

Of each table the best so many go on that are still in; so where a bot was withdrawn, the next in rank goes on in its
place. A table that could not be played leaves nobody to go on: the tournament pauses until it has been played again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session, selectinload

from arena.db.models import Entry, Table, Tournament
from arena.services import notices
from arena.services.plans import rules_of
from arena.services.shapes import CANCELLED, ELIMINATED, INFRA_FAILED, PAUSED
from arena.tournament.formats.knockout import draw, going_on, is_final


def more(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
    """The tables of the next stage, where one is due; None after the final, or where too few are left for a table."""
    if not tournament.settled:
        return ()
    tables = _latest(session, tournament)
    failed = [table.number for table in tables if table.state == INFRA_FAILED]
    if failed:
        return _stop(session, tournament, failed[0])
    places, advance = len(rules_of(tournament.variant).teams), tournament.shape["advance"]
    alive = _alive(session, tournament)
    points = [_points(table, alive) for table in tables]
    byes = [number for number in alive.values() if not any(number in table for table in points)]
    if is_final(len(tables), len(byes)):
        return None  # nobody is out of a final: it says who came first
    on = going_on(points, byes, places, advance)
    if len(on) < places:
        return None
    for table, sat in zip(tables, points, strict=True):
        _eliminate(session, tournament, sat.keys() - set(on), table.number)
    return draw(on, places).tables


def _latest(session: Session, tournament: Tournament) -> Sequence[Table]:
    """The tables of the latest stage, by number."""
    here = (Table.tournament_id == tournament.id, Table.stage == tournament.stage - 1, Table.state != CANCELLED)
    return session.scalars(select(Table).where(*here).order_by(Table.number).options(selectinload(Table.seats))).all()


def _alive(session: Session, tournament: Tournament) -> dict[int, int]:
    """By version, the numbers of the entries that are in, in their order."""
    here = (Entry.tournament_id == tournament.id, Entry.out.is_(None))
    entries = session.scalars(select(Entry).where(*here).order_by(Entry.number))
    return {entry.version_id: entry.number for entry in entries}


def _points(table: Table, alive: Mapping[int, int]) -> dict[int, int]:
    """What the entries took at a table, of those that are in."""
    return {alive[seat.version_id]: seat.half_points or 0 for seat in table.seats if seat.version_id in alive}


def _eliminate(session: Session, tournament: Tournament, beaten: Collection[int], table: int) -> None:
    """These entries are out, after the table of that number."""
    session.execute(
        update(Entry)
        .where(Entry.tournament_id == tournament.id, Entry.number.in_(beaten))
        .values(out=ELIMINATED, out_after=table)
    )


def _stop(session: Session, tournament: Tournament, number: int) -> tuple[()]:
    """Have the tournament wait for an organiser."""
    tournament.state = PAUSED
    tournament.problem = (
        f"Table {number + 1} could not be played, and without its result nobody knows who goes on. "
        "Have it played again and resume, or cancel the tournament."
    )
    text = f"{tournament.name} stands still: {tournament.problem}"
    notices.tell(session, tournament.created_by_id, text, tournament.id)
    return ()
