"""Calls of the kernel with fields that were changed at random: `python -m tests.sdk.fuzz_kernel LIBRARY CASES`.

The compiled kernel and its twin must answer alike: the same sums, the same worlds, or the same `ValueError`. With a
library that was built with sanitizers, any access out of bounds ends the process.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from arena.games.playouts import CARDS, NONE, Knowledge, Position, World
from arena.games.registry import game
from arena.sdk.kernel import twin
from arena.sdk.kernel.compiled import Kernel
from tests.positions import position

RULES: Final = [
    ("suitability", {"players": 5}),
    ("suitability", {"players": 3}),
    ("suit_yourself", {}),
    ("suits_barnhart", {}),
    ("suits_barnhart", {"players": 1}),
    ("suits_steere", {}),
    ("separate_suits", {"players": 2, "split_hand": True}),
    ("separate_suits", {"players": 8, "split_hand": True}),
    ("separate_suits", {"players": 3, "cancel_every_trick": True}),
]  # fmt: skip
NUMBERS: Final = (-1, 0, 1, 2, 4, 8, 13, 16, 17, 36, 63, 64, NONE, 256, 1 << 31, 1 << 32, 1 << 63, 1 << 64)
"""Values at the bounds of the kernel's fields."""
OTHERS: Final = (None, 1.5, "QS", True, ())


def changed(value: Any, rng: Random) -> Any:
    """Return a value with one change somewhere inside."""
    if is_dataclass(value):
        return _changed_dataclass(value, rng)
    if isinstance(value, tuple | bytes) and value and (rng.random() < 0.8 or hasattr(value, "_fields")):
        return _changed_sequence(value, rng)
    if type(value) is int and rng.random() < 0.5:
        return rng.choice([value ^ 1 << rng.randrange(8), value ^ 1 << rng.randrange(CARDS), value + 1, value - 1])
    return rng.choice(NUMBERS if rng.random() < 0.9 else OTHERS)


def _changed_sequence(value: Any, rng: Random) -> Any:
    at = rng.randrange(len(value))
    if hasattr(value, "_fields"):
        return value._replace(**{value._fields[at]: changed(value[at], rng)})
    if rng.random() < 0.15:
        return rng.choice([value[:at] + value[at + 1 :], value[: at + 1] + value[at:]])
    inside = changed(value[at], rng)
    if isinstance(value, bytes):
        return bytes([*value[:at], inside % 256 if type(inside) is int else NONE, *value[at + 1 :]])
    return (*value[:at], inside, *value[at + 1 :])


def _changed_dataclass(value: Any, rng: Random) -> Any:
    name = rng.choice([field.name for field in fields(value) if field.name != "plan"])
    return replace(value, **{name: changed(getattr(value, name), rng)})


def answers(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return what a function answers: its result, or the text of its `ValueError`."""
    try:
        found = function(*arguments)
    except ValueError as error:
        return str(error)
    return [*found]


def plays(rng: Random) -> Iterator[tuple[Position, list[World], Knowledge, list[int]]]:
    """Yield positions of random deals with two worlds, what the seat to move knows, and its legal actions."""
    while True:
        id, options = rng.choice(RULES)
        state = position(game(id, options), rng.randrange(1000), rng.randrange(60))
        play = state.trick_play()
        if play:
            known = Knowledge.of(play, state.game.unseen(state.view(state.seat)))
            yield play.position, [play.world, play.world], known, [*state.legal(state.seat)]


def check(library: Path, cases: int, seed: int = 1) -> tuple[int, int]:
    """Compare the kernel with its twin. Return the numbers of answers and of refusals."""
    rng, kernel, counts = Random(seed), Kernel(library), [0, 0]
    for (where, worlds, known, legal), _ in zip(plays(rng), range(cases), strict=False):
        for asked in (_changed_playouts(where, worlds, legal, rng), _dealt_playouts(kernel, known, where, legal, rng)):
            one, two = answers(kernel.play_outs, asked), answers(twin.play_outs, (asked[0], [*asked[1]], *asked[2:]))
            assert one == two, (asked, one, two)
            counts[isinstance(one, str)] += 1
        dealt = (changed(known, rng), rng.choice([1, 2, 2, -1]), 5)
        one, two = answers(kernel.deal, dealt), answers(twin.deal, dealt)
        assert one == two, (dealt, one, two)
        counts[isinstance(one, str)] += 1
    return counts[0], counts[1]


def _changed_playouts(where: Position, worlds: list[World], legal: list[int], rng: Random) -> tuple[Any, ...]:
    """Return arguments of `play_outs` with changes."""
    row = tuple(rng.choice([0, 1, 65535]) for _ in range(CARDS))
    asked: list[Any] = [where, tuple(worlds), 2, (None, legal[0]), 7, 3, rng.choice([(), (row, row)])]
    for _ in range(rng.choice([0, 1, 1, 2])):
        at = rng.choice([0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 6])
        asked[at] = rng.choice([-1, 0, 1, 1.5, 1 << 40, 1 << 63]) if at == 2 else changed(asked[at], rng)
    return (asked[0], [*asked[1]] if isinstance(asked[1], tuple) else worlds, *asked[2:])


def _dealt_playouts(
    kernel: Kernel, known: Knowledge, where: Position, legal: list[int], rng: Random
) -> tuple[Any, ...]:
    """Return arguments of `play_outs` with dealt worlds, which were perhaps dealt for another position."""
    if rng.random() < 0.7:
        where = changed(where, rng)
    actions = (None, changed(legal[0], rng) if rng.random() < 0.5 else legal[-1])
    return where, kernel.deal(known, 3, rng.getrandbits(32)), 1, actions, 7


if __name__ == "__main__":
    print(*check(Path(sys.argv[1]), int(sys.argv[2])))
