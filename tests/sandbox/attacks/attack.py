"""Definition of an attack. `run` plays it, `plants` creates its targets."""

from dataclasses import dataclass
from typing import Final

from arena.sandbox import DEFAULT_LIMITS, Limits

SPACES: Final = ("network", "ipc", "uts", "pid", "clocks", "cgroup")
"""Names of the layers around a whole zygote."""


@dataclass(frozen=True)
class Attack:
    """A hostile bot and the layers that stop it.

    It succeeds if a secret or `PROOF` comes out of it, or if a planted target is harmed.
    """

    name: str
    aim: str
    """Target, in one phrase."""
    body: str
    """Body of `act`, in which the tools of `run` and the planted targets are available by name."""
    stopped_by: tuple[str, ...]
    """Layers that each stop it alone: ``landlock:6`` from that version on, ``capabilities:root`` if the engine is root.
    """
    plants: tuple[str, ...] = ()
    """Required targets: names of `plants.PLANTS`."""
    ends: str = "error"
    """Ending in the whole cage: the kind of verdict, or ``answer`` if the bot plays on."""
    seat: str | None = None
    """Body of `act` of another bot, which is asked before and after the attack; None for no such bot."""
    seat_then: str = "return 'alive'"
    """Body of the other bot's second move. If it fails, the bot was harmed."""
    needs: tuple[str, ...] = ()
    """Requirements on this machine: names of `machine.NEEDS`."""
    host_may_refuse: bool = False
    """Whether many hosts prevent it even outside the cage. If a host does not, the cage must."""
    limits: Limits = DEFAULT_LIMITS


def layer_of(stop: str) -> str:
    """Return the name of a layer in `stopped_by`."""
    return stop.partition(":")[0]


def condition_of(stop: str) -> str:
    """Return the condition of a layer in `stopped_by`; empty if there is none."""
    return stop.partition(":")[2]
