"""Pairs of bots that decide alike, in simulated play."""

from collections.abc import Sequence
from random import Random

import pytest

from arena.likeness.decisions import LEAST_DECISIONS, MOST_BY_CHANCE, MOST_PARTNERS, Decisions, View

BOTS, TABLES, PLACES = 16, 800, 4

Style = Sequence[float]
"""Weights of the features of an action, the last one of noise."""


def style(luck: Random) -> Style:
    """Return the style of an independent bot: like others to a degree, and not quite steady."""
    return [*(mean + luck.gauss(0, 1) for mean in (0.7, 0.3, 0, 0, 0)), luck.choice((0, 0, 0.2))]


def choice(style: Style, view: Sequence[Sequence[float]], luck: Random) -> int:
    """Return the position of the action that a bot of this style prefers."""
    worth = [sum(map(float.__mul__, style, features)) + style[-1] * luck.gauss(0, 1) for features in view]
    return worth.index(max(worth))


def play(styles: Sequence[Style], luck: Random, tables: int = TABLES) -> Decisions:
    """Let bots of these styles meet at random tables, at each of which all have a view in common."""
    decisions = Decisions({bot: {bot} for bot in range(len(styles))})
    for _ in range(tables):
        legal = luck.choice((3, 5, 9, 13))
        view = [[luck.gauss(0, 1) for _ in range(5)] for _ in range(legal)]
        seated = luck.sample(range(len(styles)), PLACES)
        decisions.views.append(View("play", legal, {bot: choice(styles[bot], view, luck) for bot in seated}))
    return decisions


def found(decisions: Decisions) -> list[tuple[int, int]]:
    """Return the pairs found, in order of their bots."""
    return sorted((pair.a, pair.b) for pair in decisions.alike())


@pytest.mark.parametrize("seed", [0, 1])
def test_copies_are_found_and_no_other_pair(seed: int) -> None:
    """Two planted copies among independent bots with styles of their own."""
    luck = Random(seed)
    styles = [style(luck) for _ in range(BOTS)]
    styles[-2:] = styles[:2] = [[*one[:-1], 0.0] for one in styles[:2]]

    assert found(play(styles, luck)) == [(0, BOTS - 2), (1, BOTS - 1)]


@pytest.mark.parametrize("seed", [0, 1])
def test_independent_bots_are_not_alike(seed: int) -> None:
    """Similar styles are no evidence."""
    luck = Random(100 + seed)

    assert found(play([style(luck) for _ in range(BOTS)], luck)) == []


def test_numbers_of_a_pair_can_be_checked() -> None:
    """Decisions, equal ones, and those expected from the others are counted by hand here."""
    decisions = Decisions({bot: {bot} for bot in range(6)})
    for number in range(40):
        others = {bot: (number + bot) % 9 + 1 for bot in (2, 3, 4, 5)}
        decisions.views.append(View("play", 12, {0: number % 5 + 3, 1: number % 5 + 3, **others}))
    (pair,) = decisions.alike()
    shared = sum(len(set(view.choices.values())) < 6 for view in decisions.views)

    assert (pair.a, pair.b, pair.decisions, pair.equal) == (0, 1, 40, 40)
    assert shared == 40
    assert 0 < pair.expected < 0.2 * 40
    assert pair.by_chance < MOST_BY_CHANCE


def test_too_few_decisions_are_no_evidence() -> None:
    """Pairs that rarely had the same view are not compared."""
    decisions = Decisions({bot: {bot} for bot in range(4)})
    for number in range(LEAST_DECISIONS - 1):
        decisions.views.append(View("play", 12, {0: 5, 1: 5, 2: number % 7, 3: number % 11}))

    assert decisions.compared() == {}
    assert decisions.alike() == []


def test_bots_that_take_the_first_or_last_action_are_not_compared() -> None:
    """Their rule is everybody's."""
    decisions = Decisions({bot: {bot} for bot in range(8)})
    for number in range(100):
        decisions.views.append(
            View("play", 12, {0: 0, 1: 0, 2: 11, 3: 11, **{bot: number % bot + 2 for bot in (5, 6, 7)}})
        )

    assert {bot for pair in decisions.compared() for bot in pair} == {5, 6, 7}


def test_strategy_of_many_is_not_reported() -> None:
    """If a bot is alike to many others, all of them may know the same rule."""
    luck = Random(5)
    styles = [style(luck) for _ in range(BOTS)]
    crowd = MOST_PARTNERS + 5
    styles[:crowd] = [[0.3, -2.0, 1.0, 0.2, 0.1, 0.0]] * crowd

    assert found(play(styles, luck)) == []


def test_bots_like_a_base_bot_are_not_reported() -> None:
    """Everybody may start from a house bot."""
    luck = Random(6)
    styles = [style(luck) for _ in range(BOTS)]
    styles[:3] = [[0.3, -2.0, 1.0, 0.2, 0.1, 0.0]] * 3
    decisions = play(styles, luck)

    assert found(decisions) == [(0, 1), (0, 2), (1, 2)]

    decisions.base = frozenset([2])

    assert found(decisions) == []


def test_bots_of_one_author_are_not_compared() -> None:
    """Two bots of one author may share everything."""
    luck = Random(7)
    styles = [style(luck) for _ in range(BOTS)]
    styles[1] = styles[0] = [0.3, -2.0, 1.0, 0.2, 0.1, 0.0]
    decisions = play(styles, luck)
    assert found(decisions) == [(0, 1)]

    decisions.authors = {**decisions.authors, 1: {0}}

    assert found(decisions) == []


def test_views_of_two_bots_are_compared_with_all_views() -> None:
    """If a game seats two, nobody else has the same view; the other views of its kind say what is common."""
    decisions = Decisions({bot: {bot} for bot in range(8)})
    luck = Random(8)
    for _ in range(700):
        a, b = luck.sample(range(8), 2)
        same = luck.randrange(2, 10)
        chosen = {bot: same if bot < 2 or luck.random() < 0.3 else luck.randrange(2, 10) for bot in (a, b)}
        decisions.views.append(View("play", 12, chosen))

    assert found(decisions) == [(0, 1)]


def test_no_views_are_no_pairs() -> None:
    """An arena that has played nothing has no report."""
    assert Decisions({}).alike() == []
