"""Hostile bots, each with its aim planted and live, as data.

`attack` says what an attack is, `plants` what they are after, `run` plays one. `ALL` has those that layers stop: every
one of them gets through where its layers are off, and fails where any single one of them is on. What no layer stops,
because it is about what a bot may say and when, is in `tricks`.
"""

from typing import Final

from tests.sandbox.attacks.attack import Attack
from tests.sandbox.attacks.files import FILES
from tests.sandbox.attacks.kernel import KERNEL
from tests.sandbox.attacks.memory import MEMORY
from tests.sandbox.attacks.network import NETWORK
from tests.sandbox.attacks.processes import PROCESSES
from tests.sandbox.attacks.seats import SEATS

KINDS: Final[dict[str, tuple[Attack, ...]]] = {
    "files": FILES,
    "processes": PROCESSES,
    "network": NETWORK,
    "memory": MEMORY,
    "kernel": KERNEL,
    "seats": SEATS,
}
"""Every attack, by what it is on."""

ALL: Final[dict[str, Attack]] = {attack.name: attack for kind in KINDS.values() for attack in kind}
"""Every attack by its name."""
