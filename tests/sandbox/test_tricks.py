"""Attacks on the engine's parsing and on the code around a bot."""

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
    """Return the verdict or the last answer of a bot with this source, and its output."""
    player = cage.player(((tools(PROOF=PROOF) if trick.tools else "") + source).encode(), QUICK)
    try:
        ends = asked(player, trick.asks)
    except Fault as fault:
        ends = fault.kind
    return ends, player.close().output


def asked(player: Caged, times: int) -> str:
    """Return the bot's last answer. Raises `Fault`."""
    player.ready()
    for _ in range(times):
        player.ask(VIEW, (), 0.1)
        action = player.reply().action
    return f"answer: {action}"


@pytest.mark.parametrize("name", TRICKS)
def test_trick_has_expected_verdict(cage: Cage, seat: Seat, name: str) -> None:
    """A trick ends with one of its expected verdicts, leaves nothing open in the engine, and the next bot plays."""
    cage.open()
    before = held_open()
    ends, printed = ending(cage, TRICKS[name], TRICKS[name].source)

    assert ends in TRICKS[name].ends
    assert PROOF not in printed
    assert len(printed) <= QUICK.output
    assert held_open() <= before + 1  # the bot's program
    assert answer(seat("def act(view): return view.legal[0]")) == "2C"


@pytest.mark.parametrize("name", TRICKS)
def test_harmless_twin_plays(cage: Cage, name: str) -> None:
    """The harmless twin of a trick plays under the same limits."""
    ends, _ = ending(cage, TRICKS[name], TRICKS[name].twin)

    assert ends in ("answer: 2C", "answer: 3C")


def held_open() -> int:
    """Return the number of the engine's open descriptors."""
    return len(list(Path("/proc/self/fd").iterdir()))
