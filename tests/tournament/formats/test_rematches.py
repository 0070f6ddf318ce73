"""Tests of the search for rounds without rematches."""

from arena.tournament.formats.rematches import Round, without_rematches

PRISM = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)]
RUNGS = ((0, 3), (1, 4), (2, 5))
REMATCH = ((0, 4), (1, 5), (2, 3))


def unmet(pairs: list[tuple[int, int]]) -> list[int]:
    """Return for each bot the mask of the bots it has not met."""
    return [sum(1 << sum(pair) - bot for pair in pairs if bot in pair) for bot in range(1 + max(map(max, pairs)))]


def rungs_first(tables: Round) -> int:
    """Return the price of a round: the number of its tables that are no rung."""
    return sum(tuple(table) not in RUNGS for table in tables)


def test_cheapest_round_gives_way_to_one_that_can_be_followed() -> None:
    """If no round can follow the cheapest round, the cheapest of those that leave one is chosen.

    After the rungs of a prism two triangles are left, in which three bots cannot be paired.
    """
    chosen = without_rematches(unmet(PRISM), 2, 2, rungs_first, REMATCH)
    assert chosen is not None
    assert set(map(tuple, chosen)) != set(RUNGS)
    assert {tuple(table) for table in chosen} < set(PRISM)


def test_round_that_fewer_rounds_can_follow_is_next_best() -> None:
    """If no round can be followed by all later rounds, one that can be followed by some of them is chosen.

    Bots 0 to 3 have all met, so each of them plays one of 4 to 7 in every round. Bot 7 has two of them left: a second
    round exists, a third does not.
    """
    pairs = [(0, 4), (0, 5), (0, 7), (1, 4), (1, 6), (1, 7), (2, 4), (2, 5), (2, 6), (3, 4), (3, 5), (3, 6), (5, 7)]
    rematches = ((0, 1), (2, 3), (4, 5), (6, 7))
    chosen = without_rematches(unmet(pairs), 2, 2, lambda tables: 0, rematches)
    assert chosen is not None
    left = [pair for pair in pairs if pair not in chosen]
    assert without_rematches(unmet(left), 2, 0, lambda tables: 0, rematches) is not None


def test_known_round_is_enough_if_new_opponents_abound() -> None:
    """With twice the opponents that the later rounds need, the round that is known is not compared with others."""
    assert without_rematches(unmet(PRISM), 2, 0, rungs_first, RUNGS) is RUNGS


def test_cheapest_round_is_chosen_if_none_has_to_follow() -> None:
    """Without later rounds the price alone decides."""
    assert without_rematches(unmet(PRISM), 2, 0, rungs_first, REMATCH) == [(0, 3), (1, 4), (2, 5)]


def test_round_is_chosen_even_if_nothing_can_follow() -> None:
    """A round without rematches is better than none, even if every later round has some."""
    assert without_rematches(unmet(list(RUNGS)), 2, 3, rungs_first, REMATCH) == [(0, 3), (1, 4), (2, 5)]


def test_no_round_is_found_if_every_round_has_a_rematch() -> None:
    """None is returned if the bots cannot be seated without a rematch."""
    assert without_rematches(unmet(PRISM[:6]), 2, 0, rungs_first, REMATCH) is None
