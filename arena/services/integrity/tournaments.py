"""Integrity of tournaments: settings, states, counters, entries, and the places of their tables; and of schedules."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Attempt, Entry, Match, RatingCursor, Schedule, Table, TableSeat, Tournament
from arena.services.base.states import INSECURE, OVER, UNSETTLED, AttemptOutcome, TableState, TournamentState
from arena.services.formats import comparison, plans
from arena.services.formats.registry import FORMATS
from arena.services.integrity.findings import Repair, Wrong, check_rows, correct
from arena.services.integrity.leases import GRACE
from arena.services.schedules.crons import Cron
from arena.services.tournaments import neighbours

PLANNED: Final = (TournamentState.DRAFT, TournamentState.SCHEDULED)


def settings(session: Session, tournament_id: int) -> Iterator[Wrong]:
    """Check a tournament's plan and seed. Raises `OptionError` if its variant or its options are unknown."""
    row = session.get_one(Tournament, tournament_id)
    yield from map(Wrong, plans.flaws(row, row.seed))


def progress(session: Session, tournament_id: int) -> Iterator[Wrong]:
    """Check that states, times and counters of a tournament agree with its tables."""
    row = session.get_one(Tournament, tournament_id)
    yield from _counters(session, row)
    yield from _stage(session, row)
    yield from _fold(session, row)
    yield from _state(session, row)
    yield from _times(session, row)
    yield from _verdict(session, row)


def _counters(session: Session, row: Tournament) -> Iterator[Wrong]:
    states = select(Table.state, func.count()).where(Table.tournament_id == row.id).group_by(Table.state)
    counts = {one.state: one[1] for one in session.execute(states)}
    counted = {
        "tables_total": sum(counts.values()),
        "tables_done": counts.get(TableState.DONE, 0),
        "tables_failed": counts.get(TableState.INFRA_FAILED, 0),
        "tables_cancelled": counts.get(TableState.CANCELLED, 0),
        "tables_insecure": _insecure(session, row.id),
    }
    wrong = {name: right for name, right in counted.items() if getattr(row, name) != right}
    # A missing table must not be hidden by a new total.
    lost = "tables_total" in wrong and next(neighbours.miscounted(session, row), None) is not None
    for name, right in wrong.items():
        repair = None if lost else correct(Tournament, {name: right}, id=row.id)
        yield Wrong(f"its {name} is {getattr(row, name)}, but its tables give {right}", repair)


def _insecure(session: Session, tournament_id: int) -> int:
    here = (Table.tournament_id == tournament_id, Match.cage == INSECURE, Match.superseded.is_(False))
    return session.scalars(select(func.count(Match.table_id.distinct())).join(Table).where(*here)).one()


def _stage(session: Session, row: Tournament) -> Iterator[Wrong]:
    """Check the number of stages. Rejudging a tournament cancels later stages, and their tables stay."""
    here = (Table.tournament_id == row.id,)
    highest = session.scalar(select(func.max(Table.stage)).where(*here))
    current = session.scalar(select(func.max(Table.stage)).where(*here, Table.state != TableState.CANCELLED))
    if (-1 if highest is None else highest) < row.stage - 1 or (current is not None and current > row.stage):
        yield Wrong(f"its tables go up to stage {highest}; {row.stage} stages exist")


def _fold(session: Session, row: Tournament) -> Iterator[Wrong]:
    """Check how far the tournament has been rated, tallied and fitted."""
    here = Table.tournament_id == row.id
    mark = session.scalar(select(func.min(Table.number)).where(here, Table.state.in_(UNSETTLED)))
    if mark is None:
        mark = session.scalars(select(func.count()).where(here)).one()
    if not 0 <= row.folded <= mark:
        right = min(max(row.folded, 0), mark)
        what = f"its first {row.folded} tables count as rated, but table number {mark} is not settled"
        yield Wrong(what, correct(Tournament, {"folded": right}, id=row.id))
    yield from _results(session, row)
    if not 0 <= row.fitted <= row.results:
        what = f"its strengths are fitted to {row.fitted} changes of its results, but there were {row.results}"
        yield Wrong(what, correct(Tournament, {"fitted": 0}, id=row.id))
    if not 0 <= row.balanced_from <= row.tables_total:
        yield Wrong(f"its places are balanced from table {row.balanced_from} on; it has {row.tables_total} tables")


def _results(session: Session, row: Tournament) -> Iterator[Wrong]:
    """Check the number of changes of results: one for each result that counts, two for each that was set aside.

    Results that were set aside by releases before the tallies of game points were not counted.
    """
    here = Table.tournament_id == row.id
    done = session.scalars(select(func.count()).where(here, Table.state == TableState.DONE)).one()
    if row.results < done or (row.results - done) % 2:
        aside = select(func.count()).select_from(Attempt).join(Table).where(here)
        right = done + 2 * session.scalars(aside.where(Attempt.outcome == AttemptOutcome.SUPERSEDED)).one()
        what = f"{row.results} changes of its results are counted, but its tables give {right}"
        yield Wrong(what, _recount(row, right))


def _recount(row: Tournament, right: int) -> Repair:
    """Return the repair of the number of changes of results. Strengths are fitted again."""

    def repair(session: Session) -> None:
        correct(Tournament, {"results": right, "fitted": 0}, id=row.id)(session)
        correct(RatingCursor, {"fitted": 0}, variant=row.variant)(session)

    return repair


def _state(session: Session, row: Tournament) -> Iterator[Wrong]:
    open_tables = select(func.count()).where(Table.tournament_id == row.id, Table.state.in_(UNSETTLED))
    waiting = session.scalars(open_tables).one()
    if row.state in PLANNED and (row.tables_total or _entered(session, row)):
        yield Wrong(f"it is {row.state}, but it has {_entered(session, row)} entries and {row.tables_total} tables")
    if row.state == TournamentState.SCHEDULED and row.starts_at is None:
        yield Wrong("it is scheduled, but for no time")
    if row.state in OVER and waiting:
        yield Wrong(f"it is {row.state}, but {waiting} of its tables are not settled")
    if row.state == TournamentState.RUNNING and not waiting and _stands_still(session, row):
        yield Wrong(
            f"it is running, but all its {row.tables_total} tables are settled, and it has not advanced", heals=True
        )


def _entered(session: Session, row: Tournament) -> int:
    return session.scalars(select(func.count()).where(Entry.tournament_id == row.id)).one()


def _stands_still(session: Session, row: Tournament) -> bool:
    """Return whether two sweeps have failed to advance a tournament whose tables are all settled."""
    if row.format not in FORMATS or FORMATS[row.format].ongoing:
        return False
    since = func.coalesce(_last_finish(row), row.started, 0)
    return bool(session.scalars(select(since < now() - GRACE)).one())


def _last_finish(row: Tournament) -> Any:
    return select(func.max(Table.finished)).where(Table.tournament_id == row.id).scalar_subquery()


def _times(session: Session, row: Tournament) -> Iterator[Wrong]:
    """Check that a tournament has the times that its state requires. Cancelled ones may never have started."""
    started = row.state in (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED)
    first = select(func.min(Attempt.started)).join(Table).where(Table.tournament_id == row.id).scalar_subquery()
    if (started or row.tables_total) and row.started is None:
        yield Wrong(f"it is {row.state}, but has not started", _time(row, "started", func.coalesce(first, row.created)))
    if row.state in PLANNED and row.started is not None:
        yield Wrong(f"it is {row.state}, but has started")
    if (row.finished is None) == (row.state in OVER):
        right = func.coalesce(_last_finish(row), row.started, row.created) if row.state in OVER else None
        yield Wrong(f"it is {row.state}, but its time of finishing is {row.finished}", _time(row, "finished", right))


def _time(row: Tournament, column: str, right: Any) -> Repair:
    return correct(Tournament, {column: right}, id=row.id)


def _verdict(session: Session, row: Tournament) -> Iterator[Wrong]:
    """Check that a comparison has a verdict once it has finished, and the one that its tables give."""
    if row.format != comparison.Comparison.id:
        return
    right = comparison.final_verdict(session, row) if row.state == TournamentState.FINISHED else None
    if _decision(row.verdict) != _decision(right):
        yield Wrong(f"its verdict is {row.verdict}, but its tables give {right}", _time(row, "verdict", right))


def _decision(verdict: dict[str, Any] | None) -> tuple[Any, Any] | None:
    """Return what a verdict says, without its interval, whose last bits depend on the machine."""
    return None if verdict is None else (verdict.get("decision"), verdict.get("tables"))


def entries(session: Session, tournament_id: int) -> Iterator[Wrong]:
    """Check a tournament's entries, and that only they sit at its tables."""
    entered = select(Entry.number).where(Entry.tournament_id == tournament_id).order_by(Entry.number)
    if (numbers := list(session.scalars(entered))) != list(range(len(numbers))):
        yield Wrong(f"its entries are numbered {numbers}; they must be numbered from 0 without gaps")
    yield from _strangers(session, tournament_id)


def _strangers(session: Session, tournament_id: int) -> Iterator[Wrong]:
    """Check that all bots at the tables are entered."""
    entered = select(Entry.number).where(Entry.tournament_id == tournament_id, Entry.version_id == TableSeat.version_id)
    seats = select(TableSeat.table_id, TableSeat.version_id).join(Table).where(Table.tournament_id == tournament_id)
    for seat in session.execute(seats.where(~entered.exists()).order_by(TableSeat.table_id)):
        yield Wrong(f"version {seat.version_id} sits at table {seat.table_id}, but is not entered")


def places(session: Session, tournament_id: int) -> Iterator[Wrong]:
    """Check the order of a tournament's tables, their places, and the stored balance of places."""
    row = session.get_one(Tournament, tournament_id)
    numbers = select(Table.id, Table.number).where(Table.tournament_id == tournament_id).order_by(Table.id)
    for number, table in enumerate(session.execute(numbers.execution_options(yield_per=1000))):
        if table.number != number:
            yield Wrong(f"table {table.id} has the number {table.number} instead of {number}: numbers follow the IDs")
            return
    yield from map(Wrong, neighbours.misplaced(session, row))
    recount = partial(neighbours.recount, tournament=row)
    yield from (Wrong(what, recount) for what in neighbours.miscounted(session, row))


def schedule(session: Session, schedule_id: int) -> tuple[Wrong, ...]:
    """Check a schedule's settings. Raises `Refused` and `OptionError` if its plan or its times are invalid."""
    row = session.get_one(Schedule, schedule_id)
    plans.from_json(row.plan)
    Cron(row.cron, row.zone)
    return ()


CHECKS = (
    check_rows("schedule", Schedule, schedule),
    check_rows("tournament", Tournament, settings),
    check_rows("tournament", Tournament, entries),
    check_rows("tournament", Tournament, places),
    check_rows("tournament", Tournament, progress),
)
