"""The course of a comparison: is one version better than another, at duplicate tables in a mixed field?

Both versions sit at every table, so luck is the same for both. The sequential test (`arena.tournament.sequential`)
looks at tables in their order, and only at those before which everything is settled. So the answer, and the table that
gave it, depend on results alone; what was played beyond that table while nobody knew is set aside.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament
from arena.services.fault_caps import first_unsettled
from arena.services.plans import rules_of
from arena.services.setting_aside import set_aside
from arena.services.shapes import CANCELLED, DONE
from arena.tournament.formats import comparison
from arena.tournament.sequential import SequentialTest, Verdict
from arena.tournament.tables import kind_of

WAITING: Final = 16
"""So many tables are made ahead; that many at most are played in vain."""
LOOK_EVERY: Final = 4
"""With every so many tables it is looked whether there is an answer: it takes a while."""


class Lead(NamedTuple):
    """What a table says."""

    number: int
    ahead: int
    """Half points of B less those of A."""
    most: int
    """The most that it could be."""


def sequential_test(shape: Mapping[str, Any]) -> SequentialTest:
    """The test that the numbers of a comparison ask for."""
    return SequentialTest(delta=shape["delta"], most_tables=shape["most"])


def more(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
    """The tables to make now in a comparison that is held; None where there is an answer, or there will be none."""
    unsettled = tournament.tables_total - tournament.tables_settled
    if unsettled > WAITING // 2 and tournament.tables_settled % LOOK_EVERY:
        return ()
    played = leads(session, tournament)
    verdict = sequential_test(tournament.shape).state((lead.ahead, lead.most) for lead in played)
    tables = [] if verdict.decision != "running" else _tables(session, tournament, _wanted(tournament, played))
    if tables or (unsettled and verdict.decision == "running"):
        return tables
    _end(session, tournament, verdict, played)
    return None


def leads(session: Session, tournament: Tournament) -> list[Lead]:
    """What the tables say, in their order, up to the first that is not settled; those that failed say nothing."""
    versions = (tournament.shape["a"], tournament.shape["b"])
    mark = first_unsettled(session, tournament)
    rows = session.execute(
        select(Table.number, TableSeat.version_id, TableSeat.half_points)
        .join(TableSeat, TableSeat.table_id == Table.id)
        .where(Table.tournament_id == tournament.id, Table.state == DONE, Table.number < mark)
        .where(TableSeat.version_id.in_(versions))
        .order_by(Table.number)
    )
    points: dict[int, dict[int, Any]] = {}
    for number, version, half_points in rows:
        points.setdefault(number, {})[version] = half_points
    most = kind_of(rules_of(tournament.variant).teams, len(versions), tournament.seatings)
    return list(_leads(points, *versions, most.most_half_points(tournament.boards)))


def _leads(points: Mapping[int, Mapping[int, int]], a: int, b: int, most: int) -> Iterator[Lead]:
    for number, taken in points.items():
        yield Lead(number, taken[b] - taken[a], most)


def _wanted(tournament: Tournament, played: Sequence[Lead]) -> int:
    """How many more to make: a few ahead, as many in all as the test may have, and as many again for failures."""
    unsettled = tournament.tables_total - tournament.tables_settled
    most: int = tournament.shape["most"]
    return max(0, min(WAITING - unsettled, most - len(played) - unsettled, 2 * most - tournament.tables_total))


def _tables(session: Session, tournament: Tournament, wanted: int) -> Sequence[Sequence[int]]:
    entries = session.scalars(select(func.count()).where(Entry.tournament_id == tournament.id)).one()
    places = kind_of(rules_of(tournament.variant).teams, entries).places
    return comparison(range(2, entries), places, tournament.tables_total, wanted)


def _end(session: Session, tournament: Tournament, verdict: Verdict, played: Sequence[Lead]) -> None:
    """Keep the verdict, and have nothing count that came after the table that gave it."""
    decision = "undecided" if verdict.decision == "running" else verdict.decision
    tournament.verdict = as_json(verdict._replace(decision=decision))
    if verdict.decision in ("better", "not better"):
        last = played[verdict.tables - 1].number
        late = select(Table.id).where(Table.tournament_id == tournament.id, Table.number > last)
        set_aside(session, tournament, session.scalars(late).all(), CANCELLED)


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as it is stored: its fields, with the interval as a list of two or None."""
    told = verdict._asdict()
    return {**told, "interval": list(verdict.interval) if verdict.interval else None}
