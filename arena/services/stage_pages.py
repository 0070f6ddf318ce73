"""The stages of a Swiss tournament and of a knockout, as its page shows them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from arena.db.models import Table, TableSeat, Tournament
from arena.services.plans import STAGED, SWISS
from arena.services.shapes import CANCELLED, EntryName, StageRow, StandingRow, TableRow
from arena.services.table_rows import table_rows

SHOWN: Final = 300
"""So many tables are listed, the latest stage first."""

Seats = Mapping[int, Collection[int]]
"""By stage, the versions that sat at its tables."""


def stage_rows(session: Session, tournament: Tournament, standings: Sequence[StandingRow]) -> tuple[StageRow, ...]:
    """The stages that have been made, the first one first; none of a format that has but one."""
    if tournament.format not in STAGED:
        return ()
    seats, listed = _seats(session, tournament), _listed(session, tournament)
    if tournament.format == SWISS:
        return tuple(_rounds(session, tournament, standings, seats, listed))
    return tuple(_knockout(tournament, standings, seats, listed))


def _rounds(
    session: Session, tournament: Tournament, standings: Sequence[StandingRow], seats: Seats,
    listed: Mapping[int, Sequence[TableRow]],
) -> list[StageRow]:  # fmt: skip
    firsts = _firsts(session, tournament)
    rounds = []
    for number in range(tournament.stage):
        here, first = seats.get(number, ()), firsts.get(number, 0)
        out = [row for row in standings if row.version_id not in here and _plays_on(row, first)]
        rounds.append(StageRow(number, f"Round {number + 1}", tuple(listed.get(number, ())), _names(out)))
    return rounds


def _plays_on(row: StandingRow, first: int) -> bool:
    """Whether an entry was in when the table of that number was made."""
    return row.out is None or (row.out_after is not None and row.out_after >= first)


def _knockout(
    tournament: Tournament, standings: Sequence[StandingRow], seats: Seats, listed: Mapping[int, Sequence[TableRow]]
) -> list[StageRow]:
    alive = {row.version_id for row in standings if row.out is None}
    on: Collection[int] = ()
    stages: list[StageRow] = []
    for number in reversed(range(tournament.stage)):
        here, tables = set(seats.get(number, ())), tuple(listed.get(number, ()))
        byes = [row for row in standings if row.version_id in alive - here]
        final = not stages and len(tables) == 1 and not byes
        title = "Final" if final else f"Stage {number + 1}"
        stages.append(StageRow(number, title, tables, _names(byes), frozenset(here.intersection(on))))
        on = alive = alive | here
    return stages[::-1]


def _names(rows: Sequence[StandingRow]) -> tuple[EntryName, ...]:
    ordered = sorted(rows, key=lambda row: row.seed)
    return tuple(EntryName(row.seed, row.bot_id, row.bot, row.version_id, row.version) for row in ordered)


def _counts(tournament: Tournament) -> tuple[ColumnElement[bool], ...]:
    return (Table.tournament_id == tournament.id, Table.state != CANCELLED)


def _seats(session: Session, tournament: Tournament) -> Seats:
    found = session.execute(
        select(Table.stage, TableSeat.version_id)
        .join(TableSeat, TableSeat.table_id == Table.id)
        .where(*_counts(tournament))
    )
    seats: dict[int, set[int]] = {}
    for stage, version in found:
        seats.setdefault(stage, set()).add(version)
    return seats


def _firsts(session: Session, tournament: Tournament) -> dict[int, int]:
    """By stage, the number of its first table."""
    firsts = select(Table.stage, func.min(Table.number)).where(*_counts(tournament)).group_by(Table.stage)
    return {row.stage: row[1] for row in session.execute(firsts)}


def _listed(session: Session, tournament: Tournament) -> dict[int, list[TableRow]]:
    """By stage, the rows of its tables, as far as there is room."""
    latest = select(Table.id).where(*_counts(tournament)).order_by(Table.number.desc()).limit(SHOWN + 1)
    ids = session.scalars(latest).all()
    rows: dict[int, list[TableRow]] = {}
    for row in table_rows(session, ids[::-1]):
        rows.setdefault(row.stage, []).append(row)
    if len(ids) > SHOWN:
        rows.pop(min(rows))  # it may be there in part
    return rows
