"""The cage: creates players for a worker."""

import platform
import time
from collections.abc import Collection, Mapping, Sequence
from random import SystemRandom
from typing import Final, Self

from arena.games.errors import ArenaFault
from arena.sandbox.builder import ImageCache
from arena.sandbox.cgroups import GroupLimits
from arena.sandbox.limits import DEFAULT_LIMITS, Limits
from arena.sandbox.player import CagedPlayer, UnbuiltPlayer
from arena.sandbox.process import Process
from arena.sandbox.zygote import EMPTY_BOT, PackageRefused, Zygote
from arena.sdk.faults import Fault

ALWAYS: Final = ("descriptors", "rlimits", "no_new_privs", "capabilities", "seccomp")
"""Layers without which no bot is run."""
EITHER: Final = ("landlock", "uid")
"""Layers of which the minimum requires both or one."""
MINIMA: Final = ("both", "one", "none")
"""Minima from strictest to weakest. With the last one, bots run with whatever layers are available."""

_FIRST_SEAT: Final = 0
_LARGEST_TABLE: Final = 8
_BUILD_SEAT: Final = 2 * _LARGEST_TABLE
"""Seat in which programs are built."""
_INSPECT_SEAT: Final = _BUILD_SEAT + 1
"""Seat of a bot that is only loaded."""
ASIDE: Final = 4
"""Number of seats of a second table, played between the moves of the first; used to try out uploads."""
_SPARE_SEATS: Final = 2
"""Number of extra seats in the memory limit: for building and loading bots, and for the zygote's own processes."""
_MAX_PROCESSES: Final = 128
"""Maximum number of processes of a zygote; more than it ever needs."""
_CLOCK_MONOTONIC_COARSE: Final = 6
"""Clock of Linux whose resolution is the period of the timer's interrupts."""

Caged = CagedPlayer | UnbuiltPlayer


class Cage:
    """Runs untrusted bots. Each worker process has one cage, used by a single thread; it is a context manager.

    `minimum` is "both" (Landlock and a separate uid per bot), "one" of them, or "none" (an insecure run). `core` is the
    core that bots run on; the worker should run on the same one. `without` disables layers regardless of the minimum,
    to test what they stop. `packages` are modules that bots can import besides numpy, unless they are refused. `seats`
    is the number of bots that have room at the same time. The zygote starts with the first bot and again if it dies.
    """

    def __init__(
        self,
        minimum: str = "both",
        core: int | None = None,
        without: Collection[str] = (),
        limits: Limits = DEFAULT_LIMITS,
        packages: Sequence[str] = (),
        seats: int = _LARGEST_TABLE + ASIDE,
    ) -> None:
        if minimum not in MINIMA:
            raise ArenaFault(f"invalid sandbox minimum {minimum!r}; allowed are {', '.join(MINIMA)}")
        self.limits = limits
        self._minimum = minimum
        self._core = core
        self._without = frozenset(without)
        self._wanted = packages
        self._seats = seats
        self._refused: dict[str, str] = {}
        self._packages: Mapping[str, str] = {}
        self._zygote: Zygote | None = None
        self._layers: frozenset[str] = frozenset()
        self._level = "none"
        self._images = ImageCache()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> Self:
        """Start the zygote before the first bot needs it.

        Raises `ArenaFault` if this machine cannot run bots safely.
        """
        self._running()
        return self

    def close(self) -> None:
        """Stop the zygote and all bots."""
        self._images.close()
        self._stop()

    def _stop(self) -> None:
        if self._zygote:
            self._zygote.close()
            self._zygote = None

    @property
    def zygote(self) -> Zygote:
        """The running zygote. Raises `ArenaFault` if this machine cannot run bots safely."""
        return self._running()

    def _running(self) -> Zygote:
        if self._zygote is None or not self._zygote.alive:
            self._stop()
            self._zygote = self._started()
            try:
                self._choose(self._zygote.probe())
            except BaseException:  # or the next bot would run with the layers of another zygote, or none
                self._stop()
                raise
        return self._zygote

    def _started(self) -> Zygote:
        """Start a zygote with the packages that are not refused."""
        while True:
            packages = [name for name in self._wanted if name not in self._refused]
            try:
                zygote = Zygote(self._core, group_limits(self.limits, self._seats), self._without, packages)
                self._packages = {"python": platform.python_version(), **zygote.packages}
                return zygote
            except PackageRefused as refused:
                if refused.name not in packages:
                    raise
                self._refused[refused.name] = refused.why

    @property
    def refused(self) -> Mapping[str, str]:
        """Reasons why packages are not offered to bots, by name. Raises `ArenaFault`."""
        if not self._packages:
            self._running()
        return self._refused

    @property
    def layers(self) -> frozenset[str]:
        """Names of the layers around every bot. Raises `ArenaFault` if this machine cannot run bots safely."""
        self._running()
        return self._layers

    @property
    def packages(self) -> Mapping[str, str]:
        """Versions of Python and of the packages that bots can import, by name. Raises `ArenaFault`."""
        if not self._packages:
            self._running()
        return self._packages

    @property
    def level(self) -> str:
        """Strictest of `MINIMA` that the layers meet. Raises `ArenaFault` if this machine cannot run bots safely."""
        self._running()
        return self._level

    def player(self, source: bytes, limits: Limits | None = None, filename: str = "bot.py", seat: int = 0) -> Caged:
        """Start a process for one seat of one match. Raises `ArenaFault`, for example if the seat is taken.

        A bot can find out its seat number. The number is therefore the seat in the match: with the next free number,
        bots would learn which others have ended. The first seat of a match starts after a random wait.
        """
        limits = limits or self.limits
        if seat == _FIRST_SEAT:
            _wait_for_random_phase()
        try:
            image = self._images.get(source, filename, limits, self._builder)
        except Fault as fault:
            return UnbuiltPlayer(fault)
        return CagedPlayer(Process(self.zygote, limits, self._layers, seat, image.descriptor), limits)

    def aside(self) -> "Aside":
        """Return seats for a match that is played between the moves of another one."""
        return Aside(self)

    def _builder(self, limits: Limits) -> Process:
        return Process(self.zygote, limits, self._layers, _BUILD_SEAT)

    def inspect(self, source: bytes, limits: Limits | None = None, filename: str = "bot.py") -> tuple[str, ...] | None:
        """Load and construct the bot. Return the ids of the games that it declares, or None for all.

        Raises `Fault` with its stage and the bot's output, or `ArenaFault`.
        """
        player = self.player(source, limits, filename, _INSPECT_SEAT)
        try:
            player.ready()
        except Fault as fault:
            fault.output = player.output()
            raise
        finally:
            player.close()
        return player.declared.games if player.declared else None

    def _choose(self, found: Mapping[str, str]) -> None:
        """Use every layer that this machine has. Raises `ArenaFault` if the minimum requires more."""
        missing = "" if self._without else shortfall(found, self._minimum)
        if missing:
            raise ArenaFault(f"{missing}; see `arena doctor`")
        self._layers = frozenset(name for name, why_not in found.items() if not why_not) - self._without
        left_out = dict.fromkeys(self._without & found.keys(), "left out")
        self._level = next(level for level in MINIMA if not shortfall({**found, **left_out}, level))


class Aside:
    """A second table in the same cage, in other seats."""

    def __init__(self, cage: Cage) -> None:
        self._cage = cage
        self.inspect = cage.inspect

    @property
    def level(self) -> str:
        """Strictest of `MINIMA` that the layers meet. Raises `ArenaFault` if this machine cannot run bots safely."""
        return self._cage.level

    @property
    def packages(self) -> Mapping[str, str]:
        """Versions of Python and of the packages that bots can import, by name. Raises `ArenaFault`."""
        return self._cage.packages

    def player(self, source: bytes, *, seat: int = 0) -> Caged:
        """Start a process for this bot. Raises `ArenaFault`."""
        return self._cage.player(source, seat=_LARGEST_TABLE + seat)


def _wait_for_random_phase() -> None:
    """Wait for a random part of the period of the timer's interrupts.

    Bots see the interrupts as gaps in their CPU time. Without the wait, the phase at which a match ends would tell the
    table's next match a bit.
    """
    time.sleep(time.clock_getres(_CLOCK_MONOTONIC_COARSE) * SystemRandom().random())


def group_limits(limits: Limits, seats: int = _LARGEST_TABLE + ASIDE) -> GroupLimits:
    """Return the limits for this number of bots at a time, plus the zygote's own processes."""
    return GroupLimits((seats + _SPARE_SEATS) * (limits.memory + EMPTY_BOT), _MAX_PROCESSES)


def shortfall(found: Mapping[str, str], minimum: str) -> str:
    """Describe what the minimum requires and these layers lack; empty if nothing.

    `found` has the reason why each is off.
    """
    if minimum == "none":
        return ""
    missing = {name: found[name] for name in ALWAYS if found[name]}
    lacking = {name: found[name] for name in EITHER if found[name]}
    if len(lacking) > (minimum == "one"):
        missing |= lacking
    if not missing:
        return ""
    reasons = "; ".join(f"{name}: {why}" for name, why in missing.items())
    one = "; ARENA_SANDBOX_MINIMUM=one accepts one of landlock and uid" if len(missing) == 1 and lacking else ""
    return f"no bot is run on this machine ({reasons}){one}"
