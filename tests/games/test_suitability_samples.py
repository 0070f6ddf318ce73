"""Samples of deals of Suitability: all consistent deals, equally often."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest

from arena.games.suitability import Suitability
from tests.positions import deal

pytestmark = pytest.mark.no_cover  # the contract tests run the same lines; coverage makes this three times as slow

Hands = tuple[tuple[str, ...], ...]


def plays(view: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Return (seat, card, card led) for everything played in the deal."""
    for leader, *cards in [*view["tricks"], [view["leader"], *view["trick"]]]:
        for turn, card in enumerate(cards):
            yield (leader + turn) % len(view["scores"]), card, cards[0]


def possible(game: Suitability, view: dict[str, Any]) -> set[Hands]:
    """Return all divisions of the unseen cards among the others that fit the view, found by brute force."""
    played = Counter(seat for seat, _, _ in plays(view))
    left = [0 if seat == view["seat"] else game.table.each - played[seat] for seat in range(game.players)]
    void = {(seat, led[1]) for seat, card, led in plays(view) if "X" not in card + led and card[1] != led[1]}
    holder, out = view["exchange"] or (None, view["turn_up"])
    unseen = sorted(set(game.pack) - {card for _, card, _ in plays(view)} - {out, *view["hand"]})

    def fits(seat: int, hand: tuple[str, ...]) -> bool:
        took_turn_up = view["turn_up"] not in unseen or (view["turn_up"] in hand) == (seat == holder)
        return (took_turn_up or seat == view["seat"]) and not any((seat, card[1]) in void for card in hand)

    def share(seat: int, cards: list[str]) -> Iterator[Hands]:
        if seat == game.players:
            yield ()
            return
        for hand in combinations(cards, left[seat]):
            if fits(seat, hand):
                yield from ((hand, *rest) for rest in share(seat + 1, [card for card in cards if card not in hand]))

    return set(share(0, unseen))


TRICKS_LEFT = {3: 4, 4: 3, 5: 2}


def countable(players: int) -> Iterator[tuple[Suitability, dict[str, Any], set[Hands]]]:
    """Return views near the end of random deals with few enough possible deals to count."""
    game = Suitability({"players": players, "deals": 1})
    for seed in range(100):
        state, rng = game.start(), Random(seed)
        deal(game, state, seed)
        while len(state.played) < (game.table.each - TRICKS_LEFT[players]) * (1 + players) + 3:
            state.apply(rng.choice(state.legal(state.seat)))
        view = json.loads(json.dumps(state.view(state.seat)))
        found = possible(game, view)
        if 5 < len(found) < 80:
            yield game, view, found


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_consistent_deal_is_sampled_equally_often(players: int) -> None:
    """Voids, played jokers and the taken turn-up restrict the deals; the others occur evenly."""
    cases = list(islice(countable(players), 3))
    for game, view, found in cases:
        rng, counts = Random(players), Counter[Hands]()
        for _ in range(50 * len(found)):
            state = game.sample(view, rng)
            counts[tuple(() if s == view["seat"] else tuple(sorted(state.hand(s))) for s in range(players))] += 1

        assert counts.keys() == found
        chi_square = sum((count - 50) ** 2 / 50 for count in counts.values())
        assert chi_square < len(found) + 5 * (2 * len(found)) ** 0.5
    assert len(cases) == 3
