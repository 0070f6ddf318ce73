"""Every attack, in the strictest cage of this machine: none gets through, and each has its verdict."""

from pathlib import Path

import pytest

from arena.sandbox import Cage
from tests.sandbox.attacks import ALL
from tests.sandbox.attacks.ablation import makes_sense
from tests.sandbox.attacks.run import play
from tests.sandbox.conftest import Seat, answer


def descriptors() -> int:
    """How many the engine holds."""
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("name", [name for name, attack in ALL.items() if makes_sense(attack)])
def test_no_attack_gets_through(cage: Cage, seat: Seat, name: str) -> None:
    """Nothing comes out, nothing is harmed, how it ended is known by evidence, and the next bot plays."""
    outcome = play(ALL[name], cage)

    assert not outcome.breached, outcome.told
    assert outcome.ends == ALL[name].ends, outcome.told
    assert answer(seat("def act(view): return view.legal[0]")) == "2C"
