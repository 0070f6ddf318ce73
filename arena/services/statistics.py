"""Statistics: what the results of a version, of a variant or of a tournament say, and how sure that is.

Shares of match points come from tallies, so they are of everything that counts. What tallies do not hold is taken from
a sample: the latest matches and tables, so many that a page is quick. Intervals are at 95 %, and take a table as one
observation (`arena.tournament.intervals`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Match, MatchSeat, Rating, RatingEvent, RatingParameters, Table, TableSeat, Tournament
from arena.games.errors import NotFound
from arena.ratings import Parameters
from arena.services import parameters, tallies
from arena.services.context import Arena
from arena.services.crosstables import Cell, Crossed, cell, named
from arena.services.plans import rules_of
from arena.services.shapes import DONE
from arena.services.starting import find
from arena.tournament.calibration import Calibration, Prediction, calibration
from arena.tournament.histogram import Histogram, merged
from arena.tournament.intervals import Sums
from arena.tournament.seatings import Teams
from arena.tournament.standings import half_points

MATCHES: Final = 1_000
"""Matches of a version that are looked at."""
TABLES: Final = 1_000
"""Tables of a variant or a tournament that are looked at."""
SPAN: Final = 20_000
"""Tables, of whatever tournaments, back to which ratings are followed to see what they predicted."""
BINS: Final = 24
"""At most so many bars show how scores are distributed."""


class Seat(NamedTuple):
    """How a seat does."""

    seat: int
    matches: int
    share: float
    """Of the match points that were to be had from it, 0 to 1. Of equal seats all have a half."""
    interval: tuple[float, float] | None


class Bar(NamedTuple):
    """Scores of a match from `low` to `high`, both included."""

    low: int
    high: int
    seats: int


@dataclass(frozen=True)
class Think:
    """CPU seconds that answers took."""

    answers: int
    median: float
    p90: float
    p99: float
    longest: float
    histogram: Histogram


@dataclass(frozen=True)
class Opponent:
    """How a version does against another."""

    name: Crossed
    cell: Cell


@dataclass(frozen=True)
class VersionStatistics:
    """A version in a variant."""

    variant: str
    name: Crossed
    rating: ratings.Rating | None
    total: Cell | None
    """What it took from everybody; None before its first table."""
    matches: int
    faults: int
    """In how many of all its matches it failed."""
    opponents: tuple[Opponent, ...]
    """The hardest first."""
    sample: int
    """How many of its latest matches all that follows is about."""
    scores: tuple[Bar, ...]
    seats: tuple[Seat, ...]
    think: Think | None
    """None where no times were noted."""
    verdicts: tuple[tuple[str, int], ...]
    """In how many of the sampled matches it failed how, most frequent first."""


@dataclass(frozen=True)
class Statistics:
    """A variant, or a tournament."""

    variant: str
    parameters: Parameters
    estimated_from: int | None
    """Tables from which the parameters were estimated; None where they are the defaults."""
    tables: int
    """How many of the latest tables all that follows is about."""
    matches: int
    ties: float | None
    """Of pairs of bots at a table, the part that took equally many points, 0 to 1."""
    scores: tuple[Bar, ...]
    seats: tuple[Seat, ...]
    calibration: Calibration | None
    """Of what ratings predicted before each table, against what came; None where nothing was predicted."""
    think: Think | None
    faults: float | None
    """In how many of the matches of its bots one failed, 0 to 1."""


class _Sat(NamedTuple):
    """A seat in a sampled match."""

    table: int
    match: int
    seat: int
    version: int
    score: int
    rank: int
    fault: str | None
    think: bytes


def of_version(arena: Arena, version_id: int, variant: str) -> VersionStatistics:
    """How a version does in a variant. Raises NotFound and OptionError."""
    teams = rules_of(variant).teams
    with arena.reading() as session:
        name = _name(session, version_id)
        score = tallies.scores(session, variant).get(version_id)
        sample = list(_matches_of(session, version_id, variant))
        own = [seat for match in sample for seat in match if seat.version == version_id]
        rating = session.get(Rating, (variant, version_id))
        return VersionStatistics(
            variant=variant,
            name=name,
            rating=None if rating is None else ratings.Rating(rating.mu, rating.sigma),
            total=None if score is None else cell(score.sums),
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
    """How the latest tables of a variant went. Raises OptionError."""
    rules_of(variant)
    with arena.reading() as session:
        return _statistics(session, variant, _latest(session, Tournament.variant == variant))


def of_tournament(arena: Arena, tournament_id: int) -> Statistics:
    """How the latest tables of a tournament went. Raises NotFound."""
    with arena.reading() as session:
        variant = find(session, tournament_id).variant
        return _statistics(session, variant, _latest(session, Tournament.id == tournament_id))


def _statistics(session: Session, variant: str, tables: Sequence[int]) -> Statistics:
    sample = list(_sample(session, Match.table_id.in_(tables)))
    seats = [seat for match in sample for seat in match]
    estimated = session.get(RatingParameters, variant)
    return Statistics(
        variant=variant,
        parameters=parameters.of(session, variant),
        estimated_from=estimated.tables if estimated else None,
        tables=len(tables),
        matches=len(sample),
        ties=_ties(session, tables),
        scores=_bars(seat.score for seat in seats),
        seats=_seats(sample, rules_of(variant).teams),
        calibration=calibration(list(_predictions(session, variant, tables))),
        think=_think(seats),
        faults=sum(seat.fault is not None for seat in seats) / len(seats) if seats else None,
    )


def _name(session: Session, version_id: int) -> Crossed:
    found = named(session, [version_id])
    if not found:
        raise NotFound(f"There is no version {version_id}.")
    return found[0]


def _opponents(session: Session, variant: str, version_id: int) -> tuple[Opponent, ...]:
    met = tallies.opponents(session, variant, version_id)
    names = named(session, list(met))
    found = [Opponent(name, cell(met[name.version_id])) for name in names]
    return tuple(sorted(found, key=lambda one: (one.cell.share, one.name.version_id)))


def _latest(session: Session, which: ColumnElement[bool]) -> list[int]:
    """The latest tables with a result, by id."""
    ids = (
        select(Table.id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(which, Table.state == DONE)
        .order_by(Table.id.desc())
        .limit(TABLES)
    )
    return sorted(session.scalars(ids))


def _matches_of(session: Session, version_id: int, variant: str) -> Iterator[list[_Sat]]:
    """The latest matches of a version in a variant."""
    ids = (
        select(MatchSeat.match_id)
        .join(Match, Match.id == MatchSeat.match_id)
        .join(Table, Table.id == Match.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(MatchSeat.version_id == version_id, Tournament.variant == variant, Match.superseded.is_(False))
        .distinct()
        .order_by(MatchSeat.match_id.desc())
        .limit(MATCHES)
    )
    return _sample(session, Match.id.in_(session.scalars(ids).all()))


def _sample(session: Session, which: ColumnElement[bool]) -> Iterator[list[_Sat]]:
    """These matches, as far as they count, by seat."""
    seats = session.execute(
        select(
            Match.table_id, Match.id, MatchSeat.seat, MatchSeat.version_id,
            MatchSeat.score, MatchSeat.rank, MatchSeat.fault, MatchSeat.think,
        )
        .join(MatchSeat, MatchSeat.match_id == Match.id)
        .where(which, Match.superseded.is_(False))
        .order_by(Match.id, MatchSeat.seat)
    )  # fmt: skip
    for _, group in groupby((_Sat(*row) for row in seats), key=lambda seat: seat.match):
        yield list(group)


def _bars(scores: Iterable[int]) -> tuple[Bar, ...]:
    """How scores are distributed, in bars of equal width."""
    counts = Counter(scores)
    if not counts:
        return ()
    low, high = min(counts), max(counts)
    width = -(-(high - low + 1) // BINS)
    bars = []
    for first in range(low, high + 1, width):
        inside = range(first, first + width)
        bars.append(Bar(first, inside[-1], sum(counts[score] for score in inside)))
    return tuple(bars)


def _seats(sample: Sequence[Sequence[_Sat]], teams: Teams, versions: set[int] | None = None) -> tuple[Seat, ...]:
    """What was taken from each seat (by these versions), where there are others to take it from."""
    if len(teams) < 2:
        return ()
    most = 2 * (len(teams) - 1)
    by_seat: dict[int, dict[int, list[int]]] = {}
    for match in sample:
        points = half_points([match[seats[0]].rank for seats in teams])
        for team, seats in enumerate(teams):
            for seat in seats:
                if versions is None or match[seat].version in versions:
                    by_seat.setdefault(seat, {}).setdefault(match[seat].table, []).append(points[team])
    return tuple(_seat(seat, by_seat[seat], most) for seat in sorted(by_seat))


def _seat(seat: int, tables: dict[int, list[int]], most: int) -> Seat:
    sums = Sums.of((sum(points), most * len(points)) for points in tables.values())
    return Seat(seat, sums.n // most, sums.share(), sums.interval())


def _think(seats: Iterable[_Sat]) -> Think | None:
    times = merged(Histogram.decode(seat.think) for seat in seats)
    if not times.times:
        return None
    median, p90, p99, longest = (times.percentile(part) or 0.0 for part in (0.5, 0.9, 0.99, 1.0))
    return Think(times.times, median, p90, p99, longest, times)


def _ties(session: Session, tables: Sequence[int]) -> float | None:
    """Of the pairs of bots at these tables, the part that tied."""
    one, other = TableSeat.__table__.alias("one"), TableSeat.__table__.alias("other")
    pairs, tied = session.execute(
        select(func.count(), func.sum(case((one.c.rank == other.c.rank, 1), else_=0)))
        .select_from(one.join(other, (other.c.table_id == one.c.table_id) & (other.c.position > one.c.position)))
        .where(one.c.table_id.in_(tables))
    ).one()
    return int(tied) / pairs if pairs else None


def _predictions(session: Session, variant: str, tables: Sequence[int]) -> Iterator[Prediction]:
    """What the ratings predicted of every pair before each of these tables, with what came.

    A version is left out until its first rated table here is over, because what was known before is not looked up.
    """
    fit, wanted = parameters.of(session, variant), set(tables)
    known: dict[int, ratings.Rating] = {}
    for table, events in groupby(_events(session, variant, tables), key=lambda event: event.table_id):
        seated = list(events)
        if table in wanted:
            for one, other in combinations([event for event in seated if event.version_id in known], 2):
                chances = ratings.predict(known[one.version_id], known[other.version_id], fit)
                yield Prediction(table, *chances, (other.rank > one.rank) - (other.rank < one.rank))
        known.update((event.version_id, ratings.Rating(event.mu, event.sigma)) for event in seated)


def _events(session: Session, variant: str, tables: Sequence[int]) -> list[RatingEvent]:
    """The valid rating events of a variant from the first of these tables to the last, in the order of tables."""
    if not tables:
        return []
    first = max(tables[0], tables[-1] - SPAN)
    events = session.scalars(
        select(RatingEvent)
        .where(RatingEvent.variant == variant, RatingEvent.table_id.between(first, tables[-1]))
        .order_by(RatingEvent.table_id, RatingEvent.version_id, RatingEvent.revision)
    )
    # Later revisions overwrite earlier ones in their place.
    return list({(event.table_id, event.version_id): event for event in events}.values())
