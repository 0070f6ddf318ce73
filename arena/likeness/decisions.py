"""Pairs of bots that decide alike where both had the same view.

Where two bots had byte-equal views, they agree or not. How often independent bots agree depends on the view, so the
agreement of a pair is compared with that of the other pairs with the same view, drawn towards the mean of all views
with the same phase and number of legal actions. An agreement on a choice that the others make too counts little.

Independent bots agree more or less than that, because their styles are alike or not. So the log odds of a pair's
agreement, over the expected ones, are taken as normal among independent pairs. Their median and spread are estimated
robustly from all pairs, because few are copies (an empirical null: B. Efron, Large-Scale Simultaneous Hypothesis
Testing, JASA 99, 2004). The result is the number of independent pairs expected to agree as much, of all pairs compared:
a p-value with Bonferroni's correction, read like the E-value of BLAST (S. F. Altschul et al., J. Mol. Biol. 215, 1990).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations
from math import exp, lgamma, log, log1p, pi, sqrt
from statistics import median
from typing import Final, NamedTuple

LEAST_DECISIONS: Final = 12
"""Number of decisions below which a pair is not compared."""
LEAST_SHARE: Final = 0.95
"""Share of equal decisions below which a pair is not reported: a disguised copy decides as the original does."""
MOST_BY_CHANCE: Final = 0.05
"""Number of independent pairs expected to agree as much, above which a pair is not reported."""
MOST_PARTNERS: Final = 3
"""Number of bots alike to a bot above which its pairs are not reported: many have its strategy."""
PRIOR: Final = 2.0
"""Weight of the mean of all views of a kind, in pairs."""
PLAIN: Final = 0.9
"""Share of first (or of last) legal actions from which a bot is not compared: its rule is everybody's."""
LEAST_SPREAD: Final = 0.5
"""Lower bound of the spread of styles, in log odds, because few pairs may show none."""

CHI_MEDIAN: Final = 0.4549
"""Median of the square of a standard normal deviate."""
STEP: Final = 0.1
GRID: Final = tuple(
    (number * STEP, STEP * exp(-((number * STEP) ** 2) / 2) / sqrt(2 * pi)) for number in range(-80, 81)
)
"""Deviations of a standard normal deviate and their probabilities, for integration by the trapezoidal rule."""


class View(NamedTuple):
    """One view and the choices of the bots that had it."""

    phase: str
    legal: int
    """Number of legal actions."""
    choices: dict[int, int]
    """Choice of each bot, by its position among the legal actions."""


class AlikeDecisions(NamedTuple):
    """Two bots that decide alike."""

    a: int
    b: int
    decisions: int
    """Number of decisions with equal views."""
    equal: int
    """Number of equal decisions among them."""
    expected: float
    """Number of equal decisions expected from the other bots with these views."""
    by_chance: float
    """Number of independent pairs expected to agree as much, of all pairs compared."""


@dataclass
class _Tally:
    decisions: int = 0
    equal: int = 0
    expected: float = 0.0

    @property
    def expected_odds(self) -> float:
        """Logarithm of the expected odds of an equal decision."""
        return _log_odds(self.expected, self.decisions)


@dataclass(frozen=True)
class _Styles:
    """Agreement of independent pairs, in log odds over the expected ones: normal, because styles differ."""

    mean: float
    spread: float

    @classmethod
    def of(cls, tallies: Sequence[_Tally]) -> "_Styles":
        """Estimate the styles from all pairs, of which few are copies."""
        if not tallies:
            return cls(0.0, LEAST_SPREAD)
        excess = [_log_odds(tally.equal, tally.decisions) - tally.expected_odds for tally in tallies]
        noise = [1 / (tally.equal + 0.5) + 1 / (tally.decisions - tally.equal + 0.5) for tally in tallies]
        mean = median(excess)
        low, high = LEAST_SPREAD, 10.0
        while high - low > 0.01:
            middle = (low + high) / 2
            ratio = median((x - mean) ** 2 / (middle**2 + n) for x, n in zip(excess, noise, strict=True))
            low, high = (middle, high) if ratio > CHI_MEDIAN else (low, middle)
        return cls(mean, high)

    def chance(self, tally: _Tally) -> float:
        """Return the probability that an independent pair has at least this number of equal decisions."""
        at = tally.expected_odds + self.mean
        return sum(
            weight * _tail(tally.equal, tally.decisions, at + self.spread * deviation) for deviation, weight in GRID
        )


@dataclass
class Decisions:
    """The decisions of all bots."""

    authors: Mapping[int, Set[int]]
    """Authors of each bot; bots with an author in common are not compared."""
    base: Set[int] = frozenset()
    """Bots that everybody may start from: neither they nor the bots that are alike to them are reported."""
    views: list[View] = field(default_factory=list)
    """Views that several bots had."""

    def compared(self) -> Mapping[tuple[int, int], _Tally]:
        """Return the tally of each pair that has enough decisions."""
        means, plain = self._means(), self._plain()
        tallies: dict[tuple[int, int], _Tally] = defaultdict(_Tally)
        for view in self.views:
            pairs = list(self._pairs(view))
            equal = sum(same for _, same in pairs)
            for (a, b), same in pairs:
                if a not in plain and b not in plain:
                    tally = tallies[a, b]
                    tally.decisions += 1
                    tally.equal += same
                    tally.expected += (equal - same + PRIOR * means[view[:2]]) / (len(pairs) - 1 + PRIOR)
        return {pair: tally for pair, tally in tallies.items() if tally.decisions >= LEAST_DECISIONS}

    def alike(self) -> list[AlikeDecisions]:
        """Return the pairs that decide alike, the most unusual first."""
        tallies = self.compared()
        styles = _Styles.of(list(tallies.values()))
        unusual = [
            AlikeDecisions(*pair, tally.decisions, tally.equal, tally.expected, len(tallies) * styles.chance(tally))
            for pair, tally in tallies.items()
            if tally.equal >= LEAST_SHARE * tally.decisions
        ]
        unusual = [pair for pair in unusual if pair.by_chance <= MOST_BY_CHANCE]
        known = self.base | {bot for pair in unusual for bot in pair[:2] if self.base & set(pair[:2])}
        apart = [pair for pair in unusual if not known & set(pair[:2])]
        return sorted(_uncrowded(apart), key=lambda pair: (pair.by_chance, pair.a, pair.b))

    def _plain(self) -> Set[int]:
        """Return the bots that nearly always choose the first legal action, or the last."""
        seen: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        for view in self.views:
            for bot, choice in view.choices.items():
                for place, met in enumerate((True, choice == 0, choice == view.legal - 1)):
                    seen[bot][place] += met
        return {bot for bot, (all, *plain) in seen.items() if max(plain) >= PLAIN * all}

    def _means(self) -> Mapping[tuple[str, int], float]:
        """Return the share of equal choices of all pairs for each kind of view."""
        sums: dict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
        for view in self.views:
            for _, same in self._pairs(view):
                sums[view[:2]][0] += same
                sums[view[:2]][1] += 1
        return {kind: equal / pairs for kind, (equal, pairs) in sums.items()}

    def _pairs(self, view: View) -> Iterator[tuple[tuple[int, int], bool]]:
        """Yield the pairs of bots with this view that have no author in common, and whether they chose alike."""
        for (a, choice), (b, other) in combinations(sorted(view.choices.items()), 2):
            if not self.authors[a] & self.authors[b]:
                yield (a, b), choice == other


def _log_odds(count: float, of: int) -> float:
    return log((count + 0.5) / (of - count + 0.5))


def _tail(count: int, of: int, odds: float) -> float:
    """Return the probability of at least this count, if each of `of` trials succeeds with these log odds."""
    success, failure = -log1p(exp(-odds)), -log1p(exp(odds))
    return sum(exp(_log_choose(of, k) + k * success + (of - k) * failure) for k in range(count, of + 1))


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _uncrowded(pairs: Sequence[AlikeDecisions]) -> Iterator[AlikeDecisions]:
    """Yield the pairs of bots that are alike to few others."""
    partners: dict[int, int] = defaultdict(int)
    for pair in pairs:
        partners[pair.a] += 1
        partners[pair.b] += 1
    return (pair for pair in pairs if max(partners[pair.a], partners[pair.b]) <= MOST_PARTNERS)
