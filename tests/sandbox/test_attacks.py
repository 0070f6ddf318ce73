"""Every attack in the strictest cage of this machine."""

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
def test_attack_fails_in_the_whole_cage(cage: Cage, seat: Seat, name: str) -> None:
    """No attack leaks a secret or does harm, each ends with the expected verdict, and the next bot plays."""
    outcome = play(ALL[name], cage)

    assert not outcome.breached, outcome.said
    assert outcome.ends == ALL[name].ends, outcome.said
    assert answer(seat("def act(view): return view.legal[0]")) == "2C"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_attacks_use_calls_known_on_every_machine(machine: str) -> None:
    """Each system call that attacks make by name has a number on every machine."""
    bodies = [f"{attack.body} {attack.seat}" for attack in ALL.values()]
    named = {name for body in bodies for name in re.findall(r"""\bcall\(["'](\w+)""", body)}

    assert named <= {*ARCHITECTURES[machine][1], *NEW_CALLS}
