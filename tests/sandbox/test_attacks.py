"""Every attack, in the strictest cage of this machine: none gets through, and each has its verdict."""

import re

import pytest

from arena.sandbox import Cage
from arena.sandbox.inside.syscalls import ARCHITECTURES
from tests.sandbox.attacks import ALL
from tests.sandbox.attacks.ablation import makes_sense
from tests.sandbox.attacks.run import play
from tests.sandbox.attacks.tools import NEW_CALLS
from tests.sandbox.conftest import Seat, answer


@pytest.mark.parametrize("name", [name for name, attack in ALL.items() if makes_sense(attack)])
def test_no_attack_gets_through(cage: Cage, seat: Seat, name: str) -> None:
    """Nothing comes out, nothing is harmed, how it ended is known by evidence, and the next bot plays."""
    outcome = play(ALL[name], cage)

    assert not outcome.breached, outcome.told
    assert outcome.ends == ALL[name].ends, outcome.told
    assert answer(seat("def act(view): return view.legal[0]")) == "2C"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_attacks_can_be_made_on_every_machine(machine: str) -> None:
    """The bare system calls that attacks make by name have a number on each."""
    bodies = [f"{attack.body} {attack.seat}" for attack in ALL.values()]
    named = {name for body in bodies for name in re.findall(r"""\bcall\(["'](\w+)""", body)}

    assert named <= {*ARCHITECTURES[machine][1], *NEW_CALLS}
