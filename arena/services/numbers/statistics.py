"""Statistics of a version, variant or tournament, with confidence intervals.

Shares of match points come from tallies, so they include all results that count. All other figures come from a sample
of the latest matches and tables, limited so that pages are fast. Intervals are at 95 %, with each table as one
observation (`arena.tournament.intervals`).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple

from sqlalchemy import ColumnElement, ColumnExpressionArgument, case, func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.hints import unindexed
from arena.db.models import CurrentRating, Match, MatchSeat, RatingCursor, RatingEvent, Table, TableSeat, Tournament
from arena.games.errors import NotFound
from arena.games.registry import rules_of
from arena.ratings import Parameters
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.base.views import View, says
from arena.services.numbers.crosstables import Cell, Contender, cell, named_versions
from arena.services.ratings import parameters, strengths, tallies
from arena.services.ratings.tallies import Scope
from arena.services.ratings.views import GamePoints
from arena.services.tournaments.starts import find
from arena.tournament.calibration import Calibration, Prediction, calibration
from arena.tournament.histogram import Histogram, merged
from arena.tournament.intervals import Sums
from arena.tournament.seatings import Teams
from arena.tournament.standings import half_points
from arena.words import _

MATCHES: Final = 1_000
"""Maximum number of matches in the sample of a version."""
TABLES: Final = 1_000
"""Maximum number of tables in the sample of a variant or tournament."""
SEATS: Final = 6_000
"""Maximum number of seats in the matches of these tables; beyond it, the sample has fewer tables."""
SPAN: Final = 5_000
"""Maximum range of table IDs, across all tournaments, whose rating events predictions are computed from."""
BINS: Final = 24
"""Maximum number of bars in the distribution of scores."""


class Seat(NamedTuple):
    """Results of a seat."""

    seat: int
    matches: int
    share: float
    """Share of the match points possible in this seat, 0 to 1. If seats are equal, each has 0.5."""
    interval: tuple[float, float] | None
    """95 % confidence interval of the share."""


class ScoreBar(View, frozen=True):
    """A bar of the distribution of scores."""

    low: Annotated[int, says("Lowest score, included.")]
    high: Annotated[int, says("Highest score, included.")]
    seats: Annotated[int, says("Number of seats with such a score.")]


@dataclass(frozen=True)
class ThinkTimes:
    """CPU times of answers, in seconds."""

    answers: int
    median: float
    p90: float
    p99: float
    longest: float
    histogram: Histogram


@dataclass(frozen=True)
class Opponent:
    """Results of a version against an opponent."""

    name: Contender
    """The opponent."""
    cell: Cell


class VersionFacts(View, frozen=True):
    """Statistics of a version in a variant, without estimates. Scores come from its latest matches."""

    variant: str
    matches: int
    faults: Annotated[int, says("Number of its matches in which it failed.")]
    sample: Annotated[int, says("Number of its latest matches in the sample.")]
    scores: tuple[ScoreBar, ...]


class VersionStatistics(VersionFacts, frozen=True):
    """Statistics of a version in a variant. Seats, times and verdicts come from the sample."""

    name: Contender
    rating: ratings.Rating | None
    total: Cell | None
    """Results against all opponents; None before its first table."""
    strength: GamePoints | None
    """Strength in the variant; None if the variant shows none, or before the first fit."""
    opponents: tuple[Opponent, ...]
    """Results against each opponent, hardest first."""
    seats: tuple[Seat, ...]
    think: ThinkTimes | None
    """CPU times of its answers; None if none were measured."""
    verdicts: tuple[tuple[str, int], ...]
    """Kinds of its faults with the number of matches of each, most frequent first."""


class StatisticsFacts(View, frozen=True):
    """Statistics of a variant or tournament, without estimates."""

    variant: str
    estimated_from: Annotated[int | None, says("Number of tables that the parameters follow from; null for defaults.")]
    edges: Annotated[tuple[str, ...], says("Names of parameters that are the lowest or highest value tried.")]
    tables: Annotated[int, says("Number of tables in the sample.")]
    matches: int
    ties: Annotated[float | None, says("Share of pairs of bots at a table that tied, 0 to 1.")]
    scores: tuple[ScoreBar, ...]
    faults: Annotated[float | None, says("Share of seats whose bot failed, 0 to 1.")]


class Statistics(StatisticsFacts, frozen=True):
    """Statistics of a variant or tournament. All but the parameters come from the sample of its latest tables."""

    parameters: Parameters
    seats: tuple[Seat, ...]
    calibration: Calibration | None
    """Calibration of the predictions that ratings made before each table; None if they made none."""
    think: ThinkTimes | None
    """CPU times of answers; None if none were measured."""


class _SampledSeat(NamedTuple):
    """A seat in a sampled match."""

    table: int
    match: int
    seat: int
    version: int
    score: int
    rank: int
    fault: str | None
    think: bytes


_MATCH: Final = attrgetter("match")


def of_version(arena: Arena, version_id: int, variant: str) -> VersionStatistics:
    """Return the statistics of a version in a variant.

    Raises `NotFound` if there is no such version, and `OptionError` if there is no such variant.
    """
    teams = rules_of(variant).teams
    with arena.reading() as session:
        name = _name(session, version_id)
        score = tallies.scores(session, variant).get(version_id)
        sample = list(_matches_of(session, version_id, variant))
        own = [seat for match in sample for seat in match if seat.version == version_id]
        rating = session.get(CurrentRating, (variant, version_id))
        return VersionStatistics(
            variant=variant,
            name=name,
            rating=None if rating is None else ratings.Rating(rating.mu, rating.sigma),
            total=None if score is None else cell(score.sums),
            strength=strengths.game_points(variant, score.strength) if score else None,
            matches=score.matches if score else 0,
            faults=score.faults if score else 0,
            opponents=_opponents(session, variant, version_id),
            sample=len(sample),
            scores=_bars(seat.score for seat in own),
            seats=_seats(sample, teams, {version_id}),
            think=_think(own),
            verdicts=tuple(Counter(seat.fault for seat in own if seat.fault).most_common()),
        )


def of_variant(arena: Arena, variant: str) -> Statistics:
    """Return the statistics of a variant. Raises `OptionError` if there is no such variant."""
    rules_of(variant)
    with arena.reading() as session:
        of_variant = unindexed(Tournament.variant) == variant  # read tables from the last one on, without sorting all
        return _statistics(session, variant, _latest(session, of_variant, Tournament.rated))


def of_tournament(arena: Arena, tournament_id: int) -> Statistics:
    """Return the statistics of a tournament. Raises `NotFound`."""
    with arena.reading() as session:
        variant = find(session, tournament_id).variant
        return _statistics(session, variant, _latest(session, Tournament.id == tournament_id))


def edition(arena: Arena, scope: Scope) -> Hashable:
    """Return a value that differs whenever the statistics of a tournament or variant do; much quicker than these.

    Raises `NotFound` if there is no such tournament.
    """
    with arena.reading() as session:
        variant = scope if isinstance(scope, str) else find(session, scope).variant
        cursor = RatingCursor.last_table, RatingCursor.due, RatingCursor.folded, RatingCursor.refolded
        rated = session.execute(select(*cursor).where(RatingCursor.variant == variant)).all()
        return tallies.edition(session, scope), tuple(map(tuple, rated)), parameters.estimated_from(session, variant)


def _statistics(session: Session, variant: str, latest: Sequence[int]) -> Statistics:
    sample = _whole_tables(_sample(session, Match.table_id.in_(latest), SEATS))
    seats = [seat for match in sample for seat in match]
    tables = sorted({match[0].table for match in sample})
    return Statistics(
        variant=variant,
        parameters=parameters.of(session, variant),
        estimated_from=parameters.estimated_from(session, variant) or None,
        edges=ratings.edges(parameters.of(session, variant), len(rules_of(variant).teams)),
        tables=len(tables),
        matches=len(sample),
        ties=_ties(session, tables),
        scores=_bars(seat.score for seat in seats),
        seats=_seats(sample, rules_of(variant).teams),
        calibration=calibration(list(_predictions(session, variant, tables))),
        think=_think(seats),
        faults=sum(seat.fault is not None for seat in seats) / len(seats) if seats else None,
    )


def _name(session: Session, version_id: int) -> Contender:
    found = named_versions(session, [version_id])
    if not found:
        raise NotFound(_("There is no version %(id)s.", id=version_id))
    return found[0]


def _opponents(session: Session, variant: str, version_id: int) -> tuple[Opponent, ...]:
    met = tallies.opponents(session, variant, version_id)
    names = named_versions(session, list(met))
    found = [Opponent(name, cell(met[name.version_id])) for name in names]
    return tuple(sorted(found, key=lambda one: (one.cell.share, one.name.version_id)))


def _latest(session: Session, *which: ColumnExpressionArgument[bool]) -> list[int]:
    """Return the IDs of the latest tables with a result, ascending."""
    done = select(Table.id).join(Table.tournament).where(*which, unindexed(Table.state) == TableState.DONE)
    ids = done.order_by(Table.id.desc()).limit(TABLES)
    return sorted(session.scalars(ids))


def _matches_of(session: Session, version_id: int, variant: str) -> Iterator[list[_SampledSeat]]:
    """Yield the latest matches of a version in a variant."""
    ids = (
        select(MatchSeat.match_id)
        .join(Match, Match.id == MatchSeat.match_id)
        .join(Table, Table.id == Match.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(MatchSeat.version_id == version_id, Tournament.variant == variant)
        .where(Match.superseded.is_(False), Tournament.rated)
        .distinct()
        .order_by(MatchSeat.match_id.desc())
        .limit(MATCHES)
    )
    return _sample(session, Match.id.in_(session.scalars(ids).all()))


def _sample(session: Session, which: ColumnElement[bool], limit: int | None = None) -> Iterator[list[_SampledSeat]]:
    """Yield the seats of each of these matches that counts, the latest tables first; up to `limit` seats."""
    columns = (MatchSeat.seat, MatchSeat.version_id, MatchSeat.score, MatchSeat.rank, MatchSeat.fault, MatchSeat.think)
    seats = (
        select(Match.table_id, Match.id, *columns)
        .join(MatchSeat, MatchSeat.match_id == Match.id)
        .where(which, Match.superseded.is_(False))
        # In the order of the index that finds the matches of tables, so that SQLite need not sort them.
        .order_by(Match.table_id.desc(), Match.fence.desc(), Match.seating.desc(), MatchSeat.seat)
        .limit(limit)
    )
    # Straight from the driver's cursor, because SQLAlchemy's row objects would double the time.
    rows: Any = session.connection().execute(seats).cursor
    for _match, group in groupby(map(_SampledSeat._make, rows), key=_MATCH):
        yield list(group)


def _whole_tables(sample: Iterable[list[_SampledSeat]]) -> list[list[_SampledSeat]]:
    """Return a sample of up to `SEATS` seats without the table that the limit cuts off, unless it is the only one."""
    found = list(sample)
    if sum(map(len, found)) < SEATS:
        return found
    cut_off = found[-1][0].table
    return [match for match in found if match[0].table != cut_off] or found[:-1]


def _bars(scores: Iterable[int]) -> tuple[ScoreBar, ...]:
    """Return the distribution of scores, in bars of equal width."""
    counts = Counter(scores)
    if not counts:
        return ()
    low, high = min(counts), max(counts)
    width = -(-(high - low + 1) // BINS)
    bars = []
    for first in range(low, high + 1, width):
        inside = range(first, first + width)
        bars.append(ScoreBar(first, inside[-1], sum(counts[score] for score in inside)))
    return tuple(bars)


def _seats(
    sample: Sequence[Sequence[_SampledSeat]], teams: Teams, versions: set[int] | None = None
) -> tuple[Seat, ...]:
    """Return the results of each seat, limited to `versions` if given; none for a solitaire."""
    if len(teams) < 2:
        return ()
    most = 2 * (len(teams) - 1)
    by_seat: dict[int, dict[int, list[int]]] = {}
    points_of = cache(half_points)  # thousands of matches end with a few combinations of ranks
    for match in sample:
        points = points_of(tuple(match[seats[0]].rank for seats in teams))
        for team, seats in enumerate(teams):
            for seat in seats:
                if versions is None or match[seat].version in versions:
                    by_seat.setdefault(seat, {}).setdefault(match[seat].table, []).append(points[team])
    return tuple(_seat(seat, by_seat[seat], most) for seat in sorted(by_seat))


def _seat(seat: int, tables: dict[int, list[int]], most: int) -> Seat:
    sums = Sums.of((sum(points), most * len(points)) for points in tables.values())
    return Seat(seat, sums.n // most, sums.share(), sums.interval())


def _think(seats: Iterable[_SampledSeat]) -> ThinkTimes | None:
    times = merged(seat.think for seat in seats)
    if not times.times:
        return None
    median, p90, p99, longest = (times.percentile(part) or 0.0 for part in (0.5, 0.9, 0.99, 1.0))
    return ThinkTimes(times.times, median, p90, p99, longest, times)


def _ties(session: Session, tables: Sequence[int]) -> float | None:
    """Return the share of pairs of bots at these tables that tied."""
    one, other = TableSeat.__table__.alias("one"), TableSeat.__table__.alias("other")
    pairs, tied = session.execute(
        select(func.count(), func.sum(case((one.c.rank == other.c.rank, 1), else_=0)))
        .select_from(one.join(other, (other.c.table_id == one.c.table_id) & (other.c.position > one.c.position)))
        .where(one.c.table_id.in_(tables))
    ).one()
    return int(tied) / pairs if pairs else None


def _predictions(session: Session, variant: str, tables: Sequence[int]) -> Iterator[Prediction]:
    """Yield the ratings' prediction before each of these tables for each pair, with its outcome.

    A version's predictions begin after its first rating event in the range, because earlier ratings are not read.
    """
    eras, wanted = parameters.eras(session, variant), set(tables)
    known: dict[int, ratings.Rating] = {}
    for table, events in groupby(_events(session, variant, tables), key=lambda event: event.table_id):
        seated = list(events)
        if table in wanted:
            fit = ratings.parameters_at(eras, table)
            for one, other in combinations([event for event in seated if event.version_id in known], 2):
                chances = ratings.predict(known[one.version_id], known[other.version_id], fit)
                yield Prediction(table, *chances, (other.rank > one.rank) - (other.rank < one.rank))
        known.update((event.version_id, ratings.Rating(event.mu, event.sigma)) for event in seated)


def _events(session: Session, variant: str, tables: Sequence[int]) -> Sequence[Any]:
    """Return the rating events of a variant between the first and last of these tables, in table order."""
    if not tables:
        return []
    first = max(tables[0], tables[-1] - SPAN)
    here = (unindexed(RatingEvent.variant) == variant, RatingEvent.table_id.between(first, tables[-1]))
    columns = (RatingEvent.table_id, RatingEvent.version_id, RatingEvent.rank, RatingEvent.mu, RatingEvent.sigma)
    return session.execute(select(*columns).where(*here).order_by(RatingEvent.table_id, RatingEvent.version_id)).all()
