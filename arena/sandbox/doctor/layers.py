"""The layers of the cage as an operator sees them: what each is for, and whether it is on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.sandbox.cage import ALWAYS, EITHER


@dataclass(frozen=True)
class Layer:
    """One layer of the cage."""

    name: str
    purpose: str
    around: str
    """``each bot``, or ``all bots``: taken on once, by the process that starts them."""
    need: str
    """``always``, ``both or one`` (see `arena.sandbox.cage.Cage`), or ``extra``."""
    on: bool
    why: str
    """Why it is off; empty where it is on."""


PURPOSES: Final = {
    "session": "no terminal, no shared process group",
    "descriptors": "nothing of the engine is open in a bot",
    "rlimits": "memory, processor time, processes and files are limited",
    "chroot": "the file system is empty",
    "uid": "a user id per seat: no signals, no shared limits between seats",
    "no_new_privs": "no program can give privileges back",
    "capabilities": "no capability, in any set",
    "parent_death": "a bot dies with the process that started it",
    "not_dumpable": "seats cannot look into each other",
    "landlock": "no file, and on newer kernels no port and no signal, even for a bot that got round the rest",
    "seccomp": "few system calls, no executable memory; hostile calls kill",
    "network": "no network device",
    "ipc": "no shared memory or queues of this machine",
    "uts": "no host name",
    "pid": "no process of this machine can be named",
    "cgroup": "memory and processes of all bots together are limited",
}


def described(each: Mapping[str, str], together: Mapping[str, str]) -> list[Layer]:
    """All layers, in the order in which they are taken on; given why each is off, by name."""
    return [_layer(name, why, "each bot") for name, why in each.items()] + [
        _layer(name, why, "all bots") for name, why in together.items()
    ]


def _layer(name: str, why: str, around: str) -> Layer:
    need = "always" if name in ALWAYS else "both or one" if name in EITHER else "extra"
    return Layer(name, PURPOSES.get(name, ""), around, need, not why, why)
