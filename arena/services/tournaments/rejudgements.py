"""Rejudge tables: replay them from the same seed when an organiser has a reason to doubt their results.

Earlier results are kept, marked as set aside. In staged formats only tables of the latest stage can be rejudged
individually. The whole tournament can be rejudged at any time; later stages are then drawn again from the new results.
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from arena.db.models import Entry, Rejudgement, Table, TableSeat, Tournament
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.states import REPLAYABLE, Exit, TableState, TournamentState
from arena.services.formats.registry import FORMATS
from arena.services.people import audit
from arena.services.queue.announcements import announce
from arena.services.queue.cancellations import cancel_tables, set_aside
from arena.services.tournaments import stages
from arena.services.tournaments.starts import check_played_here, is_being_created, lock_tournament, state_clause
from arena.services.tournaments.withdrawals import checked_reason
from arena.words import _


def rejudge(
    arena: Arena, account: Account, tournament_id: int, reason: str, *,
    table_number: int | None = None, version_id: int | None = None,
) -> int:  # fmt: skip
    """Replay the table with this number, all tables of a version, or by default all tables.

    Returns the number of tables. Raises `Refused` and `NotFound`.
    """
    check_organiser(account)
    stated = checked_reason(reason)
    with arena.transaction() as session:
        tournament = lock_tournament(session, tournament_id)
        _check_state(tournament)
        whole = table_number is None and version_id is None
        tables = _tables(session, tournament, table_number, version_id)
        if whole and FORMATS[tournament.format].staged:
            tables = _discard_later_stages(session, tournament, tables)
        _check_latest(session, tournament, tables)
        set_aside(session, tournament, tables, TableState.QUEUED)
        session.add(
            Rejudgement(
                tournament_id=tournament_id, table_number=table_number, version_id=version_id, reason=stated,
                tables=len(tables), created_by_id=account.id,
            )
        )  # fmt: skip
        audit.note(
            session, account, "replayed tables", f"tournament {tournament_id}", f"tables: {len(tables)}; {stated}"
        )
        reopen(session, tournament)
    stages.advance(arena, tournament_id)
    return len(tables)


def _check_state(tournament: Tournament) -> None:
    check_played_here(tournament)
    if tournament.state not in REPLAYABLE:
        raise Conflict(_("Cannot replay tables: %(state)s.", state=state_clause(tournament)))
    if is_being_created(tournament):
        raise Conflict(_("The tables of this tournament are still being created; try again in a moment."))


def _tables(
    session: Session, tournament: Tournament, table_number: int | None, version_id: int | None
) -> Sequence[int]:
    """Return the IDs of the selected tables that are settled by play. Raises `Refused` if none is, and `NotFound`."""
    which: list[ColumnElement[bool]] = [Table.tournament_id == tournament.id]
    if table_number is not None:
        which.append(Table.number == table_number)
        refusal = _("There is no table %(number)s in %(name)s.", number=table_number + 1, name=tournament.name)
        _check_exists(session, which, refusal)
    if version_id is not None:
        which.append(Table.id.in_(select(TableSeat.table_id).where(TableSeat.version_id == version_id)))
        refusal = _("Version %(id)s sits at no table of %(name)s.", id=version_id, name=tournament.name)
        _check_exists(session, which, refusal)
    played = (
        select(Table.id).where(*which, Table.state.in_((TableState.DONE, TableState.INFRA_FAILED))).order_by(Table.id)
    )
    tables = session.scalars(played).all()
    if not tables:
        raise Refused(_("Nothing to replay: none of these tables has been played."))
    return tables


def _check_exists(session: Session, which: Sequence[ColumnElement[bool]], sentence: str) -> None:
    if session.scalar(select(Table.id).where(*which).limit(1)) is None:
        raise NotFound(sentence)


def _check_latest(session: Session, tournament: Tournament, tables: Sequence[int]) -> None:
    """Raise `Refused` if a later stage has been drawn from the results of these tables."""
    if not FORMATS[tournament.format].staged:
        return
    first = session.scalars(select(func.min(Table.stage)).where(Table.id == tables[0])).one()
    if first < tournament.stage - 1:
        raise Refused(
            _(
                "Round %(next)s has been drawn from the results of round %(round)s. "
                "Replay the whole tournament, or only tables of its latest round.",
                next=first + 2,
                round=first + 1,
            )
        )


def _discard_later_stages(session: Session, tournament: Tournament, tables: Sequence[int]) -> Sequence[int]:
    """Cancel all stages after the first and readmit eliminated entries. Returns the given tables of the first stage."""
    later = (Table.tournament_id == tournament.id, Table.stage > 0)
    cancel_tables(session, tournament, *later)
    ids = set(session.scalars(select(Table.id).where(*later)))
    set_aside(session, tournament, [table for table in tables if table in ids], TableState.CANCELLED)
    session.execute(
        update(Entry)
        .where(Entry.tournament_id == tournament.id, Entry.out == Exit.ELIMINATED)
        .values(out=None, out_after=None)
    )
    tournament.stage = 1
    return [table for table in tables if table not in ids]


def reopen(session: Session, tournament: Tournament) -> None:
    """Set a finished tournament running again, and announce its tables."""
    if tournament.state == TournamentState.FINISHED:
        tournament.state, tournament.finished, tournament.verdict = TournamentState.RUNNING, None, None
    session.flush()
    announce(session)
