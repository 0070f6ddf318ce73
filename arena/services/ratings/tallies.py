"""Tallies: running totals of results per bot and per pair, so that pages only read them.

The transaction that stores a result, or sets one aside, updates the tallies. They are integer sums over tables
(`arena.tournament.pairs` defines the terms), so the order in which tables finish does not matter, and they can be
computed from the results at any time: `check` compares them, and `rebuild` rewrites them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import add as plus
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.orm import Session

from arena.db.models import (
    Match,
    MatchSeat,
    RatingCursor,
    Table,
    TableSeat,
    Tournament,
    TournamentPair,
    TournamentScore,
    VariantPair,
    VariantScore,
)
from arena.db.upsert import count_up
from arena.games.registry import LEADERBOARDS, rules_of
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.tournament.intervals import Sums
from arena.tournament.pairs import Taken, taken, turned
from arena.tournament.pairs import pairs as meetings
from arena.tournament.strength import Lead, Strength

Scope = int | str
"""A tournament, by its ID, or all tournaments of a variant, by the variant's ID."""

Model = type[TournamentScore] | type[TournamentPair] | type[VariantScore] | type[VariantPair]
Key = tuple[Any, ...]
Tallies = dict[Model, dict[Key, tuple[int, ...]]]
"""Numbers for each model and primary key, in the order of `NUMBERS`."""

NUMBERS: Final[Mapping[Model, tuple[str, ...]]] = {
    TournamentScore: (*Sums._fields, "matches", "faults", "p", "pp", "pn"),
    TournamentPair: (*Sums._fields, "p"),
    VariantScore: (*Sums._fields, "matches", "faults", "p", "pp", "pn"),
    VariantPair: (*Sums._fields, "p"),
}
"""Columns that are sums. Transactions update the models in this order, and rows in the order of their keys, so that no
two can deadlock."""

BATCH: Final = 1000
"""Number of tables read at a time by a computation over all tables."""


# Built once: every result executes these statements, and building one takes longer than executing it.
_DONE: Final = (Table.state == TableState.DONE, Table.id.in_(bindparam("ids", expanding=True)))
_SEATS: Final = (
    select(Match.table_id, Match.id, MatchSeat.version_id, MatchSeat.rank, MatchSeat.score, MatchSeat.fault)
    .select_from(Match)
    .join(Table, Table.id == Match.table_id)
    .join(MatchSeat, MatchSeat.match_id == Match.id)
    .where(Match.fence == Table.fence, Match.superseded.is_(False), *_DONE)
    .order_by(Match.table_id, Match.id)
)
"""Seats and results of the accepted matches of the tables `ids`."""
_PLACES: Final = (
    select(Table.id, Tournament.id, Tournament.variant, Tournament.rated)
    .add_columns(TableSeat.version_id, TableSeat.rank, TableSeat.faults)
    .select_from(TableSeat)
    .join(Table, Table.id == TableSeat.table_id)
    .join(Tournament, Tournament.id == Table.tournament_id)
    .where(*_DONE)
    .order_by(Table.id)
)
"""Places and results of the tables `ids`."""


_PAIR: Final = TournamentPair
_OTHERS: Final[BindParameter[Any]] = bindparam("others", expanding=True)
_IN_TOURNAMENT: Final = _PAIR.tournament_id == bindparam("tournament")
_SHARED: Final = union_all(
    select(_PAIR.b, _PAIR.tables).where(_IN_TOURNAMENT, _PAIR.a == bindparam("version"), _PAIR.b.in_(_OTHERS)),
    select(_PAIR.a, _PAIR.tables).where(_IN_TOURNAMENT, _PAIR.a.in_(_OTHERS), _PAIR.b == bindparam("version")),
)
"""Tables that `version` shared with each of `others` in `tournament`, by the primary key."""


class Score(NamedTuple):
    """Totals of a version against all opponents."""

    sums: Sums
    matches: int
    faults: int
    """Number of matches in which it failed."""
    strength: Strength | None
    """Strength in game points per match; None if not fitted."""


class _Place(NamedTuple):
    version: int
    rank: int | None
    faults: int


class _Result(NamedTuple):
    """The parts of a table's result that tallies count."""

    tournament: int
    variant: str
    rated: bool
    """Whether it counts for the variant as well."""
    places: Sequence[_Place]
    matches: Sequence[Mapping[int, int]]
    """Rank of each version, for each match."""
    scores: Sequence[Mapping[int, int]]
    """Game points of each version, for each match."""


def scores(session: Session, scope: Scope) -> dict[int, Score]:
    """Return the totals of each version with a result in the scope, by version ID."""
    model = _score_model(scope)
    columns = [model.version_id, model.matches, model.faults, model.strength, model.reach, *_sums(model)]
    found = session.execute(select(*columns).where(_scope(model) == scope, model.tables > 0))
    return {
        version: Score(Sums(*sums), matches, faults, None if strength is None else Strength(strength, reach))
        for version, matches, faults, strength, reach, *sums in found
    }


def leads(session: Session, scope: Scope) -> tuple[dict[tuple[int, int], Lead], dict[int, Sums]]:
    """Return the data that strengths are fitted to.

    These are the leads of all pairs of version IDs a < b, and the sums of each version's leads over tables.
    """
    pair, score = _pair_model(scope), _score_model(scope)
    met = select(pair.a, pair.b, pair.p, pair.n).where(_scope(pair) == scope, pair.n > 0)
    columns = [getattr(score, name) for name in ("version_id", "tables", "p", "n", "pp", "pn", "nn")]
    rows = session.execute(select(*columns).where(_scope(score) == scope, score.tables > 0))
    # Each pair plays for two half points per match.
    totals = {version: Sums(tables, p, n // 2, pp, pn // 2, nn // 4) for version, tables, p, n, pp, pn, nn in rows}
    return {(a, b): Lead(p, n // 2) for a, b, p, n in session.execute(met)}, totals


def matches(session: Session) -> int:
    """Return the number of matches that count, in all variants on offer."""
    query = select(VariantScore.variant, func.sum(VariantScore.matches)).group_by(VariantScore.variant)
    by_variant = {variant: int(sat) for variant, sat in session.execute(query) if variant in LEADERBOARDS}
    return sum(sat // len(rules_of(variant).teams) for variant, sat in by_variant.items())


def pairs(session: Session, scope: Scope, versions: Collection[int] | None = None) -> dict[tuple[int, int], Sums]:
    """Return what a took from b for each pair of version IDs a < b that have met; `versions` limits the pairs."""
    model = _pair_model(scope)
    # Through the index by one of the two: looking each of 100 × 100 pairs up takes three times as long.
    among = [] if versions is None else [model.a.in_(versions), (model.b + 0).in_(versions)]
    query = select(model.a, model.b, *_sums(model)).where(_scope(model) == scope, model.tables > 0, *among)
    # Straight from the driver's cursor: 200 bots make 20,000 pairs, and SQLAlchemy's row objects would double the time
    # and wake the garbage collector.
    rows: Any = session.connection().execute(query).cursor
    return {row[:2]: Sums._make(row[2:]) for row in rows}


def edition(session: Session, scope: Scope) -> int:
    """Return a number that grows whenever the tallies of a tournament or variant change."""
    here = [Tournament.id == scope] if isinstance(scope, int) else [Tournament.variant == scope, Tournament.rated]
    return int(session.scalar(select(func.sum(Tournament.results)).where(*here)) or 0)


def opponents(session: Session, scope: Scope, version: int) -> dict[int, Sums]:
    """Return what the version took from each opponent, by the opponent's version ID."""
    model = _pair_model(scope)
    # Two queries that an index each serves, rather than one that none does.
    query = select(model.a, model.b, *_sums(model)).where(_scope(model) == scope, model.tables > 0)
    found = {b: Sums(*sums) for _, b, *sums in session.execute(query.where(model.a == version))}
    return found | {a: turned(Sums(*sums)) for a, _, *sums in session.execute(query.where(model.b == version))}


def tables_shared(session: Session, tournament_id: int, version: int, others: Sequence[int]) -> dict[int, int]:
    """Return the number of the tournament's tables that a version shared with each of the others that it has met."""
    scope = {"tournament": tournament_id, "version": version, "others": others}
    return {other: tables for other, tables in session.connection().execute(_SHARED, scope) if tables}


def add(session: Session, *table_ids: int) -> None:
    """Add the results that tables got in this transaction: all in one call, to avoid a deadlock."""
    _change(session, table_ids, 1)


def remove(session: Session, *table_ids: int) -> None:
    """Subtract the results of finished tables that are about to be set aside: all in one call, to avoid a deadlock."""
    _change(session, table_ids, -1)


def check(session: Session) -> list[str]:
    """Return a sentence for each tally that differs from the sum of the results."""
    differences = []
    computed = _all(session)
    for model, numbers in computed.items():
        stored = _stored(session, model)
        for key in sorted(numbers.keys() | stored.keys()):
            if numbers.get(key) != stored.get(key):
                name = f"{model.__tablename__} {key}"
                differences.append(f"{name}: stored {stored.get(key)}, the results add up to {numbers.get(key)}")
    return differences


def rebuild(arena: Arena) -> int:
    """Replace all tallies by sums over the results; new results wait meanwhile. Returns the number of rows."""
    with arena.transaction() as session:
        return rebuild_all(session)


def backfill(arena: Arena) -> None:
    """Compute the tallies of an arena that has results but no tallies, because an older release played them."""
    with arena.reading() as session:
        rated = select(Table.id).join(Table.tournament).where(Table.state == TableState.DONE, Tournament.rated)
        played = session.scalar(rated.limit(1))
        tallied = session.scalar(select(VariantScore.version_id).limit(1))
    if played and not tallied:
        rebuild(arena)


def rebuild_all(session: Session) -> int:
    """Like `rebuild`, in this transaction."""
    if session.get_bind().dialect.name == "postgresql":
        names = ", ".join(model.__tablename__ for model in NUMBERS)
        session.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))
    computed = _all(session)
    for model, numbers in computed.items():
        session.execute(delete(model))
        if numbers:
            session.execute(insert(model.__table__), _rows(model, numbers, 1))  # type: ignore[arg-type]
    for mark in (Tournament, RatingCursor):
        session.execute(update(mark).values(fitted=0))
    return sum(map(len, computed.values()))


def _change(session: Session, table_ids: Collection[int], sign: int) -> None:
    results = list(_results(session, table_ids))
    for tournament, count in sorted(Counter(result.tournament for result in results).items()):
        _count_results(session, tournament, count)
    for model, numbers in _total(results).items():
        count_up(session, model, _rows(model, numbers, sign))


def _count_results(session: Session, tournament: int, count: int) -> None:
    """Count changes to a tournament's results, so that its strengths are fitted again."""
    session.execute(
        update(Tournament)
        .where(Tournament.id == tournament)
        .values(results=Tournament.results + count)
        .execution_options(synchronize_session=False)
    )


def _all(session: Session) -> Tallies:
    """Return the tallies of all results."""
    return _total(result for ids in _batches(session) for result in _results(session, ids))


def _batches(session: Session) -> Iterator[Sequence[int]]:
    """Yield the IDs of all finished tables, up to `BATCH` at a time."""
    done = select(Table.id).where(Table.state == TableState.DONE).order_by(Table.id).limit(BATCH)
    ids = session.scalars(done).all()
    while ids:
        yield ids
        ids = session.scalars(done.where(Table.id > ids[-1])).all()


def _results(session: Session, table_ids: Collection[int]) -> Iterator[_Result]:
    """Yield the accepted results of those of these tables that are done."""
    ids = {"ids": list(table_ids)}
    matches: dict[int, list[tuple[dict[int, int], dict[int, int]]]] = {}
    for (table, _), group in groupby(session.execute(_SEATS, ids), key=lambda row: row[:2]):
        seats = [row[2:] for row in group]
        ranks = {version: rank for version, rank, _, _ in seats}
        matches.setdefault(table, []).append((ranks, _game_points(seats)))
    for (table, tournament, variant, rated), rows in groupby(session.execute(_PLACES, ids), key=lambda row: row[:4]):
        ranked, scored = zip(*matches.get(table, []), strict=True) if table in matches else ((), ())
        yield _Result(tournament, variant, rated, [_Place(*row[4:]) for row in rows], ranked, scored)


def _game_points(seats: Sequence[Any]) -> dict[int, int]:
    """Return the score of each version in a match, from rows of version, rank, score and fault; partners are summed.

    After a fault the arena plays for the bot, so a bot that failed gets the lowest score of the match.
    """
    lowest = min(score for _, _, score, _ in seats)
    points: dict[int, int] = {}
    for version, _, score, fault in seats:
        points[version] = points.get(version, 0) + (lowest if fault else score)
    return points


def _total(results: Iterable[_Result]) -> Tallies:
    totals: Tallies = {model: {} for model in NUMBERS}
    for result in results:
        for model, key, numbers in _added(result):
            before = totals[model].get(key)
            totals[model][key] = tuple(map(plus, before, numbers)) if before else numbers
    return totals


def _added(result: _Result) -> Iterator[tuple[Model, Key, tuple[int, ...]]]:
    """Yield the model, key and numbers of each term that a table adds."""
    ranks = {place.version: place.rank or 0 for place in result.places}
    met = list(meetings(result.matches, ranks, result.scores))
    for a, b, h, n, p in met:
        yield TournamentPair, (result.tournament, a, b), (*_table(h, n), p)
        if result.rated:
            yield VariantPair, (result.variant, a, b), (*_table(h, n), p)
    points = taken(met)
    for version, _, faults in result.places:
        played = sum(version in match for match in result.matches)
        h, n, p = points.get(version, Taken())
        numbers = (*_table(h, n), played, faults, p, p * p, p * n)
        yield TournamentScore, (result.tournament, version), numbers
        if result.rated:
            yield VariantScore, (result.variant, version), numbers


def _table(h: int, n: int) -> Sums:
    """Return the sums of a single table with h of n half points."""
    return Sums(1, h, n, h * h, h * n, n * n)


def _rows(model: Model, numbers: Mapping[Key, Sequence[int]], sign: int) -> list[dict[str, Any]]:
    """Return the model's rows in the order of their keys, with all numbers multiplied by `sign`."""
    names = (*_keys(model), *NUMBERS[model])
    return [
        dict(zip(names, (*key, *(sign * number for number in numbers[key])), strict=True)) for key in sorted(numbers)
    ]


def _stored(session: Session, model: Any) -> dict[Key, tuple[int, ...]]:
    keys = _keys(model)
    columns = [getattr(model, name) for name in (*keys, *NUMBERS[model])]
    # A row stays with zeros after its last result is removed.
    rows = session.execute(select(*columns).where(or_(*(getattr(model, name) != 0 for name in NUMBERS[model]))))
    return {tuple(row[: len(keys)]): tuple(row[len(keys) :]) for row in rows}


def _keys(model: Model) -> list[str]:
    return [column.name for column in model.__table__.primary_key]


def _score_model(scope: Scope) -> Any:
    return TournamentScore if isinstance(scope, int) else VariantScore


def _pair_model(scope: Scope) -> Any:
    return TournamentPair if isinstance(scope, int) else VariantPair


def _scope(model: Any) -> ColumnElement[Any]:
    """Return the column that identifies the tournament or variant."""
    column: ColumnElement[Any] = model.tournament_id if hasattr(model, "tournament_id") else model.variant
    return column


def _sums(model: Any) -> list[ColumnElement[int]]:
    return [getattr(model, name) for name in Sums._fields]
