"""Match records as examples."""

import numpy as np

from arena.cli.random_records import random_match
from arena.games.registry import rules_of
from arena.learn.records import examples
from arena.learn.vector import DealsEnv


def test_examples_are_the_free_decisions_of_the_record() -> None:
    """Each example has the seat and the number of a move with a choice, which was legal."""
    record = random_match(rules_of("suits-barnhart-4"), b"1")
    found = examples(record)
    moves = iter(record["moves"])

    assert 100 < len(found.actions) < len(record["moves"])
    assert found.legal.sum(1).min() > 1
    assert found.legal[np.arange(len(found.actions)), found.actions].all()
    assert all(seat in (move[0] for move in moves) for seat in found.seats)


def test_examples_look_like_self_play() -> None:
    """The first decision of a record has the same form, and the same values, as in an environment of the same deal."""
    rules = rules_of("suitability-4")
    record = random_match(rules, b"1")
    env = DealsEnv("suitability-4")
    env.rows = None
    env.states[0] = rules.start()
    env.states[0].deal(rules.board_from_json(0, record["boards"][0]))

    assert (examples(record).observations[0] == env._look()["observation"][0]).all()
