"""Comparison: a test of whether one version is better than another.

Both versions sit at every table, which is played in both orders of the two on the same boards, so luck is equal for
both. A table is one observation. The sequential test (`arena.tournament.sequential`) reads tables in order, up to the
first that is not settled. So the answer, and the table that gave it, depend on results alone; tables beyond that one,
played before the answer was known, are set aside.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament
from arena.services.base.states import TableState
from arena.services.formats.base import Format, OwnPage, Shape, kind, places
from arena.services.queue.cancellations import set_aside
from arena.services.queue.claims import first_unsettled
from arena.tournament.formats import comparison
from arena.tournament.formats.comparison import TableLead
from arena.tournament.sequential import RISK, Answer, SequentialTest
from arena.words import _

CAUTION: Final = RISK / 0.05
"""Factor on a promised risk of wrong answers, to allow for tables that depend on each other."""


class Comparison(Format):
    """Two versions in a mixed field, until the test ends."""

    id = comparison.NAME
    title = comparison.TITLE
    summary = comparison.SUMMARY
    order = 7
    own_page = OwnPage("comparisons.new", "comparisons.show", {"tournament_id": "id"})
    ongoing = True
    solitaire = True
    withdrawable = False
    cancelled_by_creator = True

    def describe(self, shape: Shape) -> str:
        return _("until the answer is clear")

    def may_be_due(self, session: Session, tournament: Tournament) -> bool:
        """Return whether it is time to run the test."""
        unsettled = tournament.tables_total - tournament.tables_settled
        return comparison.is_due(tournament.tables_settled, unsettled)

    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
        """Return some more tables; None once there is an answer, or if there will be none."""
        if not self.may_be_due(session, tournament):
            return ()
        unsettled = tournament.tables_total - tournament.tables_settled
        played = leads(session, tournament)
        verdict = sequential_test(tournament.shape).state((lead.ahead, lead.most) for lead in played)
        open_ended = verdict.decision == "running"
        wanted = comparison.wanted(tournament.tables_total, unsettled, len(played), tournament.shape["most"])
        tables = _tables(session, tournament, wanted) if open_ended else []
        if tables or (unsettled and open_ended):
            return tables
        _end(session, tournament, verdict, played)
        return None


def sequential_test(shape: Shape) -> SequentialTest:
    """Return the test that a comparison's shape describes. Those of assignments have a target and a risk, too."""
    risk = shape.get("risk", RISK)
    return SequentialTest(shape["delta"], risk, risk, shape["most"], shape.get("target", 0.0))


def final_verdict(session: Session, tournament: Tournament) -> dict[str, Any]:
    """Return the verdict of a finished comparison, as stored, from its tables."""
    played = leads(session, tournament)
    return _final(sequential_test(tournament.shape).state((lead.ahead, lead.most) for lead in played))


def leads(session: Session, tournament: Tournament) -> list[TableLead]:
    """Return the leads in table order, up to the first table that is not settled; failed tables are left out."""
    versions = (tournament.shape["a"], tournament.shape["b"])
    mark = first_unsettled(session, tournament)
    rows = session.execute(
        select(Table.number, TableSeat.version_id, TableSeat.half_points)
        .join(TableSeat, TableSeat.table_id == Table.id)
        .where(Table.tournament_id == tournament.id, Table.state == TableState.DONE, Table.number < mark)
        .where(TableSeat.version_id.in_(versions))
        .order_by(Table.number)
    )
    points: dict[int, dict[int, Any]] = {}
    for number, version, half_points in rows:
        points.setdefault(number, {})[version] = half_points
    most = kind(tournament.variant, tournament.seatings, len(versions))
    return list(_leads(points, *versions, most.most_half_points(tournament.boards)))


def _leads(points: Mapping[int, Mapping[int, int]], a: int, b: int, most: int) -> Iterator[TableLead]:
    for number, taken in points.items():
        yield TableLead(number, taken[b] - taken[a], most)


def _tables(session: Session, tournament: Tournament, wanted: int) -> Sequence[Sequence[int]]:
    entries = session.scalars(select(func.count()).where(Entry.tournament_id == tournament.id)).one()
    return comparison.tables(range(2, entries), places(tournament), tournament.tables_total, wanted)


def _end(session: Session, tournament: Tournament, verdict: Answer, played: Sequence[TableLead]) -> None:
    """Store the verdict, and set aside the tables after the one that decided."""
    tournament.verdict = _final(verdict)
    if verdict.decision in ("better", "not better"):
        last = played[verdict.tables - 1].number
        late = select(Table.id).where(Table.tournament_id == tournament.id, Table.number > last)
        set_aside(session, tournament, session.scalars(late).all(), TableState.CANCELLED)


def _final(verdict: Answer) -> dict[str, Any]:
    decision = "undecided" if verdict.decision == "running" else verdict.decision
    return as_json(verdict._replace(decision=decision))


def as_json(verdict: Answer) -> dict[str, Any]:
    """Return the verdict as stored: its fields, with the interval as a list of two or None."""
    return {**verdict._asdict(), "interval": list(verdict.interval) if verdict.interval else None}
