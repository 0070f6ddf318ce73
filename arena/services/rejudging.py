"""Rejudging: tables are played again from the same seed, because an organiser has a reason to doubt their results.

What was played before stays, marked as set aside. Where stages build on one another, only tables of the latest can be
judged again by themselves. The whole tournament can be at any time: then later stages are drawn anew from new results.
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from arena.db.models import Entry, Rejudgement, Table, TableSeat, Tournament
from arena.games.errors import NotFound, Refused
from arena.services import stages
from arena.services.announcing import announce
from arena.services.context import Arena
from arena.services.plans import STAGED
from arena.services.setting_aside import call_off, set_aside
from arena.services.shapes import (
    CANCELLED,
    DONE,
    ELIMINATED,
    FINISHED,
    INFRA_FAILED,
    PAUSED,
    QUEUED,
    RUNNING,
    Account,
)
from arena.services.starting import held, is_being_made
from arena.services.tournaments import check_admin
from arena.services.withdrawals import checked_reason


def rejudge(
    arena: Arena, account: Account, tournament_id: int, reason: str, *,
    table_number: int | None = None, version_id: int | None = None,
) -> int:  # fmt: skip
    """Play again a table by its number, all tables of a version, or (neither) all tables; how many those are.

    Raises Refused and NotFound.
    """
    check_admin(account)
    told = checked_reason(reason)
    with arena.transaction() as session:
        tournament = held(session, tournament_id)
        _check_state(tournament)
        whole = table_number is None and version_id is None
        tables = _tables(session, tournament, table_number, version_id)
        if whole and tournament.format in STAGED:
            tables = _draw_anew(session, tournament, tables)
        _check_latest(session, tournament, tables)
        set_aside(session, tournament, tables, QUEUED)
        session.add(
            Rejudgement(
                tournament_id=tournament_id, table_number=table_number, version_id=version_id, reason=told,
                tables=len(tables), created_by_id=account.id,
            )
        )  # fmt: skip
        _go_on(session, tournament)
    stages.advance(arena, tournament_id)
    return len(tables)


def _check_state(tournament: Tournament) -> None:
    if tournament.state not in (RUNNING, PAUSED, FINISHED):
        raise Refused(f"This tournament is {tournament.state}: nothing in it can be judged again.")
    if is_being_made(tournament):
        raise Refused("The tables of this tournament are still being made; try again in a moment.")


def _tables(
    session: Session, tournament: Tournament, table_number: int | None, version_id: int | None
) -> Sequence[int]:
    """The ids of those tables that have been settled by play. Raises Refused where there is none, and NotFound."""
    which: list[ColumnElement[bool]] = [Table.tournament_id == tournament.id]
    if table_number is not None:
        which.append(Table.number == table_number)
        _check_there(session, which, f"There is no table {table_number + 1} in {tournament.name}.")
    if version_id is not None:
        which.append(Table.id.in_(select(TableSeat.table_id).where(TableSeat.version_id == version_id)))
        _check_there(session, which, f"Version {version_id} sits at no table of {tournament.name}.")
    played = select(Table.id).where(*which, Table.state.in_((DONE, INFRA_FAILED))).order_by(Table.id)
    tables = session.scalars(played).all()
    if not tables:
        raise Refused("None of these tables has been played: there is nothing to judge again.")
    return tables


def _check_there(session: Session, which: Sequence[ColumnElement[bool]], sentence: str) -> None:
    if session.scalar(select(Table.id).where(*which).limit(1)) is None:
        raise NotFound(sentence)


def _check_latest(session: Session, tournament: Tournament, tables: Sequence[int]) -> None:
    """Raises Refused where a later stage has been drawn from the results of these tables."""
    if tournament.format not in STAGED:
        return
    first = session.scalars(select(func.min(Table.stage)).where(Table.id == tables[0])).one()
    if first < tournament.stage - 1:
        raise Refused(
            f"Round {first + 2} has been drawn from the results of round {first + 1}. "
            "Have the whole tournament judged again, or only tables of its latest round."
        )


def _draw_anew(session: Session, tournament: Tournament, tables: Sequence[int]) -> Sequence[int]:
    """Take back all stages but the first; the ids of those of the tables that are of that one."""
    later = (Table.tournament_id == tournament.id, Table.stage > 0)
    call_off(session, tournament, *later)
    ids = set(session.scalars(select(Table.id).where(*later)))
    set_aside(session, tournament, [table for table in tables if table in ids], CANCELLED)
    session.execute(
        update(Entry)
        .where(Entry.tournament_id == tournament.id, Entry.out == ELIMINATED)
        .values(out=None, out_after=None)
    )
    tournament.stage = 1
    return [table for table in tables if table not in ids]


def _go_on(session: Session, tournament: Tournament) -> None:
    """A tournament that was over is not any more."""
    if tournament.state == FINISHED:
        tournament.state, tournament.finished, tournament.verdict = RUNNING, None, None
    session.flush()
    announce(session)
