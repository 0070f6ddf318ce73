"""Is B better than A? A sequential test on tables at which both sit, that stops as soon as it knows.

At each table B's half points less A's are divided by the most possible: a number d from -1 to 1, of finitely many. The
test is a sequential probability ratio test (Wald 1945) between "the mean of d is 0" and "it is `delta`", without any
assumption on how d is distributed: each hypothesis is represented by the distribution with its mean under which the
tables seen are likeliest. That is the generalised test of Van den Bergh (The generalized maximum likelihood ratio for
the expectation value of a distribution), with which fishtest compares chess engines; its error rates are those of
Wald's test in the limit (Li, Liu and Ying 2014, Generalized sequential probability ratio test for separate families of
hypotheses). A true mean below 0 is taken for `delta` more seldom than 0 is, and one above `delta` for 0 more seldom.

The likeliest distribution of mean s gives an outcome d that was seen c times of n the chance c / n / (1 + x (d - s)),
where the tilt x is such that the mean is s (Owen 1988: empirical likelihood). It exists only where outcomes on both
sides of s were seen; so -1 and 1 count as seen a thousandth of a time before the first table, as in fishtest.

Tables are taken in their order and the test ends at the first that decides, so who finished first does not matter.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import log, log1p
from typing import Final, Literal, NamedTuple

from arena.tournament.intervals import Interval, Sums

FEWEST: Final = 16
"""Tables before which nothing is decided: the error rates hold in the limit of many."""
PRIOR: Final = 1e-3
"""How often the extreme outcomes count as seen before the first table."""
PRECISION: Final = 1e-12

Decision = Literal["better", "not better", "undecided", "running"]
"""`undecided` is the end without an answer; `running` wants more tables."""


class Verdict(NamedTuple):
    """How the test stands."""

    decision: Decision
    llr: float
    """The logarithm of the likelihood ratio, in favour of B being better by `delta`."""
    lower: float
    """At or below this B is not better."""
    upper: float
    """At or above this B is better."""
    tables: int
    """How many tables it took, or were there so far."""
    mean: float | None
    """Of B's lead at a table, of the most possible; None without tables. Where the test has stopped by itself it is a
    little too far from the middle between the hypotheses, because it stops at an extreme."""
    interval: Interval | None
    """Of the mean, 95 %, as if the number of tables had been fixed; None below two tables."""


class Step(NamedTuple):
    """A table, and how the test stands after it."""

    lead: int
    """B's half points less A's."""
    most: int
    """The most half points that were possible."""
    llr: float
    decision: Decision


NO_STEP: Final = Step(0, 0, 0.0, "running")
"""How the test stands before its first table."""


class SequentialTest(NamedTuple):
    """What is asked, and how sure the answer has to be."""

    delta: float = 0.05
    """The lead that counts as better, of the most possible at a table; above 0 and below 1."""
    alpha: float = 0.05
    """How often a B that is no better than A may be called better."""
    beta: float = 0.05
    """How often a B that is better by `delta` may be called not better."""
    most_tables: int = 2_000
    """After so many it ends without an answer."""

    def state(self, differences: Iterable[tuple[int, int]]) -> Verdict:
        """How it stands after these tables, in their order: B's half points less A's, and the most possible."""
        steps = list(self._steps(differences))
        shares = Sums.of((step.lead + step.most, 2 * step.most) for step in steps)
        return self._verdict(steps[-1] if steps else NO_STEP, shares)

    def walk(self, differences: Iterable[tuple[int, int]]) -> list[float]:
        """The logarithm of the likelihood ratio after each of these tables, to the end of the test at most."""
        return [step.llr for step in self._steps(differences)]

    def _steps(self, differences: Iterable[tuple[int, int]]) -> Iterator[Step]:
        ratio = _Ratio(self.delta)
        for tables, (lead, most) in enumerate(islice(differences, self.most_tables), 1):
            ratio.add(lead / most)
            step = Step(lead, most, ratio.llr, self._decision(ratio.llr, tables))
            yield step
            if step.decision != "running":
                return

    def _decision(self, llr: float, tables: int) -> Decision:
        lower, upper = self._bounds()
        if tables >= FEWEST and not lower < llr < upper:
            return "better" if llr > 0 else "not better"
        return "undecided" if tables == self.most_tables else "running"

    def _bounds(self) -> tuple[float, float]:
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def _verdict(self, last: Step, sums: Sums) -> Verdict:
        shares = sums.interval()
        interval = Interval(2 * shares.low - 1, 2 * shares.high - 1) if shares else None
        mean = 2 * sums.share() - 1 if sums.tables else None
        return Verdict(last.decision, last.llr, *self._bounds(), sums.tables, mean, interval)


class _Ratio:
    """The likelihood ratio of the two means, table by table."""

    def __init__(self, delta: float) -> None:
        self.counts = {-1.0: PRIOR, 1.0: PRIOR}
        self.hypotheses = (_Mean(0.0), _Mean(delta))
        self.llr = 0.0

    def add(self, difference: float) -> None:
        self.counts[difference] = self.counts.get(difference, 0) + 1
        nothing, delta = (hypothesis.against(self.counts) for hypothesis in self.hypotheses)
        self.llr = nothing - delta


class _Mean:
    """The hypothesis that the mean is `mean`."""

    def __init__(self, mean: float) -> None:
        self.mean = mean
        self.tilt = 0.0
        """The last one found: the next table changes it little."""

    def against(self, counts: dict[float, float]) -> float:
        """The logarithm of how much likelier the outcomes are without the hypothesis than with it."""
        outcomes = [(outcome - self.mean, count) for outcome, count in counts.items()]
        self.tilt = _tilt(outcomes, -1 / (1 - self.mean), 1 / (1 + self.mean), self.tilt)
        return sum(count * log1p(self.tilt * outcome) for outcome, count in outcomes)


def _tilt(outcomes: list[tuple[float, float]], low: float, high: float, tilt: float) -> float:
    """Where the sum of count * outcome / (1 + tilt * outcome), which falls from `low` to `high`, is 0.

    By Newton's method from `tilt`, and by halving where that would leave the bounds.
    """
    while True:
        value = slope = 0.0
        for outcome, count in outcomes:
            part = outcome / (1 + tilt * outcome)
            value += count * part
            slope += count * part * part
        low, high = (tilt, high) if value > 0 else (low, tilt)
        step = value / slope
        if abs(step) < PRECISION:
            return tilt
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
