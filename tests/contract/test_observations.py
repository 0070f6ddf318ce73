"""Observations as arrays, over every registered variant and the example of a game."""

from itertools import islice
from math import prod

import pytest

from arena.games.base import Game, View
from arena.games.registry import VARIANTS, rules_of
from arena.sdk.encoder import Encoder
from tests.games.high_card import HighCard
from tests.positions import finished, position, positions

every_variant = pytest.mark.parametrize("rules", [*map(rules_of, VARIANTS), HighCard()], ids=[*VARIANTS, "example"])


@every_variant
def test_parts_fill_the_observation(rules: Game) -> None:
    """Parts have different names, a word on their meaning, and one place after another."""
    encoder = Encoder(rules)

    assert len({part.name for part in encoder.parts}) == len(encoder.parts)
    assert all(part.doc.endswith(".") for part in encoder.parts)
    assert encoder.length == sum(prod(part.shape) for part in encoder.parts) == len(encoder.observe(seen(rules)))


@every_variant
def test_entries_stay_in_their_part(rules: Game) -> None:
    """At any position the entries are at different places of their part."""
    parts = rules.parts()
    for state in islice(positions(rules, 1), 0, 400, 3):
        view = state.view(state.seat)
        for part in parts:
            places = [place for place, _ in part.entries(view)]
            assert len(set(places)) == len(places)
            assert all(0 <= place < prod(part.shape) for place in places), part.name


@every_variant
def test_numbers_name_the_legal_actions(rules: Game) -> None:
    """Each legal action has a number of its own, in canonical order, and a 1 in the mask."""
    encoder = Encoder(rules)
    for state in islice(positions(rules, 2), 0, 400, 3):
        view = View(state.view(state.seat))
        numbers = encoder.numbers(view)
        assert [*numbers.values()] == view.legal
        assert [*numbers] == sorted(numbers) == [place for place, one in enumerate(encoder.mask(view)) if one]


@every_variant
def test_cards_held_can_be_read_back(rules: Game) -> None:
    """The seat's own cards are at the places of their actions."""
    encoder = Encoder(rules)
    [(name, start)] = (
        (part.name, start)
        for part, start in zip(encoder.parts, encoder.offsets, strict=False)
        if part.name in ("hand", "drawn")
    )
    for state in islice(positions(rules, 3), 0, 400, 3):
        view = View(state.view(state.seat))
        found = encoder.observe(view)
        held = [view.data[name].index(card) for card in view.data[name] if found[start + rules.action(card)]]
        assert held == [*range(len(view.data[name]))]


@every_variant
def test_seat_that_is_not_to_move_has_an_observation(rules: Game) -> None:
    """At the end, too: nothing is legal then."""
    encoder, state = Encoder(rules), finished(rules, 1)

    assert all(not any(encoder.mask(View(state.view(seat)))) for seat in range(rules.players))
    assert all(any(encoder.observe(View(state.view(seat)))) for seat in range(rules.players))


def seen(rules: Game) -> View:
    """Return a view in the middle of a match."""
    state = position(rules, 1, 20)
    return View(state.view(state.seat))
