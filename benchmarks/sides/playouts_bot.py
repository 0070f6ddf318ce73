"""A bot that measures playouts in its cage: each view names a measurement, and the answer is its result."""

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any, Final

from arena.games.base import CHANCE, Game, State
from arena.games.playouts import Knowledge
from arena.games.registry import rules_of
from arena.sdk import View, kernel
from arena.sdk.kernel import twin

AT_ONCE: Final = {"kernel": 1000, "kernel_fresh": 1000}
"""Number of playouts per call; others are called for a few at a time."""
FEW: Final = 10


def first_card(rules: Game, rng: Random) -> State:
    """Return a random position before the first card of a deal."""
    state = rules.start()
    if state.seat == CHANCE:
        state.deal(rules.draw_board(0, rng))
    while not state.trick_play():
        state.apply(rng.choice(state.legal(state.seat)))
    return state


def by_rules(state: State, random: Callable[[], float]) -> list[int]:
    """Play to the end of the deal as a search does in Python, and return the scores."""
    finished, state = state.finished, state.clone()
    while state.finished == finished:
        legal = state.legal(state.seat)
        state.apply(legal[int(random() * len(legal))])
    return state.scores()


def measure(name: str, state: State, rng: Random, seconds: float) -> tuple[float, int]:
    """Repeat a measurement for about this time. Return the CPU seconds and the number of playouts."""
    view, play = state.view(state.seat), state.trick_play()
    assert play is not None  # noqa: S101 - narrows
    known = Knowledge.of(play, state.game.unseen(view))
    some, rules = AT_ONCE.get(name, FEW), state.game
    work: dict[str, Callable[[], Any]] = {
        "rules": lambda: [by_rules(state, rng.random) for _ in range(some)],
        "rules_fresh": lambda: [by_rules(rules.sample(view, rng), rng.random) for _ in range(some)],
        "twin": lambda: twin.play_outs(play.position, [play.world], some, [None], rng.getrandbits(64)),
        "kernel": lambda: kernel.play_outs(play.position, [play.world], some, [None], rng.getrandbits(64)),
        "kernel_fresh": lambda: kernel.play_outs(
            play.position, kernel.deal(known, some, rng.getrandbits(64)), 1, [None], rng.getrandbits(64)
        ),
    }
    run = work[name]
    run()  # fills the caches
    began = process_time()
    playouts, spent = 0, 0.0
    while not playouts or spent < seconds:
        run()
        playouts, spent = playouts + some, process_time() - began
    return spent, playouts


def act(view: View) -> str:
    """Return the seconds and the number of playouts."""
    name, variant, seed, seconds = view.data["measure"]
    rng = Random(seed)
    spent, playouts = measure(name, first_card(rules_of(variant), rng), rng, seconds)
    return f"{spent} {playouts}"
