"""Tallies: what results add up to by bot and by pair, so that no page has to add.

They are kept in the transaction that stores a result or sets one aside. All are sums of whole numbers over tables
(`arena.tournament.pairs` says what a table adds), so the order in which tables finish changes nothing, and the same
can be computed from the results at any time: `check` does, and `rebuild` writes it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import add as plus
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, bindparam, delete, func, insert, or_, select, text
from sqlalchemy.orm import Session

from arena.db.models import (
    Match,
    MatchSeat,
    Table,
    TableSeat,
    Tournament,
    TournamentPair,
    TournamentScore,
    VariantPair,
    VariantScore,
)
from arena.db.upsert import count_up
from arena.games.registry import VARIANTS
from arena.services.context import Arena
from arena.services.plans import rules_of
from arena.services.shapes import DONE
from arena.tournament.intervals import Sums
from arena.tournament.pairs import pairs as meetings
from arena.tournament.pairs import taken, turned

Scope = int | str
"""A tournament by its id, or a variant by its name: all tournaments of it."""

Model = type[TournamentScore] | type[TournamentPair] | type[VariantScore] | type[VariantPair]
Key = tuple[Any, ...]
Tallies = dict[Model, dict[Key, tuple[int, ...]]]
"""By model and primary key, the numbers in the order of NUMBERS."""

NUMBERS: Final[Mapping[Model, tuple[str, ...]]] = {
    TournamentScore: (*Sums._fields, "matches", "faults"),
    TournamentPair: Sums._fields,
    VariantScore: (*Sums._fields, "matches", "faults"),
    VariantPair: Sums._fields,
}
"""The columns that are sums. Whoever changes several tallies takes them in this order, and each by its keys: two that
lock in one order cannot deadlock."""

BATCH: Final = 1000
"""So many tables are read at a time where all are."""


# Made once: every result executes them, and to put one together takes longer than to execute it.
_DONE: Final = (Table.state == DONE, Table.id.in_(bindparam("ids", expanding=True)))
_SEATS: Final = (
    select(Match.table_id, Match.id, MatchSeat.version_id, MatchSeat.rank)
    .select_from(Match)
    .join(Table, Table.id == Match.table_id)
    .join(MatchSeat, MatchSeat.match_id == Match.id)
    .where(Match.fence == Table.fence, Match.superseded.is_(False), *_DONE)
    .order_by(Match.table_id, Match.id)
)
"""Who sat in the accepted matches of tables, and with which rank."""
_PLACES: Final = (
    select(Table.id, Tournament.id, Tournament.variant, TableSeat.version_id, TableSeat.rank, TableSeat.faults)
    .select_from(TableSeat)
    .join(Table, Table.id == TableSeat.table_id)
    .join(Tournament, Tournament.id == Table.tournament_id)
    .where(*_DONE)
    .order_by(Table.id)
)
"""Their results as a whole."""


class Score(NamedTuple):
    """What a version has taken from everybody."""

    sums: Sums
    matches: int
    faults: int
    """In how many of the matches it failed."""


class _Place(NamedTuple):
    version: int
    rank: int | None
    faults: int


class _Result(NamedTuple):
    """The result of a table, as far as it is tallied."""

    tournament: int
    variant: str
    places: Sequence[_Place]
    matches: Sequence[Mapping[int, int]]
    """The rank of each version, by match."""


def scores(session: Session, scope: Scope) -> dict[int, Score]:
    """By version, what it has taken in a tournament or a variant; who has no result there is left out."""
    model: Any = TournamentScore if isinstance(scope, int) else VariantScore
    columns = [model.version_id, model.matches, model.faults, *_sums(model)]
    found = session.execute(select(*columns).where(_scope(model) == scope, model.tables > 0))
    return {version: Score(Sums(*sums), matches, faults) for version, matches, faults, *sums in found}


def matches(session: Session) -> int:
    """How many matches count, of all variants on offer."""
    query = select(VariantScore.variant, func.sum(VariantScore.matches)).group_by(VariantScore.variant)
    by_variant = {variant: int(sat) for variant, sat in session.execute(query) if variant in VARIANTS}
    return sum(sat // len(rules_of(variant).teams) for variant, sat in by_variant.items())


def pairs(session: Session, scope: Scope, versions: Collection[int] | None = None) -> dict[tuple[int, int], Sums]:
    """By versions a < b, what a took from b, for all pairs (of these versions) that have met."""
    model = _pair_model(scope)
    among = [] if versions is None else [model.a.in_(versions), model.b.in_(versions)]
    query = select(model.a, model.b, *_sums(model)).where(_scope(model) == scope, model.tables > 0, *among)
    # One by one, as the driver gives them: two hundred bots make twenty thousand pairs, and rows of our own for each
    # take as long as all the rest, and wake the collector.
    rows: Any = session.connection().execute(query).cursor
    return {row[:2]: Sums._make(row[2:]) for row in rows}


def opponents(session: Session, scope: Scope, version: int) -> dict[int, Sums]:
    """By opponent, what the version took from it."""
    model = _pair_model(scope)
    # Two conditions that an index serves each, not one that none does.
    query = select(model.a, model.b, *_sums(model)).where(_scope(model) == scope, model.tables > 0)
    found = {b: Sums(*sums) for _, b, *sums in session.execute(query.where(model.a == version))}
    return found | {a: turned(Sums(*sums)) for a, _, *sums in session.execute(query.where(model.b == version))}


def add(session: Session, table_id: int) -> None:
    """Take in the result that a table has got in this transaction."""
    _change(session, [table_id], 1)


def take_away(session: Session, *table_ids: int) -> None:
    """Take out the results of tables that are done and about to be set aside. All at once, so that none deadlocks."""
    _change(session, table_ids, -1)


def check(session: Session) -> list[str]:
    """Where the tallies are not what the results add up to, in a sentence each."""
    wrong = []
    computed = _all(session)
    for model, numbers in computed.items():
        stored = _stored(session, model)
        for key in sorted(numbers.keys() | stored.keys()):
            if numbers.get(key) != stored.get(key):
                told, right = stored.get(key), numbers.get(key)
                wrong.append(f"{model.__tablename__} {key}: it says {told}, the results add up to {right}")
    return wrong


def rebuild(arena: Arena) -> int:
    """Write all tallies anew from the results; how many rows there are. Results wait meanwhile."""
    with arena.transaction() as session:
        if session.get_bind().dialect.name == "postgresql":
            names = ", ".join(model.__tablename__ for model in NUMBERS)
            session.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))
        return _rebuild(session)


def fill(arena: Arena) -> None:
    """Make the tallies of an arena that has played before there were any."""
    with arena.reading() as session:
        played = session.scalar(select(Table.id).where(Table.state == DONE).limit(1))
        tallied = session.scalar(select(VariantScore.version_id).limit(1))
    if played and not tallied:
        rebuild(arena)


def _rebuild(session: Session) -> int:
    computed = _all(session)
    for model, numbers in computed.items():
        session.execute(delete(model))
        if numbers:
            session.execute(insert(model.__table__), _rows(model, numbers, 1))  # type: ignore[arg-type]
    return sum(map(len, computed.values()))


def _change(session: Session, table_ids: Collection[int], sign: int) -> None:
    for model, numbers in _total(_results(session, table_ids)).items():
        count_up(session, model, _rows(model, numbers, sign))


def _all(session: Session) -> Tallies:
    """What all results add up to."""
    return _total(result for ids in _batches(session) for result in _results(session, ids))


def _batches(session: Session) -> Iterator[Sequence[int]]:
    """The ids of all finished tables, so many at a time."""
    done = select(Table.id).where(Table.state == DONE).order_by(Table.id).limit(BATCH)
    ids = session.scalars(done).all()
    while ids:
        yield ids
        ids = session.scalars(done.where(Table.id > ids[-1])).all()


def _results(session: Session, table_ids: Collection[int]) -> Iterator[_Result]:
    """The accepted results of these tables, as far as they are done."""
    ids = {"ids": list(table_ids)}
    matches: dict[int, list[dict[int, int]]] = {}
    for (table, _), seats in groupby(session.execute(_SEATS, ids), key=lambda row: row[:2]):
        matches.setdefault(table, []).append({version: rank for _, _, version, rank in seats})
    for (table, tournament, variant), places in groupby(session.execute(_PLACES, ids), key=lambda row: row[:3]):
        yield _Result(tournament, variant, [_Place(*place[3:]) for place in places], matches.get(table, []))


def _total(results: Iterable[_Result]) -> Tallies:
    totals: Tallies = {model: {} for model in NUMBERS}
    for result in results:
        for model, key, numbers in _added(result):
            before = totals[model].get(key)
            totals[model][key] = tuple(map(plus, before, numbers)) if before else numbers
    return totals


def _added(result: _Result) -> Iterator[tuple[Model, Key, tuple[int, ...]]]:
    """What a table adds, and where."""
    met = list(meetings(result.matches, {place.version: place.rank or 0 for place in result.places}))
    for a, b, h, n in met:
        yield TournamentPair, (result.tournament, a, b), _table(h, n)
        yield VariantPair, (result.variant, a, b), _table(h, n)
    points = taken(met)
    for version, _, faults in result.places:
        played = sum(version in match for match in result.matches)
        numbers = (*_table(*points.get(version, (0, 0))), played, faults)
        yield TournamentScore, (result.tournament, version), numbers
        yield VariantScore, (result.variant, version), numbers


def _table(h: int, n: int) -> Sums:
    """The sums of one table."""
    return Sums(1, h, n, h * h, h * n, n * n)


def _rows(model: Model, numbers: Mapping[Key, Sequence[int]], sign: int) -> list[dict[str, Any]]:
    """Rows of the model by their keys, with all numbers times `sign`."""
    names = (*_keys(model), *NUMBERS[model])
    return [
        dict(zip(names, (*key, *(sign * number for number in numbers[key])), strict=True)) for key in sorted(numbers)
    ]


def _stored(session: Session, model: Any) -> dict[Key, tuple[int, ...]]:
    keys = _keys(model)
    columns = [getattr(model, name) for name in (*keys, *NUMBERS[model])]
    # What all results were taken away from remains as a row of zeros.
    rows = session.execute(select(*columns).where(or_(*(getattr(model, name) != 0 for name in NUMBERS[model]))))
    return {tuple(row[: len(keys)]): tuple(row[len(keys) :]) for row in rows}


def _keys(model: Model) -> list[str]:
    return [column.name for column in model.__table__.primary_key]


def _pair_model(scope: Scope) -> Any:
    return TournamentPair if isinstance(scope, int) else VariantPair


def _scope(model: Any) -> ColumnElement[Any]:
    """The column that names the tournament or the variant."""
    column: ColumnElement[Any] = model.tournament_id if hasattr(model, "tournament_id") else model.variant
    return column


def _sums(model: Any) -> list[ColumnElement[int]]:
    return [getattr(model, name) for name in Sums._fields]
