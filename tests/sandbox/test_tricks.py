"""Attacks on what the engine reads and on the code around a bot: each has its verdict, and nobody else notices."""

from pathlib import Path

import pytest

from arena.sandbox import Cage
from arena.sandbox.cage import Caged
from arena.sdk.faults import Fault
from tests.sandbox.attacks.tools import tools
from tests.sandbox.attacks.tricks import QUICK, TRICKS, Trick
from tests.sandbox.conftest import VIEW, Seat, answer

PROOF = "it-is-over"


def ending(cage: Cage, trick: Trick, source: str) -> tuple[str, str]:
    """The verdict on a bot with this source, or what it answered last; and what it printed until its end."""
    player = cage.player(((tools(PROOF=PROOF) if trick.tools else "") + source).encode(), QUICK)
    try:
        ends = asked(player, trick.asks)
    except Fault as fault:
        ends = fault.kind
    return ends, player.close().output


def asked(player: Caged, times: int) -> str:
    """What a bot answers in the end. Raises Fault."""
    player.ready()
    for _ in range(times):
        player.ask(VIEW, (), 0.1)
        action = player.reply().action
    return f"answer: {action}"


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_ends_with_its_verdict(cage: Cage, seat: Seat, name: str) -> None:
    """How it ends is among what is possible, it leaves nothing open in the engine, and the next bot plays."""
    cage.open()
    before = held_open()
    ends, printed = ending(cage, TRICKS[name], TRICKS[name].source)

    assert ends in TRICKS[name].ends
    assert PROOF not in printed
    assert len(printed) <= QUICK.output
    assert held_open() <= before + 1  # the program that was built for it
    assert answer(seat("def act(view): return view.legal[0]")) == "2C"


@pytest.mark.parametrize("name", TRICKS)
def test_without_its_sting_it_is_an_answer(cage: Cage, name: str) -> None:
    """The same bot, harmless, plays under the same limits."""
    ends, _ = ending(cage, TRICKS[name], TRICKS[name].twin)

    assert ends in ("answer: 2C", "answer: 3C")


def held_open() -> int:
    """How many descriptors the engine holds."""
    return len(list(Path("/proc/self/fd").iterdir()))
