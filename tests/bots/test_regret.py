"""`regret_bot`: chances of ranks in a trick of Separate Suits."""

from collections import Counter
from itertools import product
from math import prod
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.cards import RANKS
from arena.games.separate_suits.rules import cancelling_winner, ordinary_winner
from bots.regret_bot import Regret, below, chances, later, uncancelled, updated

SIZE = 3
HANDS = st.integers(2, 4).flatmap(
    lambda seats: st.lists(
        st.lists(st.integers(0, 12), min_size=SIZE, max_size=SIZE, unique=True), min_size=seats, max_size=seats
    )
)


@given(hands=HANDS, last=st.integers(0, 3), data=st.data())
def test_chances_are_those_of_all_shows(hands: list[list[int]], last: int, data: st.DataObject) -> None:
    """A rank's chance to win is the sum over everything that the others may show."""
    seats = range(len(hands))
    last %= len(hands)
    weights = st.lists(st.integers(1, 5), min_size=SIZE, max_size=SIZE)
    drawn = [data.draw(weights) for _ in seats]
    strategies = [[weight / sum(each) for weight in each] for each in drawn]

    shown = [*map(below, hands, strategies)]

    for seat in seats:
        found = chances(hands[seat], seat, shown, last)
        for place, rank in enumerate(hands[seat]):
            sure = {seat: [(rank, 1.0)]}
            rows = [sure.get(other) or [*zip(hands[other], strategies[other], strict=True)] for other in seats]
            wins = sum(
                prod(chance for _, chance in show)
                for show in product(*rows)
                if ordinary_winner([each for each, _ in show], last) == seat
            )
            assert found[place] == pytest.approx(wins)


@given(hand=st.lists(st.integers(0, 12), unique=True), others=st.lists(st.integers(0, 12), min_size=1, max_size=7))
def test_uncancelled_ranks_win_by_the_rules(hand: list[int], others: list[int]) -> None:
    """If equal ranks cancel, a rank has a chance exactly if the rules let it win."""
    assert uncancelled(hand, 0, [0, *others]) == [float(cancelling_winner([rank, *others]) == 0) for rank in hand]


def test_regrets_grow_where_more_was_to_gain() -> None:
    """A rank that gains more than the strategy on average is regretted more, and no regret falls below 0."""
    assert updated([0.0, 1.0], [0.5, 0.5], [1.0, 0.0], [0.2, 0.2]) == pytest.approx([0.5, 0.5])
    assert updated([0.0, 0.2], [0.5, 0.5], [1.0, 0.0], [0.2, 0.2]) == pytest.approx([0.5, 0.0])


@pytest.mark.parametrize("seats", [2, 4])
def test_strategy_leaves_little_to_gain(seats: int) -> None:
    """The best answer of one seat to the strategies of all gains at most 0.008 of a trick on average."""
    rng, bot = Random(0), Regret()
    bot.seat = 0
    bot.on_start()
    gains = []
    for _ in range(40):
        hands = [sorted(rng.sample(range(13), 9)) for _ in range(seats)]
        views = [SimpleNamespace(seat=seat, cancelling=False, last_winner=0) for seat in range(seats)]
        often = [bot.match_regrets(view, hands) for view in views]  # type: ignore[arg-type]
        chosen = [[weight / sum(each) for weight in each] for each in often]
        shown = [*map(below, hands, chosen)]
        worth = [
            chance - later(rank, 1, hands)
            for rank, chance in zip(hands[1], chances(hands[1], 1, shown, 0), strict=True)
        ]
        gains.append(max(worth) - sum(map(prod, zip(chosen[1], worth, strict=True))))

    assert sum(gains) / len(gains) < 0.008


def test_no_packet_is_likelier_than_another() -> None:
    """Each rank is as often first in a packet as any other, so nobody knows what the packet holds."""
    bot = Regret()
    bot.rng = Random(0)
    view = SimpleNamespace(phase="packet", legal=RANKS)
    counts = Counter(bot.act(view) for _ in range(1300))  # type: ignore[arg-type]

    assert all(70 < counts[rank] < 130 for rank in RANKS)
