"""Fault cap: withdraw bots that fail in more matches than the organiser allows.

Faults are counted in table order, up to the first unsettled table. So the table after which a bot is withdrawn depends
on results alone, not on finishing order; the results of its later tables are set aside.
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament, TournamentScore
from arena.services.base.states import Exit, TableState
from arena.services.queue.claims import first_unsettled
from arena.services.tournaments.exits import notify_team, withdraw_version


def suspects(session: Session, tournament: Tournament) -> Sequence[int]:
    """Return the versions over the fault cap that are still in, counting all tables in any order."""
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


def enforce(session: Session, tournament: Tournament) -> bool:
    """Withdraw the first version over the fault cap from a locked tournament. Returns whether there was one.

    Only one is withdrawn at a time, because results that its withdrawal sets aside no longer count against others, and
    so that each withdrawal takes its locks in order.
    """
    mark = first_unsettled(session, tournament)
    crossings = [(_crossing(session, tournament, version, mark), version) for version in suspects(session, tournament)]
    crossed = [(table, version) for table, version in crossings if table is not None]
    if not crossed:
        return False
    table, version = min(crossed, key=lambda crossing: crossing[0])  # ties go to the earlier entry
    withdraw_version(session, tournament, version, Exit.FAULTS, table)
    notify_team(session, tournament, version, table)
    return True


def _crossing(session: Session, tournament: Tournament, version: int, mark: int) -> int | None:
    """Return the number of the table before `mark` at which the version exceeds the fault cap; None if it does not."""
    cap = tournament.fault_cap or 0
    failed = session.execute(
        select(Table.number, TableSeat.faults)
        .join(TableSeat, TableSeat.table_id == Table.id)
        .where(Table.tournament_id == tournament.id, Table.state == TableState.DONE, Table.number < mark)
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
