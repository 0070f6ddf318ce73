"""First faults: the first match of a rated tournament in which a version fails is an event."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Table, TableSeat, Tournament, Version
from arena.services.events import log
from arena.services.events.kinds import EventKind


def note_first(session: Session, tables: Sequence[int]) -> None:
    """Note the first faults of versions at these tables, on which a result with faults was just stored."""
    if not tables:
        return
    failed = (
        select(TableSeat.version_id, Tournament.id, Table.id)
        .join(Table, Table.id == TableSeat.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(Table.id.in_(tables), TableSeat.faults > 0, Tournament.rated)
        .order_by(Table.id.desc())
    )
    first = {version: (tournament, table) for version, tournament, table in session.execute(failed)}
    # Locked in order, to avoid a deadlock with another worker that stores faults of the same versions.
    unknown = select(Version).where(Version.id.in_(first), Version.faulted.is_(None)).order_by(Version.id)
    for version in session.scalars(unknown.with_for_update(of=Version)):
        tournament, table = first[version.id]
        version.faulted = session.scalars(select(now())).one()
        found = session.get_one(Tournament, tournament)
        log.note_version(session, EventKind.VERSION_FAULTED, version, found, table=table)
