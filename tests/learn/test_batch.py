"""Deals side by side, compared with the rules."""

from random import Random

import numpy as np
import pytest

from arena.games.base import View
from arena.games.registry import VARIANTS, rules_of
from arena.learn.batch import Batch
from arena.sdk.encoder import Encoder

DEALS = 4
PLAYED = [id for id in VARIANTS if id not in ("separate-suits-8",)]  # eight seats take long, and two are tried


@pytest.mark.parametrize("variant", PLAYED)
def test_batch_plays_by_the_rules(variant: str) -> None:
    """Seats, observations, legal actions and points are those of the same moves played by the rules alone."""
    rules, rng = rules_of(variant), np.random.default_rng(1)
    encoder, batch = Encoder(rules), Batch(rules, DEALS, Random(1))
    states = [state.clone() for state in batch.states]
    while not batch.over:
        turn = batch.turn()
        numbers = np.where(turn.legal, rng.random(turn.legal.shape), -1).argmax(1)
        for place, row in enumerate(turn.rows):
            state = states[row]
            view = View(state.view(state.seat))
            assert turn.seats[place] == state.seat
            assert turn.observations[place].tolist() == [*encoder.observe(view)]
            assert turn.legal[place].tolist() == [*map(bool, encoder.mask(view))]
            state.apply(rules.action(encoder.numbers(view)[numbers[place]]))
        batch.step(numbers)

    assert batch.points.tolist() == [state.scores() for state in states]


def test_seed_determines_the_deals() -> None:
    """Equal seeds deal the same hands, and different seeds others."""
    rules = rules_of("suit-yourself")
    one, same, other = (Batch(rules, DEALS, Random(seed)).turn().observations for seed in (1, 1, 2))

    assert (one == same).all()
    assert (one != other).any()
