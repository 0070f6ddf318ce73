"""What the sandbox of this machine can do: every layer is tried in a throwaway process, and bots are timed."""

import os
import platform
import statistics
import time
from dataclasses import dataclass
from typing import Any, Final

from arena.sandbox.cage import ALWAYS, EITHER, Cage, shortfall
from arena.sandbox.player import CagedPlayer
from arena.sandbox.zygote import Zygote
from arena.sdk.player import Setup

_SOURCE: Final = b"def act(view):\n    return view.legal[0]\n"
_SETUP: Final = Setup("suitability", {"players": 4}, 0, ("a", "b", "c", "d"), 1)
_VIEW: Final[dict[str, Any]] = {"seat": 0, "phase": "play", "legal": ["2C", "3C"]}
_STARTS: Final = 15
_ASKS: Final = 500


@dataclass(frozen=True)
class Layer:
    """One layer, or one namespace, of the cage."""

    name: str
    purpose: str
    need: str
    """``always``, ``both or one`` (see `Cage`), or ``extra``."""
    on: bool
    why: str
    """Why it is off; empty where it is on."""
    remedy: str
    """What to do about it; empty where it is on."""


@dataclass(frozen=True)
class Speed:
    """Medians, on this machine, now."""

    ready_ms: float
    """From asking for a bot to its `on_start` having returned."""
    stop_ms: float
    move_us: float
    """From sending a view to having the answer of a bot that does not think."""


@dataclass(frozen=True)
class Diagnosis:
    """Everything that the doctor found."""

    kernel: str
    machine: str
    python: str
    uid: int
    landlock: int
    """Landlock's version; 0 for none."""
    minimum: str
    layers: list[Layer]
    speed: Speed | None
    """None where no bot could be run."""
    problem: str
    """Why the minimum does not hold; empty where it does."""
    grade: str
    verdict: str
    """The grade in one sentence."""

    @property
    def holds(self) -> bool:
        """Whether the arena runs bots on this machine."""
        return not self.problem


_PURPOSES: Final[dict[str, tuple[str, str]]] = {
    "session": ("no terminal, no shared process group", "Report this: it should never be refused."),
    "descriptors": ("nothing of the engine is open in a bot", "Use a kernel of 5.9 or later."),
    "rlimits": ("memory, processor time, processes and files are limited", "Raise the hard limits of this process."),
    "chroot": (
        "the file system is empty",
        "Run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces).",
    ),
    "uid": (
        "a user id per seat: no signals, no shared limits between seats",
        (
            "Run the workers as root (in a container: with CAP_SETUID, CAP_SETGID and CAP_KILL); bots keep none of it. "
            "Or accept Landlock without it, as `arena up` does for an ordinary user: ARENA_SANDBOX_MINIMUM=one."
        ),
    ),
    "no_new_privs": ("no program can give privileges back", "Use a kernel of 3.5 or later."),
    "capabilities": ("no capability, in any set", "Report this: it should never be refused."),
    "parent_death": ("a bot dies with its zygote", "Report this: it should never be refused."),
    "not_dumpable": ("seats cannot look into each other", "Report this: it should never be refused."),
    "landlock": (
        "no file, no port, no signal, even for a process that got round the rest",
        "Use a kernel of 5.13 or later with Landlock in its list of security modules (boot with lsm=landlock,…).",
    ),
    "seccomp": (
        "few system calls, no executable memory; hostile calls kill",
        "Use a kernel with CONFIG_SECCOMP_FILTER.",
    ),
    "network": ("no network device", "Run as root, or allow user namespaces."),
    "ipc": ("no shared memory or queues of this machine", "Run as root, or allow user namespaces."),
    "uts": ("no host name", "Run as root, or allow user namespaces."),
}

_GRADES: Final = {
    "A": "every layer holds",
    "B": "everything that the strict minimum asks for holds; some extra layers are missing",
    "C": "one of Landlock and a distinct user id is missing: the remaining layers still hold each attack we know",
    "F": "bots are not run on this machine",
}


def probe() -> list[Layer]:
    """Try every layer and namespace, in the order in which a bot takes them on. Raises ArenaFault."""
    zygote = Zygote()
    try:
        return _layers(zygote)
    finally:
        zygote.close()


def examine(minimum: str = "both") -> Diagnosis:
    """Probe this machine and measure it. Raises ArenaFault where not even a zygote starts."""
    zygote = Zygote()
    try:
        layers, landlock = _layers(zygote), zygote.landlock
    finally:
        zygote.close()
    problem = shortfall({layer.name: layer.why for layer in layers}, minimum)
    grade = "F" if problem else _grade(layers)
    return Diagnosis(
        kernel=platform.release(),
        machine=platform.machine(),
        python=platform.python_version(),
        uid=os.geteuid(),
        landlock=landlock,
        minimum=minimum,
        layers=layers,
        speed=None if problem else _measure(minimum),
        problem=problem,
        grade=grade,
        verdict=_GRADES[grade],
    )


def _layers(zygote: Zygote) -> list[Layer]:
    return [_layer(name, why) for name, why in (zygote.probe() | zygote.namespaces).items()]


def _layer(name: str, why: str) -> Layer:
    purpose, remedy = _PURPOSES[name]
    need = "always" if name in ALWAYS else "both or one" if name in EITHER else "extra"
    return Layer(name, purpose, need, not why, why, remedy if why else "")


def _grade(layers: list[Layer]) -> str:
    off = {layer.name for layer in layers if not layer.on}
    if not off:
        return "A"
    return "C" if off & set(EITHER) else "B"


def _measure(minimum: str) -> Speed:
    with Cage(minimum) as cage:
        starts = [_life(cage) for _ in range(_STARTS)]
        player = cage.player(_SOURCE)
        player.start(_SETUP)
        player.ready()
        moves = [_move(player) for _ in range(_ASKS)]
        player.close()
    ready, stop = (statistics.median(column) * 1e3 for column in zip(*starts, strict=True))
    return Speed(round(ready, 2), round(stop, 2), round(statistics.median(moves) * 1e6, 1))


def _life(cage: Cage) -> tuple[float, float]:
    """Seconds until a bot is ready, and until it has gone."""
    before = time.perf_counter()
    player = cage.player(_SOURCE)
    player.start(_SETUP)
    player.ready()
    ready = time.perf_counter()
    player.close()
    return ready - before, time.perf_counter() - ready


def _move(player: CagedPlayer) -> float:
    before = time.perf_counter()
    player.ask(_VIEW, (), 1.0)
    player.reply()
    return time.perf_counter() - before
