"""What an attack is: data. `run` plays it, `plants` makes what it is after."""

from dataclasses import dataclass
from typing import Final

from arena.sandbox import DEFAULT_LIMITS, Limits

SPACES: Final = ("network", "ipc", "uts", "pid", "cgroup")
"""What is around a whole zygote, by name."""


@dataclass(frozen=True)
class Attack:
    """A hostile bot, and what keeps it from its aim.

    It has got through where a secret or `PROOF` comes out of it, or where harm is done to something planted.
    """

    name: str
    aim: str
    """What it is after, as one phrase."""
    body: str
    """The body of `act`, which finds the tools of `run` and what is planted by name."""
    stopped_by: tuple[str, ...]
    """Layers each of which prevents it alone: ``landlock:6`` from that version of Landlock on, ``capabilities:root``
    where the engine is root."""
    plants: tuple[str, ...] = ()
    """What has to be there: names of `plants.PLANTS`."""
    ends: str = "error"
    """How it ends in the whole cage: a kind of verdict, or ``answer`` where the bot plays on."""
    seat: str | None = None
    """The body of another bot's `act`, which is asked before the attack and again after it; None for no such bot."""
    seat_then: str = "return 'alive'"
    """What that bot does the second time. If it cannot, harm was done to it."""
    needs: tuple[str, ...] = ()
    """What this machine must have for the attack to make sense at all: names of `machine.NEEDS`."""
    host_may_refuse: bool = False
    """Whether many hosts do not let it through even outside of any cage. Where this one does, the cage must not."""
    limits: Limits = DEFAULT_LIMITS


def layer_of(stop: str) -> str:
    """The name of a layer in `stopped_by`."""
    return stop.partition(":")[0]


def condition_of(stop: str) -> str:
    """What must be true of a machine for that; empty for nothing."""
    return stop.partition(":")[2]
