"""Layers to leave out in order to see what an attack does without them on this machine."""

import os
from functools import cache

from arena.sandbox import Cage
from tests.sandbox.attacks.attack import SPACES, Attack, condition_of, layer_of
from tests.sandbox.attacks.machine import has


@cache
def on_this_machine() -> tuple[frozenset[str], int]:
    """Return the available layers and namespaces, and the version of Landlock."""
    with Cage("none") as cage:
        spaces = {name for name, why_not in cage.zygote.spaces.items() if not why_not}
        return cage.layers | spaces, cage.zygote.landlock


def makes_sense(attack: Attack) -> bool:
    """Return whether this machine has what the attack targets."""
    return all(map(has, attack.needs))


def stops(attack: Attack) -> list[str]:
    """Return the layers that each stop the attack here."""
    layers, _ = on_this_machine()
    return [layer_of(stop) for stop in attack.stopped_by if layer_of(stop) in layers and _holds(condition_of(stop))]


def _holds(condition: str) -> bool:
    _, landlock = on_this_machine()
    return os.geteuid() == 0 if condition == "root" else landlock >= int(condition or 0)


def left_out(attack: Attack, kept: str = "") -> frozenset[str]:
    """Return the layers to leave out so that at most `kept` stops the attack.

    Layers around a whole zygote are always left out, because an ordinary user's are created through a user namespace,
    which itself stops some attacks.
    """
    out = frozenset({*SPACES, *map(layer_of, attack.stopped_by)} - {kept} - _bases(kept))
    return out | {"chroot", "landlock", "seccomp"} if "descriptors" in out else out  # they use or name them


def _bases(layer: str) -> set[str]:
    """Return the layers that a layer requires."""
    if layer in ("seccomp", "landlock"):
        return {"no_new_privs"}
    if layer == "chroot" and os.geteuid():
        return set(SPACES)
    return set()
