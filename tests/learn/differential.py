"""Deals of the vector environment beside the engine, move by move: ``python -m tests.learn.differential 1000``."""

import sys
from typing import Any

from arena.games.base import State, View
from arena.games.registry import VARIANTS
from arena.learn.vector import DealsEnv

ROWS = 16


def compare(variant: str, deals: int, rows: int = ROWS, seed: int = 1) -> int:
    """Play at least so many deals at random, on both sides. Return their number."""
    env = DealsEnv(variant, rows)
    seen, _ = env.reset(seed=seed)
    states = [engine(env, row) for row in range(rows)]
    done = 0
    while done < deals:
        for row, state in enumerate(states):
            check_decision(env, seen, row, state)
        actions = env.sample()
        for row, state in enumerate(states):
            numbers = env.encoder.numbers(View(state.view(state.seat)))
            state.apply(env.game.action(numbers[int(actions[row])]))
        seen, rewards, ended, _, _ = env.step(actions)
        for row, state in enumerate(states):
            over = state.seat < 0
            assert ended[row] == over, (variant, row)
            assert rewards[row].tolist() == (state.scores() if over else [0] * env.game.players), (variant, row)
            if over:
                states[row] = engine(env, row)
        done += int(ended.sum())
    return done


def check_decision(env: DealsEnv, seen: dict[str, Any], row: int, state: State) -> None:
    """Compare a row with the engine's state: the seat to move, its observation and its legal actions."""
    view = View(state.view(state.seat))
    where = (env.game.id, row, view.data)
    assert seen["seat"][row] == state.seat, where
    assert seen["observation"][row].tolist() == [*env.encoder.observe(view)], where
    assert seen["action_mask"][row].tolist() == [*env.encoder.mask(view)], where


def engine(env: DealsEnv, row: int) -> State:
    """Return the engine's state of a row before its first decision."""
    if env.rows is None or row in env.states:
        return env.states[row].clone()
    hands = [*env.rows.rows[row].w.hands][: env.game.players]
    tokens = [[env.game.tokens[card] for card in range(64) if hand >> card & 1] for hand in hands]
    state = env.game.start()
    state.deal(env.game.board_from_json(0, {"hands": tokens}))
    return state


if __name__ == "__main__":
    for variant in sys.argv[2:] or VARIANTS:
        print(variant, compare(variant, int(sys.argv[1])), "deals", flush=True)
