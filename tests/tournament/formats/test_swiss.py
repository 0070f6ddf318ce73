"""Swiss system."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.formats import rematches
from arena.tournament.formats import swiss as module
from arena.tournament.formats.base import Cost, StageSize, Table, snake
from arena.tournament.formats.rematches import without_rematches
from arena.tournament.formats.swiss import Standing, cost, next_round
from arena.tournament.standings import opponents

STABLE = [(9, 3, 2), (14, 4, 2), (16, 4, 3), (23, 4, 3), (30, 3, 2), (40, 4, 2), (61, 2, 3)]
"""Entries, places and rounds played."""


def ways(entries: Sequence[int], places: int) -> Iterator[list[Table]]:
    """Yield every way to seat all entries."""
    if not entries:
        yield []
        return
    first, *others = entries
    for company in combinations(others, places - 1):
        rest = [entry for entry in others if entry not in company]
        yield from ([(first, *company), *tables] for tables in ways(rest, places))


def price(
    tables: Sequence[Table], standings: Sequence[Standing], met: Mapping[tuple[int, int], int]
) -> tuple[int, int]:
    """Return the number of rematches and the sum of squared differences in rank, with ties sharing the middle rank."""
    shares = sorted((one.share for one in standings if one.share is not None), reverse=True)
    middle = {
        one.entry: 2 * shares.index(one.share) + shares.count(one.share) for one in standings if one.share is not None
    }
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return sum(met.get(pair, 0) for pair in pairs), sum((middle[a] - middle[b]) ** 2 for a, b in pairs)


def played(
    entries: int, places: int, rounds: int, seed: int, strength: Callable[[int], float] | None = None
) -> tuple[list[Standing], Counter[tuple[int, int]]]:
    """Play rounds decided by strength or luck; return the standings and meetings after them."""
    random = Random(seed)
    strength = strength or (lambda _: random.random())
    met: Counter[tuple[int, int]] = Counter()
    points, matches, sat_out = [0] * entries, [0] * entries, [0] * entries
    standings = [Standing(entry, None, 0) for entry in range(entries)]
    for number in range(rounds):
        tables = next_round(standings, places, met, rounds - number - 1)
        met.update(pair for table in tables for pair in combinations(table, 2))
        seated = {entry for table in tables for entry in table}
        for table in tables:
            for rank, entry in enumerate(sorted(table, key=strength)):
                points[entry] += rank
                matches[entry] += places - 1
        sat_out = [count + (entry not in seated) for entry, count in enumerate(sat_out)]
        standings = [
            Standing(entry, Fraction(points[entry], matches[entry]) if matches[entry] else None, sat_out[entry])
            for entry in range(entries)
        ]
    return standings, met


@pytest.mark.parametrize(("entries", "places"), [(4, 2), (8, 2), (8, 4)])
def test_small_field_is_seated_optimally(entries: int, places: int) -> None:
    """No other seating has fewer rematches, or as few with smaller differences in standing."""
    for seed in range(8):
        standings, met = played(entries, places, 1 + seed % 4, seed)
        best = min(price(tables, standings, met) for tables in ways(range(entries), places))

        assert price(next_round(standings, places, met), standings, met) == best


def test_exchanges_come_close_to_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without trying all seatings there is at most one more rematch."""
    monkeypatch.setattr(module, "MOST_WAYS", 0)
    more = 0
    for seed in range(8):
        standings, met = played(9, 3, 1 + seed % 4, seed)
        best = min(price(tables, standings, met) for tables in ways(range(9), 3))
        found = price(next_round(standings, 3, met), standings, met)

        assert found[0] <= best[0] + 1
        more += found != best
    assert more <= 2


@settings(max_examples=30, deadline=None)
@given(entries=st.integers(0, 20), places=st.integers(2, 8), rounds=st.integers(0, 4), seed=st.integers(0, 99))
def test_every_bot_sits_at_one_table_or_sits_out(entries: int, places: int, rounds: int, seed: int) -> None:
    """Tables are full, and no bot sits out twice before all did once."""
    standings, met = played(entries, places, rounds, seed)
    tables = next_round(standings, places, met)
    seated = Counter(entry for table in tables for entry in table)

    assert all(len(table) == places and list(table) == sorted(table) for table in tables)
    assert len(tables) == entries // places
    assert set(seated.values()) <= {1}
    assert max((one.sat_out for one in standings), default=0) - min((one.sat_out for one in standings), default=0) <= 1
    assert tables == next_round(standings[::-1], places, met)


def test_last_of_the_bots_that_sat_out_least_sits_out() -> None:
    """The last in standing has already sat out."""
    standings = [
        Standing(0, Fraction(1, 5), 1),
        Standing(1, Fraction(1, 4), 0),
        Standing(2, Fraction(1, 3), 0),
        Standing(3, Fraction(3, 4), 0),
        Standing(4, Fraction(3, 5), 0),
    ]

    assert next_round(standings, 2, {}) == [(3, 4), (0, 2)]
    assert next_round(standings, 3, {}) == [(0, 3, 4)]


def test_first_round_spreads_the_seeds() -> None:
    """Seeds are dealt to the tables forwards and backwards, and the last ones sit out."""
    standings = [Standing(entry, None, 0) for entry in range(14)]

    assert next_round(standings, 4, {}) == [(0, 5, 6, 11), (1, 4, 7, 10), (2, 3, 8, 9)]
    assert snake([7, 3, 5, 1], 2) == [(1, 7), (3, 5)]
    assert next_round(standings[:3], 4, {}) == []


def test_new_bot_stands_in_the_middle() -> None:
    """Its strength is unknown, so it meets bots with half of the points."""
    standings = [
        Standing(0, Fraction(1, 2), 0),
        Standing(1, Fraction(1), 0),
        Standing(2, Fraction(0), 0),
        Standing(3, None, 0),
    ]

    assert next_round(standings, 2, {(1, 2): 1}) == [(0, 1), (2, 3)]
    assert next_round([*standings[:1], *standings[1:]], 2, {}) in ([(0, 1), (2, 3)], [(1, 3), (0, 2)])


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@pytest.mark.parametrize(
    ("entries", "places", "rounds"),
    [
        (4, 2, 3),
        (6, 2, 5),
        (8, 2, 7),
        (10, 2, 9),
        (9, 3, 4),
        (12, 3, 4),
        (16, 4, 5),
        (16, 4, 3),
        (32, 4, 5),
    ],
)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_no_rematches_if_none_are_necessary(entries: int, places: int, rounds: int, seed: int) -> None:
    """This many rounds without rematches exist in these fields, and they are found with any results."""
    _, met = played(entries, places, rounds, seed)

    assert set(met.values()) == {1}


@settings(max_examples=30, deadline=None)
@given(entries=st.integers(2, 18), places=st.integers(2, 4), rounds=st.integers(0, 5), seed=st.integers(0, 99))
def test_round_without_rematches_has_none(entries: int, places: int, rounds: int, seed: int) -> None:
    """Every bot sits once, and no two have met before; if none is found, `known` has rematches."""
    _, met = played(entries - entries % places, places, rounds, seed)
    unmet = [
        sum(1 << other for other in range(entries) if other != one and not met[min(one, other), max(one, other)])
        for one in range(entries - entries % places)
    ]
    if not unmet:
        return
    unmet = [options & (1 << len(unmet)) - 1 for options in unmet]
    known = [range(start, start + places) for start in range(0, len(unmet), places)]
    found = without_rematches(unmet, places, 2, lambda tables: sum(map(sum, tables)), known)

    if found is None:
        assert any(met[pair] for table in known for pair in combinations(table, 2))
    else:
        assert sorted(entry for table in found for entry in table) == list(range(len(unmet)))
        assert not any(met[min(pair), max(pair)] for table in found for pair in combinations(table, 2))


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
def test_opponents_break_ties() -> None:
    """Kendall's tau between standings and true order is higher with the tie-break (32 bots, tables of four)."""
    before, after = zip(*(taus(seed) for seed in range(3)), strict=True)

    assert fmean(after) > fmean(before) + 0.01


def taus(seed: int) -> tuple[float, float]:
    """Return tau after five rounds by share alone, and with opponents as the tie-break; lower numbers are stronger."""
    random = Random(seed)
    skills = sorted((random.gauss(0, 1) for _ in range(32)), reverse=True)
    standings, met = played(32, 4, 5, seed, lambda entry: skills[entry] + random.gauss(0, 0.4))
    shares = {one.entry: one.share for one in standings if one.share is not None}
    theirs = opponents(shares, met)
    return tau(shares), tau({entry: (share, theirs[entry]) for entry, share in shares.items()})


def tau(keys: Mapping[int, Any]) -> float:
    """Return pairs in the right order minus those in the wrong order, as a fraction of all."""
    return fmean((keys[a] > keys[b]) - (keys[a] < keys[b]) for a, b in combinations(sorted(keys), 2))


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@pytest.mark.parametrize(("entries", "places", "rounds"), [(100, 2, 4), (60, 4, 3)])
def test_large_field_has_no_early_rematches(entries: int, places: int, rounds: int) -> None:
    """Bots of similar standing meet."""
    standings, met = played(entries, places, rounds, 1)

    assert set(met.values()) == {1}
    tables = next_round(standings, places, met)
    share = {one.entry: float(one.share or 0) for one in standings}
    gaps = [share[one] - share[other] for table in tables for one, other in combinations(table, 2)]
    assert sum(abs(gap) for gap in gaps) / len(gaps) < 0.2


def test_number_of_exchanges_is_bounded_in_a_huge_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search stops even if it still helps."""
    looks: list[int] = []

    def improve(home: Mapping[int, list[int]], _: object) -> bool:
        looks.append(len(home) * module.REACH)
        return True

    monkeypatch.setattr(module, "_improve", improve)
    tables = next_round([Standing(entry, Fraction(entry % 9, 9), 0) for entry in range(2000)], 4, {})

    assert len(tables) == 500
    assert 0 < sum(looks) <= module.MOST_LOOKS + 2000 * module.REACH


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
def test_rounds_are_stable() -> None:
    """A new release makes the same later rounds of a running tournament."""
    digest = sha256()
    for entries, places, rounds in STABLE:
        standings, met = played(entries, places, rounds, 5)
        digest.update(repr([standings, next_round(standings, places, met, 1)]).encode())

    assert digest.hexdigest() == "bd8871db735116c489d7ed2ccf55578385dd4d628cbc48f27249c1a8b9af2812"


def test_constants_bound_the_search() -> None:
    """Any change of them would change the rounds of running tournaments."""
    assert (module.MOST_WAYS, module.MOST_SEARCHED, module.EFFORT) == (3000, 32, 400)
    assert (module.REACH, module.MOST_LOOKS, module.MOST_ENTRIES) == (40, 200_000, 300)
    assert (rematches.MOST_ROUNDS, rematches.MOST_TRIED, rematches.LOOSE) == (3000, 20, 2)
    assert (rematches.MOST_STEPS, rematches.MOST_STEPS_AHEAD) == (40_000, 4000)


def test_cost_counts_rounds() -> None:
    """Tables per bot are known only if the bots fill the tables."""
    assert cost(16, 4, rounds=5) == Cost((StageSize(4),) * 5, per_bot=5)
    assert cost(18, 4, rounds=2) == Cost((StageSize(4, 2),) * 2)
    assert module.stage_name(0) == "Round 1"
