"""Habits of seats in the playouts of search."""

from random import Random

import pytest

from arena.games.cards import TOKENS
from arena.games.registry import VARIANTS, rules_of
from arena.sdk.search import HEAVIEST
from bots.search_bot import HABITS, Searcher, kind_of, seats_habits
from tests.positions import positions

LEARNED = [variant for variant in VARIANTS if rules_of(variant).id == "suitability"]


def searcher(variant: str) -> Searcher:
    """Return the bot before its first decision."""
    rules, bot = rules_of(variant), Searcher()
    bot.game, bot.options, bot.seat, bot.rng = rules.id, rules.options, 0, Random(1)
    bot.on_start()
    return bot


@pytest.mark.parametrize("variant", LEARNED)
def test_every_seat_has_weights_for_every_card(variant: str) -> None:
    """Each seat has its habits in any position in play, and the kernel takes them."""
    rules, bot = rules_of(variant), searcher(variant)
    played = [state.clone() for state in positions(rules, 1) if state.trick_play()]

    for state in played[::10]:
        view = rules.view_type(state.view(state.seat))
        habits = seats_habits(view)
        assert len(habits) == rules.players
        assert all(1 <= weight <= HEAVIEST for seat in habits for row in seat for weight in row.values())
        assert all({*rules.tokens[:52]} <= {*row} for seat in habits for row in seat)
        assert bot.search.estimates(view, 2, 2)


def test_kinds_of_cards_follow_the_roles_of_their_suits() -> None:
    """Each rank of each role is a kind, and all jokers are one more."""
    rules = rules_of("suitability-5")
    state = next(each for each in positions(rules, 1) if each.trick_play())
    roles = state.view(state.seat)["roles"]

    assert [kind_of(roles, f"{rank}{roles['trump']}") for rank in "2A"] == [0, 12]
    assert [kind_of(roles, f"{rank}{roles['plain']}") for rank in "2A"] == [39, 51]
    assert {kind_of(roles, card) for card in TOKENS[52:55]} == {52}
    assert {len(row) for rows in HABITS.values() for row in rows} == {53}
