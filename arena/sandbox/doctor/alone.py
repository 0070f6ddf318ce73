"""Test each layer and each limit on its own, with an attack that only it stops.

The zygote's probe trusts return codes; this does not. A bot runs in a cage with all layers off except one (and those
that it requires), and tries to do what works without that layer.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from arena.games.errors import ArenaFault
from arena.sandbox.cage import Cage, shortfall
from arena.sandbox.doctor.probes import DONE, PROBES, Probe
from arena.sandbox.doctor.smoke import Attempt, constants, planted
from arena.sandbox.inside.layers import LAYERS, REQUIRED
from arena.sandbox.zygote import Zygote
from arena.sdk.faults import Fault

INEFFECTIVE: Final = "the kernel reports that it holds, but a bot got through it"
"""Beginning of the reason why such a layer counts as off."""
BASES: Final[Mapping[str, tuple[str, ...]]] = {
    **REQUIRED,
    "uid": ("capabilities",),  # only root loses its capabilities with its uid
    "rlimits": ("descriptors",),  # or a bot has more files than its limit, and can open none
}
"""Layers beside which a layer is tested."""


class Partial(Cage):
    """A cage with fewer layers in the zygote of another cage, because starting a zygote for each is slow."""

    def __init__(self, whole: Cage, without: Collection[str]) -> None:
        super().__init__("none", without=without)
        self._whole = whole
        self._images = whole._images

    def _running(self) -> Zygote:
        zygote = self._whole._running()
        self._layers = self._whole._layers - self._without
        return zygote


def ineffective(cage: Cage) -> dict[str, str]:
    """Return why layers of this cage that are on according to the kernel do not hold, by name. Raises `ArenaFault`."""
    on = {*cage.layers, *(name for name, why_not in cage.zygote.spaces.items() if not why_not)}
    slow, quick = ([one for one in PROBES if one.layer in on and one.slow == kind] for kind in (True, False))
    through: dict[str, list[str]] = {}
    with planted() as files:
        known = constants(files)
        begun = [(probe, begin(cage, probe, known, seat)) for seat, probe in enumerate(slow, 1)]
        tried = [(probe, begin(cage, probe, known).end()) for probe in quick]
        for probe, (brought, _) in tried + [(probe, attempt.end()) for probe, attempt in begun]:
            if brought == DONE:
                through.setdefault(probe.layer, []).append(probe.aim)
    return {layer: f"{INEFFECTIVE}: {', '.join(aims)}" for layer, aims in through.items()}


def begin(
    cage: Cage, probe: Probe, known: Mapping[str, object], seat: int = 0, without: Collection[str] = ()
) -> Attempt:
    """Let a bot try this probe with only the layer that it tests around it, and those that this layer requires."""
    kept = {probe.layer, *BASES.get(probe.layer, ())} - {*without}
    player = Partial(cage, LAYERS.keys() - kept).player(probe.source(known), probe.limits, seat=seat)
    return Attempt(player, probe.moves)


class Held(NamedTuple):
    """Findings on this machine."""

    layers: int
    """Number of layers around every bot, each tested alone."""
    lacking: Sequence[str]
    """Names of the layers that do not hold."""
    packages: Mapping[str, str]
    """Versions of Python and of the packages that bots can import, by name."""
    refused: Mapping[str, str]
    """Reasons why packages are not offered to bots, by name."""


def require(minimum: str, packages: Sequence[str] = ()) -> Held:
    """Return what holds, after a caged bot has imported all packages. Raises `ArenaFault` below the minimum."""
    with Cage(minimum, packages=packages).open() as cage:
        broken = ineffective(cage)
        reasons = cage.zygote.probe() | broken
        if missing := shortfall(reasons, minimum):
            raise ArenaFault(f"{missing}; see `arena doctor`")
        import_all(cage)
        lacking = [name for name, why_not in reasons.items() if why_not]
        return Held(len(cage.layers - broken.keys()), lacking, cage.packages, dict(cage.refused))


def import_all(cage: Cage) -> None:
    """Import all packages in a bot. Raises `ArenaFault` if one cannot be imported within the limits."""
    offered = [name for name in cage.packages if name != "python"]
    try:
        cage.inspect(f"import {', '.join(offered)}\ndef act(view): return view.legal[0]".encode())
    except Fault as fault:
        raise ArenaFault(f"bots cannot import {', '.join(offered)} together: {fault.detail}") from None
