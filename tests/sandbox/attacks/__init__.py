"""Hostile bots with real planted targets, as data.

`attack` defines an attack, `plants` its targets, and `run` plays it. `ALL` contains the attacks that layers stop: each
succeeds without its layers and fails with any one of them. Attacks that no layer stops, on the contents and timing of
replies, are in `tricks`.
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
"""Attacks by kind."""

ALL: Final[dict[str, Attack]] = {attack.name: attack for kind in KINDS.values() for attack in kind}
"""Attacks by name."""
