"""Stages of a tournament, for its page."""

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Table, Tournament
from arena.services.formats.registry import FORMATS
from arena.services.formats.seats import not_cancelled
from arena.services.formats.views import StandingRow
from arena.services.tables.rows import table_rows
from arena.services.tables.views import TableRow
from arena.services.tournaments.views import Bye, StageRow

SHOWN: Final = 300
"""Largest number of tables listed, the latest stages first."""


def stage_rows(session: Session, tournament: Tournament, standings: Sequence[StandingRow]) -> tuple[StageRow, ...]:
    """Return the stages created so far, first to last; none if the format has a single stage."""
    stages = FORMATS[tournament.format].stages(session, tournament, standings)
    listed = _listed(session, tournament) if stages else {}
    return tuple(
        StageRow(
            number,
            stage.title,
            tuple(listed.get(number, ())),
            _names(standings, stage.byes),
            tuple(sorted(stage.through)),
        )
        for number, stage in enumerate(stages)
    )


def _names(standings: Sequence[StandingRow], versions: Collection[int]) -> tuple[Bye, ...]:
    rows = sorted((row for row in standings if row.version_id in versions), key=lambda row: row.seed)
    return tuple(Bye(row.seed, row.bot_id, row.bot, row.version_id, row.version) for row in rows)


def _listed(session: Session, tournament: Tournament) -> dict[int, list[TableRow]]:
    """Return the rows of the latest tables by stage; a stage is listed completely or not at all."""
    latest = select(Table.id).where(*not_cancelled(tournament)).order_by(Table.number.desc()).limit(SHOWN + 1)
    ids = session.scalars(latest).all()
    rows: dict[int, list[TableRow]] = {}
    for row in table_rows(session, ids[::-1]):
        rows.setdefault(row.stage, []).append(row)
    if len(ids) > SHOWN:
        rows.pop(min(rows))  # some of its tables may be missing
    return rows
