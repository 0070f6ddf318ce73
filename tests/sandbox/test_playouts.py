"""Bots play out in the kernel that the zygote loaded."""

from tests.sandbox.conftest import Seat, answer

BOT = """
from hashlib import sha256
from random import Random
from arena.games.registry import rules_of
from arena.sdk import Search, kernel

def estimates():
    rules = rules_of("suitability-4")
    state = rules.start()
    state.deal(rules.draw_board(0, Random(1)))
    while state.phase != "play":
        state.apply(state.legal(state.seat)[0])
    view = rules.view_type(state.view(state.seat))
    return Search(rules, Random(1)).estimates(view, 10, 10)

def act(view): return sha256(repr((kernel.MISSING, estimates())).encode()).hexdigest()[:16]
"""


def test_caged_bots_use_the_kernel(seat: Seat) -> None:
    """A bot in the cage has the kernel of this process, compiled or not, and gets the same estimates."""
    here: dict[str, object] = {}
    exec(BOT, here)  # noqa: S102 - the same code in this process

    assert answer(seat(BOT)) == here["act"](None)  # type: ignore[operator]
