"""Crosstables, head-to-heads and statistics."""

from typing import Annotated

from arena.services.numbers.crosstables import Contender, Crosstable
from arena.services.numbers.statistics import (
    Statistics,
    StatisticsFacts,
    ThinkTimes,
    VersionFacts,
    VersionStatistics,
)
from arena.tournament.histogram import PER_OCTAVE, START
from web.api.types.base import Part, Uncertain, made, measured, of, says


class Met(Part):
    """Points of one version against another."""

    tables: Annotated[int, says("Number of tables that both played at.")]
    share: Annotated[Uncertain, says("Share of the match points between the two that the first one took, 0 to 1.")]
    superiority: Annotated[float | None, says("Likelihood that the true share is above 0.5; null in large tables.")]


class Meeting(Met):
    """A cell of a crosstable."""

    a: Annotated[int, says("ID of the version whose points these are.")]
    b: Annotated[int, says("ID of its opponent.")]


class Grid(Part):
    """A crosstable."""

    bots: Annotated[tuple[Contender, ...], says("Versions, best first.")]
    cells: Annotated[tuple[Meeting, ...], says("Each pair of versions that has met, in both orders.")]
    omitted: Annotated[int, says("Number of bots that are left out.")]


class SharedTable(Part):
    """A table at which both of two versions played."""

    table_id: Annotated[int, of("id")]
    tournament: Annotated[str, says("Name of the tournament.")]
    a: Annotated[float, of("points"), says("Match points of the first version.")]
    b: Annotated[float, of("other_points"), says("Match points of the second version.")]


class Duel(Part):
    """Two versions against each other in a variant."""

    variant: str
    a: Contender
    b: Contender
    met: Annotated[Met | None, of("cell"), says("Points of a against b; null if they have not met.")]
    tables: Annotated[tuple[SharedTable, ...], says("Latest tables of both, newest first.")]


class SeatShare(Part):
    """Results of a seat."""

    seat: int
    matches: int
    share: Annotated[Uncertain | None, says("Share of the match points possible in this seat, 0 to 1.")]


class TimeBar(Part):
    """A bar of the distribution of answer times."""

    low: Annotated[float, says("Shortest time in seconds.")]
    high: Annotated[float, says("Longest time in seconds.")]
    answers: int


class Times(Part):
    """CPU times of answers, in seconds."""

    answers: int
    median: float
    p90: float
    p99: float
    longest: float
    bars: Annotated[tuple[TimeBar, ...], says("Distribution, without empty bars.")]


class PredictedBin(Part):
    """Predictions of similar share."""

    low: float
    high: float
    predicted: Annotated[float, says("Mean predicted share.")]
    actual: Annotated[Uncertain | None, says("Mean actual share.")]
    pairs: int


class Accuracy(Part):
    """How often the predictions of the ratings came true."""

    bins: Annotated[tuple[PredictedBin, ...], says("Predictions of similar share, without empty bins.")]
    pairs: Annotated[int, says("Number of predictions.")]
    brier: Annotated[float, says("Mean squared error, summed over the three outcomes: 0 is perfect, 2 the worst.")]
    log_loss: Annotated[float, says("Mean negative logarithm (nats) of the probability of the outcome.")]
    constant: Annotated[float, says("Log loss of the best constant prediction.")]


class RatingParameters(Part):
    """Parameters of the ratings of a variant."""

    draw_probability: float
    beta: float


class Figures(StatisticsFacts, frozen=True):
    """Statistics of a variant or tournament; all but the parameters come from its latest tables."""

    parameters: RatingParameters
    seats: tuple[SeatShare, ...]
    accuracy: Annotated[
        Accuracy | None,
        of("calibration"),
        says("Accuracy of the predictions before each table; null if there are none."),
    ]
    think: Annotated[Times | None, says("CPU times of answers; null if none were measured.")]


class OpponentFigures(Part):
    """Results of a version against an opponent."""

    opponent: Annotated[Contender, of("name")]
    met: Annotated[Met, of("cell")]


class FaultCount(Part):
    """Number of matches with a kind of fault."""

    fault: str
    matches: int


class VersionFigures(VersionFacts, frozen=True):
    """Statistics of a version in a variant. Scores, seats, times and faults come from its latest matches."""

    version: Annotated[Contender, of("name")]
    mu: Annotated[Uncertain | None, of("rating.mu"), says("Estimated skill; null before its first rated table.")]
    sigma: Annotated[float | None, of("rating.sigma")]
    total: Annotated[Met | None, says("Results against all opponents; null before its first table.")]
    strength: Annotated[Uncertain | None, says("Strength in game points; null if the variant has none.")]
    opponents: Annotated[tuple[OpponentFigures, ...], says("Results against each opponent, hardest first.")]
    seats: tuple[SeatShare, ...]
    think: Times | None
    verdicts: Annotated[tuple[FaultCount, ...], says("Kinds of its faults, most frequent first.")]


def grid(table: Crosstable) -> Grid:
    """Return a crosstable."""
    # Without `made`, because there may be twenty thousand cells.
    cells = (
        Meeting(cell.tables, measured(cell.share, cell.interval), cell.superiority, a, b)
        for (a, b), cell in table.cells.items()
    )
    return Grid(bots=table.bots, cells=tuple(cells), omitted=table.omitted)


def figures(stats: Statistics) -> Figures:
    """Return the statistics of a variant or tournament."""
    return made(Figures, stats, think=_times(stats.think))


def version_figures(stats: VersionStatistics) -> VersionFigures:
    """Return the statistics of a version."""
    return made(VersionFigures, stats, think=_times(stats.think))


def _times(times: ThinkTimes | None) -> Times | None:
    if times is None:
        return None
    bars = (TimeBar(low=_edge(at), high=_edge(at + 1), answers=n) for at, n in enumerate(times.histogram.bins) if n)
    return made(Times, times, bars=tuple(bars))


def _edge(number: int) -> float:
    """Return the lower edge of a bin of the distribution of times, in seconds."""
    return float(START * 2 ** (number / PER_OCTAVE))
