"""Which layers are left out to see what an attack does without them, on this machine."""

import os
from functools import cache

from arena.sandbox import Cage
from tests.sandbox.attacks.attack import SPACES, Attack, condition_of, layer_of
from tests.sandbox.attacks.machine import has


@cache
def on_this_machine() -> tuple[frozenset[str], int]:
    """The layers, and what is around a zygote, that can be had here; and the version of Landlock."""
    with Cage("none") as cage:
        spaces = {name for name, why_not in cage.zygote.spaces.items() if not why_not}
        return cage.layers | spaces, cage.zygote.landlock


def makes_sense(attack: Attack) -> bool:
    """Whether this machine has what the attack is after."""
    return all(map(has, attack.needs))


def stops(attack: Attack) -> list[str]:
    """The layers each of which stops the attack here."""
    layers, _ = on_this_machine()
    return [layer_of(stop) for stop in attack.stopped_by if layer_of(stop) in layers and _holds(condition_of(stop))]


def _holds(condition: str) -> bool:
    _, landlock = on_this_machine()
    return os.geteuid() == 0 if condition == "root" else landlock >= int(condition or 0)


def left_out(attack: Attack, kept: str = "") -> frozenset[str]:
    """What to leave out so that at most this one layer stands in the attack's way.

    Whatever is around a whole zygote is always left out: an ordinary user has it by way of a user namespace, which
    itself stands in the way of some attacks.
    """
    out = frozenset({*SPACES, *map(layer_of, attack.stopped_by)} - {kept} - _bases(kept))
    return out | {"chroot", "landlock"} if "descriptors" in out else out  # they use one each


def _bases(layer: str) -> set[str]:
    """What a layer itself cannot be had without."""
    if layer in ("seccomp", "landlock"):
        return {"no_new_privs"}
    if layer == "chroot" and os.geteuid():
        return set(SPACES)
    return set()
