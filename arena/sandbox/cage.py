"""The cage: where a worker gets its players from."""

from collections.abc import Collection, Mapping
from types import TracebackType
from typing import Final, Self

from arena.games.errors import ArenaFault
from arena.sandbox.builder import KEPT, Images
from arena.sandbox.cgroups import Roof
from arena.sandbox.limits import DEFAULT_LIMITS, MIB, Limits
from arena.sandbox.player import CagedPlayer, UnbuiltPlayer
from arena.sandbox.process import Process
from arena.sandbox.zygote import Zygote
from arena.sdk.faults import Fault

ALWAYS: Final = ("descriptors", "rlimits", "no_new_privs", "capabilities", "seccomp")
"""The layers without which no bot is run."""
EITHER: Final = ("landlock", "uid")
"""The layers of which the minimum asks for both or one."""
MINIMA: Final = ("both", "one", "none")
"""From the strictest on; with the last one bots are run with whatever there is."""

_LARGEST_TABLE: Final = 8
_EMPTY_BOT: Final = 64 * MIB
"""More than a bot's process has before there is a bot in it, with numpy."""
_PROCESSES: Final = 128
"""More than a zygote ever seats."""

Caged = CagedPlayer | UnbuiltPlayer


class Cage:
    """Runs bots that nobody trusts. One per worker process, used by one thread; a context manager.

    `minimum` is "both" (Landlock and a uid of the bot's own), "one" of them, or "none" (an insecure run); `core` is the
    processor that the bots run on (the worker does well to run there, too). `without` leaves layers off, whatever the
    minimum says: it shows what they are for. The zygote is started with the first bot, and again where it died.
    """

    def __init__(
        self,
        minimum: str = "both",
        core: int | None = None,
        without: Collection[str] = (),
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        if minimum not in MINIMA:
            raise ArenaFault(f"the sandbox's minimum cannot be {minimum!r}; it is one of {', '.join(MINIMA)}")
        self.limits = limits
        self._minimum = minimum
        self._core = core
        self._without = frozenset(without)
        self._zygote: Zygote | None = None
        self._layers: frozenset[str] = frozenset()
        self._level = "none"
        self._images = Images()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def open(self) -> Self:
        """Start the zygote before the first bot needs it. Raises ArenaFault where this machine cannot hold bots."""
        self._running()
        return self

    def close(self) -> None:
        """End the zygote and all bots."""
        self._images.close()
        self._stop()

    def _stop(self) -> None:
        if self._zygote:
            self._zygote.close()
            self._zygote = None

    @property
    def zygote(self) -> Zygote:
        """The zygote, running. Raises ArenaFault where this machine cannot hold bots."""
        return self._running()

    def _running(self) -> Zygote:
        if self._zygote is None or not self._zygote.alive:
            self._stop()
            self._zygote = Zygote(self._core, roof_over(self.limits), self._without)
            try:
                self._choose(self._zygote.probe())
            except ArenaFault:
                self._stop()
                raise
        return self._zygote

    @property
    def layers(self) -> frozenset[str]:
        """The names of the layers around every bot. Raises ArenaFault where this machine cannot hold bots."""
        self._running()
        return self._layers

    @property
    def level(self) -> str:
        """The strictest of `MINIMA` that these layers meet. Raises ArenaFault where this machine cannot hold bots."""
        self._running()
        return self._level

    def player(self, source: bytes, limits: Limits | None = None, filename: str = "bot.py") -> Caged:
        """A process of its own for this bot, for one seat of one match. Raises ArenaFault."""
        limits = limits or self.limits
        try:
            image = self._images.get(source, filename, limits, self._process)
        except Fault as fault:
            return UnbuiltPlayer(fault)
        return CagedPlayer(self._process(limits, (image.descriptor, image.size)), limits)

    def _process(self, limits: Limits, image: tuple[int, int] | None = None) -> Process:
        return Process(self.zygote, limits, self._layers, image)

    def inspect(self, source: bytes, limits: Limits | None = None, filename: str = "bot.py") -> tuple[str, ...] | None:
        """Load and construct the bot: the ids of the games that it declares, None for all.

        Raises Fault, with its stage and with what the bot printed, and ArenaFault.
        """
        player = self.player(source, limits, filename)
        try:
            player.ready()
        except Fault as fault:
            fault.output = player.output()
            raise
        finally:
            player.close()
        return player.declared.games if player.declared else None

    def _choose(self, found: Mapping[str, str]) -> None:
        """Take all layers that this machine has, from here on. Raises ArenaFault where the minimum asks for more."""
        missing = "" if self._without else shortfall(found, self._minimum)
        if missing:
            raise ArenaFault(f"{missing}; see `arena doctor`")
        self._layers = frozenset(name for name, why_not in found.items() if not why_not) - self._without
        left_out = dict.fromkeys(self._without & found.keys(), "left out")
        self._level = next(level for level in MINIMA if not shortfall({**found, **left_out}, level))


def roof_over(limits: Limits) -> Roof:
    """What the largest table's bots may use together by their own limits, with room for programs and the zygote."""
    bots = _LARGEST_TABLE * (limits.memory + _EMPTY_BOT)
    return Roof(bots + 2 * KEPT, _PROCESSES)


def shortfall(found: Mapping[str, str], minimum: str) -> str:
    """What the minimum asks for and these layers (why not, by name) do not give; empty where it holds."""
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
