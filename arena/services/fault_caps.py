"""The cap on faults: who fails in more matches than an organiser allows is withdrawn.

Faults are counted over tables in their order, as far as all before them are settled. So it depends on results alone
after which table a bot is out, not on who finished first: what it played later than that is set aside.
"""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament, TournamentScore
from arena.services.shapes import DONE, FAULTS, UNSETTLED
from arena.services.taking_out import take_out, tell_owner


def suspects(session: Session, tournament: Tournament) -> Sequence[int]:
    """The versions that have more faults than are allowed, in whatever tables, and are not out."""
    if tournament.fault_cap is None or tournament.stage == 0:
        return []
    return session.scalars(
        select(Entry.version_id)
        .join(
            TournamentScore,
            (TournamentScore.tournament_id == Entry.tournament_id) & (TournamentScore.version_id == Entry.version_id),
        )
        .where(Entry.tournament_id == tournament.id, Entry.out.is_(None))
        .where(TournamentScore.faults > tournament.fault_cap)
        .order_by(Entry.number)
    ).all()


def judge(session: Session, tournament: Tournament) -> bool:
    """Withdraw from a held tournament whoever is the next over its cap; whether anybody was.

    One at a time: what a withdrawal sets aside does not count for others, and each locks what it changes in one order.
    """
    mark = first_unsettled(session, tournament)
    crossings = [(_crossing(session, tournament, version, mark), version) for version in suspects(session, tournament)]
    crossed = [(table, version) for table, version in crossings if table is not None]
    if not crossed:
        return False
    table, version = min(crossed, key=lambda crossing: crossing[0])  # of equals, who was entered first
    take_out(session, tournament, version, FAULTS, table)
    reason = f"it failed in more than {tournament.fault_cap} matches, the last time at table {table + 1}"
    tell_owner(session, tournament, version, reason)
    return True


def first_unsettled(session: Session, tournament: Tournament) -> int:
    """The number of the first table to which something may still happen, or how many tables there are."""
    here = Table.tournament_id == tournament.id
    firsts = [session.scalar(select(func.min(Table.number)).where(here, Table.state == state)) for state in UNSETTLED]
    return min((first for first in firsts if first is not None), default=tournament.tables_total)


def _crossing(session: Session, tournament: Tournament, version: int, mark: int) -> int | None:
    """The number of the table before `mark` with which the version has more faults than are allowed."""
    cap = tournament.fault_cap or 0
    failed = session.execute(
        select(Table.number, TableSeat.faults)
        .join(TableSeat, TableSeat.table_id == Table.id)
        .where(Table.tournament_id == tournament.id, Table.state == DONE, Table.number < mark)
        .where(TableSeat.version_id == version, TableSeat.faults > 0)
        .order_by(Table.number)
        .limit(cap + 1)
    )
    faults = 0
    for number, more in failed:
        faults += more
        if faults > cap:
            return int(number)
    return None
