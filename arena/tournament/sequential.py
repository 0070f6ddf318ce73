"""Sequential test of whether B is better than A, on tables at which both sit. It stops as soon as the answer is clear.

The lead of B at a table is its half points minus A's, divided by the most possible: -1 to 1. The question is whether
the mean lead is 0 or `delta`. The test is a pair of betting games (Waudby-Smith and Ramdas 2024, Estimating means of
bounded random variables by betting; Shafer 2021, Testing by betting). A gambler with a capital of 1 stakes part of it
on B before each table: a stake s turns the capital c into c * (1 + s * lead). If the mean lead is 0 or less, no
strategy gains on average, and the probability that the capital ever reaches 1 / alpha is at most alpha (Ville 1939). So
if it does, B is better. A second gambler stakes against B, c * (1 + s * (delta - lead)), and gains on average only if
the mean lead is below `delta`. Both bounds hold for every distribution of leads and any number of looks; they require
only that the expected lead, given the tables before, is on the same side as the mean.

A `target` above or below 0 moves the question: whether the mean lead is `target` or `target + delta`. The gamblers then
bet on the lead minus the target.

Stakes affect only how soon the test ends. Each gambler keeps two accounts:

- most of the capital is staked as would have paid best at the tables so far, had their mean been `delta` on the
  gambler's side (Kelly 1956). This ends about as soon as Wald's test, which knows the distribution;
- a small part is always staked almost entirely, which ends soon if the lead is far larger than `delta`.

Tables are taken in order and the test ends at the first table that decides, so finishing order does not matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from math import exp, log, log1p, sqrt
from typing import Final, Literal, NamedTuple

from arena.tournament.intervals import Interval, Sums

RISK: Final = 0.045
"""Probability of each wrong answer; below the promised 5 % to allow for tables that depend on each other."""
BOLD: Final = 0.95
"""Fraction of the bold account that can be lost at one table."""
BOLD_PART: Final = 0.05
"""Fraction of the capital in the bold account."""
MANY: Final = 100_000
"""Number of tables within which every clear lead is decided."""
PRIOR: Final = 0.1
"""Prior count of each extreme lead, so that the first stakes are cautious."""

Decision = Literal["better", "not better", "undecided", "running"]
"""`undecided` ends the test without an answer; `running` needs more tables."""


class Answer(NamedTuple):
    """State of the test, and its answer if there is one."""

    decision: Decision
    llr: float
    """Stronger evidence: above 0 if B is better, below 0 if it is not (see `Evidence`)."""
    lower: float
    """Bound of `llr` at or below which B is not better."""
    upper: float
    """Bound of `llr` at or above which B is better."""
    tables: int
    """Number of tables used."""
    mean: float | None
    """Mean lead of B; None without tables. After the test has ended by itself it is slightly too extreme, because the
    test ends at an extreme."""
    interval: Interval | None
    """95 % interval of the mean as if the number of tables had been fixed; None below two tables."""


class Evidence(NamedTuple):
    """Logarithms of the two capitals. A table that B loses lowers the first and raises the second."""

    better: float
    """Evidence against a mean lead of 0 or less."""
    not_better: float
    """Evidence against a mean lead of `delta` or more."""

    @property
    def stronger(self) -> float:
        """Stronger evidence, negative if B is not better; 0 while neither gambler has gained."""
        return max(0.0, self.better) if self.better > self.not_better else -max(0.0, self.not_better)


class Step(NamedTuple):
    """One table, and the state of the test after it."""

    lead: int
    """Half points of B minus those of A."""
    most: int
    """Most half points possible."""
    evidence: Evidence
    decision: Decision


NO_STEP: Final = Step(0, 0, Evidence(0.0, 0.0), "running")
"""State of the test before its first table."""


class SequentialTest(NamedTuple):
    """Sequential test with its parameters."""

    delta: float = 0.05
    """Mean lead above the target that counts as better; above 0 and below 1 - `target`."""
    alpha: float = RISK
    """Upper bound on the probability that B is called better if its mean lead is `target` or less."""
    beta: float = RISK
    """Upper bound on the probability that B is called not better if its mean lead is `target + delta` or more."""
    most_tables: int = 2_000
    """Number of tables after which the test ends without an answer."""
    target: float = 0.0
    """Mean lead that B must exceed; above -1 and below 1."""

    def state(self, differences: Iterable[tuple[int, int]]) -> Answer:
        """Run the test on tables in order, each given as B's half points minus A's and the most possible."""
        return self.answer(list(self.steps(differences)))

    def answer(self, steps: Sequence[Step]) -> Answer:
        """Return the state of the test after the steps of its tables so far."""
        shares = Sums.of((step.lead + step.most, 2 * step.most) for step in steps)
        return self._answer(steps[-1] if steps else NO_STEP, shares)

    @property
    def fewest_tables(self) -> int:
        """Number of tables that even a lead of a quarter of the most possible needs; fewer rarely give an answer."""
        leads = cycle([(0, 2), (1, 2)])
        return sum(1 for _ in self._replace(most_tables=MANY).steps(leads))

    def walk(self, differences: Iterable[tuple[int, int]]) -> list[float]:
        """Return the stronger evidence after each table, up to the end of the test."""
        return [step.evidence.stronger for step in self.steps(differences)]

    def _bounds(self) -> tuple[float, float]:
        return log(self.beta), -log(self.alpha)

    def steps(self, differences: Iterable[tuple[int, int]]) -> Iterator[Step]:
        """Yield the state after each table, up to the end of the test."""
        leads = _Leads()
        better = _Gambler(self.delta, 1 + self.target)
        not_better = _Gambler(self.delta, 1 - self.target - self.delta)
        for tables, (lead, most) in enumerate(islice(differences, self.most_tables), 1):
            share, (variance, skew) = lead / most, leads.shape()
            better.bet(share - self.target, variance, skew, tables)
            not_better.bet(self.target + self.delta - share, variance, -skew, tables)
            leads.add(share)
            evidence = Evidence(better.evidence(), not_better.evidence())
            decision = self._decision(evidence, tables)
            yield Step(lead, most, evidence, decision)
            if decision != "running":
                return

    def _decision(self, evidence: Evidence, tables: int) -> Decision:
        lower, upper = self._bounds()
        above, below = evidence.better - upper, evidence.not_better + lower
        if max(above, below) >= 0:
            return "better" if above > below else "not better"
        return "undecided" if tables == self.most_tables else "running"

    def _answer(self, last: Step, sums: Sums) -> Answer:
        shares = sums.interval()
        interval = Interval(2 * shares.low - 1, 2 * shares.high - 1) if shares else None
        mean = 2 * sums.share() - 1 if sums.tables else None
        return Answer(last.decision, last.evidence.stronger, *self._bounds(), sums.tables, mean, interval)


class _Leads:
    """Moments of the leads so far."""

    def __init__(self) -> None:
        self.weight, self.sum, self.squares, self.cubes = 2 * PRIOR, 0.0, 2 * PRIOR, 0.0

    def add(self, lead: float) -> None:
        self.weight += 1
        self.sum += lead
        self.squares += lead**2
        self.cubes += lead**3

    def shape(self) -> tuple[float, float]:
        """Return the second and third central moments."""
        mean, square, cube = self.sum / self.weight, self.squares / self.weight, self.cubes / self.weight
        return square - mean**2, cube - 3 * mean * square + 2 * mean**3


class _Gambler:
    """Gambler who bets that gains have a mean of `delta` rather than 0 or less."""

    def __init__(self, delta: float, worst: float) -> None:
        """Start with a capital of 1. `worst` is the largest possible loss at a table."""
        self.delta, self.worst = delta, worst
        self.fitted, self.bold = log1p(-BOLD_PART), log(BOLD_PART)

    def bet(self, gain: float, variance: float, skew: float, table: int) -> None:
        """Bet on a table. The moments are those of the gains at earlier tables."""
        most = (1 - 0.5 / table) / self.worst  # never all: unseen results come about once in `table` tables
        stake = min(_stake(self.delta, variance, skew, table), most)
        self.fitted += log1p(stake * gain)
        self.bold += log1p(BOLD / self.worst * gain)

    def evidence(self) -> float:
        """Return the logarithm of the capital."""
        less, more = sorted((self.fitted, self.bold))
        return more + log1p(exp(less - more))


def _stake(mean: float, variance: float, skew: float, table: int) -> float:
    """Return the stake that pays best on gains with this mean and these central moments.

    There the slope of the mean of log(1 + stake * gain) is 0, to third order: mean - stake * E gain^2 + stake^2 * E
    gain^3 = 0. The last term ignores rare large gains but not rare large losses, because a stake that is too small
    costs little time and one that is too large costs much.
    """
    square = variance + mean**2
    cube = min(0.0, skew + 3 * mean * variance + mean**3 - PRIOR / (table - 1 + 2 * PRIOR))
    return 2 * mean / (square + sqrt(square**2 - 4 * mean * cube))
