"""Layers as an operator sees them, and the grade that they add up to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from arena.sandbox.cage import ALWAYS, EITHER, MINIMA, shortfall


@dataclass(frozen=True)
class Layer:
    """One layer of the cage."""

    name: str
    purpose: str
    around: str
    """``each bot``, or ``all bots`` if the process that starts the bots applies it once."""
    need: str
    """``always``, ``both or one`` (see `arena.sandbox.cage.Cage`), or ``extra``."""
    on: bool
    why: str
    """Reason why it is off; empty if it is on."""


PURPOSES: Final = {
    "session": "no terminal, no shared process group",
    "descriptors": "no file of the engine is open in a bot",
    "rlimits": "limits on memory, CPU time, processes and files",
    "chroot": "an empty file system",
    "uid": "a user id per seat: no signals and no shared limits between seats",
    "no_new_privs": "no program can regain privileges",
    "capabilities": "no capability, in any set",
    "parent_death": "a bot dies with the process that started it",
    "not_dumpable": "seats cannot inspect each other",
    "landlock": "no file, and on newer kernels no port and no signal, even if other layers fail",
    "seccomp": "few system calls, no executable memory; hostile calls kill",
    "network": "no network device",
    "ipc": "no shared memory or queues of this machine",
    "uts": "no host name",
    "pid": "no process of this machine can be named",
    "clocks": "no clock but the bot's own CPU time, so seats and matches cannot talk by timing",
    "cgroup": "limits on memory and processes of all bots together",
}

GRADES: Final = {
    "A": "Every layer holds.",
    "B": "Everything that the strict minimum requires holds; some extra layers are missing.",
    "C": "Landlock or a user id per seat is missing; the other layers still stop every known attack.",
    "D": "INSECURE: bots run with less than the minimum, because ARENA_SANDBOX_MINIMUM=none allows it.",
    "F": "No bot is run on this machine.",
}
BREACHED: Final = "An attack got through."
"""Verdict for grade F if bots could be run."""
LEVELS: Final = {"both": "B", "one": "C", "none": "D"}
"""Grade by the strictest minimum met, if some extra layer is missing."""


def describe(
    each: Mapping[str, str], together: Mapping[str, str], broken: Mapping[str, str] = MappingProxyType({})
) -> list[Layer]:
    """Return all layers in the order in which they are applied, given the reason why each is off by name.

    `each` has the layers around each bot, `together` those around all bots; `broken` has further reasons.
    """
    return [
        _layer(name, why or broken.get(name, ""), around)
        for around, found in (("each bot", each), ("all bots", together))
        for name, why in found.items()
    ]


def _layer(name: str, why: str, around: str) -> Layer:
    need = "always" if name in ALWAYS else "both or one" if name in EITHER else "extra"
    return Layer(name, PURPOSES.get(name, ""), around, need, not why, why)


def level(layers: Sequence[Layer]) -> str:
    """Return the strictest of `MINIMA` that these layers meet."""
    return next(minimum for minimum in MINIMA if not shortfall(_reasons(layers), minimum))


def grade(layers: Sequence[Layer]) -> str:
    """Return the grade from A to D, whatever minimum is required."""
    return "A" if all(layer.on for layer in layers) else LEVELS[level(layers)]


def problem(layers: Sequence[Layer], minimum: str) -> str:
    """Return the reason why no bot is run under this minimum; empty if bots are run."""
    return shortfall(_reasons(layers), minimum)


def _reasons(layers: Sequence[Layer]) -> Mapping[str, str]:
    return {layer.name: layer.why for layer in layers}
