"""Test each layer on its own with an attack that only this layer stops.

The zygote's probe trusts return codes; this does not. A bot runs in a cage with all layers off except one (and those
that it requires), and tries to do what works without that layer.
"""

import os
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from arena.games.errors import ArenaFault
from arena.sandbox.cage import Cage, shortfall
from arena.sandbox.doctor.host import NAMESPACES, text
from arena.sandbox.doctor.smoke import LIMITS, play, source_of
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.inside.syscalls import ARCHITECTURES
from arena.sandbox.zygote import CGROUP, Zygote
from arena.sdk.faults import Fault

INEFFECTIVE: Final = "the kernel reports that it holds, but a bot got through it"
"""Reason why such a layer counts as off."""

_THROUGH: Final = "through"
BASES: Final[Mapping[str, tuple[str, ...]]] = {
    "uid": ("capabilities",),  # only root loses its capabilities with its uid
    "chroot": ("descriptors",),
    "landlock": ("no_new_privs",),
    "seccomp": ("no_new_privs", "descriptors"),
}
"""Layers that another layer requires."""
BYPASSES: Final[dict[str, str]] = {
    "session": "return THROUGH if os.getsid(0) != os.getpid() else ''",
    "descriptors": """
        for number in [0, *range(4, 64)]:
            try:
                os.fstat(number)
            except OSError:
                continue
            return THROUGH
        return ''
        """,
    # Addresses instead of memory, which the control group might refuse.
    "rlimits": f"""
        import mmap
        mmap.mmap(-1, {4 * LIMITS.memory}, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return THROUGH
        """,
    "chroot": "open(OPEN).close()\nreturn THROUGH",
    "uid": "open(CLOSED).close()\nreturn THROUGH",
    "no_new_privs": "return THROUGH if ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) != 1 else ''",
    "capabilities": "os.setgroups([])\nreturn THROUGH",
    "parent_death": """
        number = ctypes.c_int()
        ctypes.CDLL(None).prctl(2, ctypes.byref(number), 0, 0, 0)
        return THROUGH if number.value != 9 else ''
        """,
    "not_dumpable": "return THROUGH if ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) else ''",
    "landlock": "open(OPEN).close()\nreturn THROUGH",
    "seccomp": """
        syscall(MMAP, 0, 4096, 7, 0x22, -1, 0)
        return THROUGH
        """,
    **{
        name: f"return THROUGH if os.readlink('/proc/self/ns/{short}') == OURS['{short}'] else ''"
        for name, short in NAMESPACES.items()
    },
    CGROUP: "return THROUGH if open('/proc/self/cgroup').read().strip() == GROUP else ''",
}
"""Body of `act` of a bot that gets through without the layer or namespace, by its name."""


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


def ineffective(cage: Cage) -> list[str]:
    """Return the layers of this cage that are on according to the kernel but do not hold. Raises `ArenaFault`."""
    on = [*cage.layers, *(name for name, why_not in cage.zygote.spaces.items() if not why_not)]
    with _planted() as known:
        tried = (name for name in BYPASSES if name in on)
        return [name for name in tried if gets_through(cage, name, (name, *BASES.get(name, ())), known)]


def gets_through(cage: Cage, name: str, kept: Collection[str], known: Mapping[str, object]) -> bool:
    """Return whether the attack on this layer succeeds with only the layers `kept` around the bot."""
    source = source_of(BYPASSES[name], known)
    brought, _ = play(Partial(cage, LAYERS.keys() - set(kept)).player(source.encode(), LIMITS))
    return brought == _THROUGH


class Held(NamedTuple):
    """Findings on this machine."""

    layers: int
    """Number of layers around every bot, each tested alone."""
    packages: Mapping[str, str]
    """Versions of Python and of the packages that bots can import, by name."""
    refused: Mapping[str, str]
    """Reasons why packages are not offered to bots, by name."""


def require(minimum: str, packages: Sequence[str] = ()) -> Held:
    """Return what holds, after a caged bot has imported all packages. Raises `ArenaFault` below the minimum."""
    with Cage(minimum, packages=packages).open() as cage:
        broken = dict.fromkeys(ineffective(cage), INEFFECTIVE)
        if missing := shortfall(cage.zygote.probe() | broken, minimum):
            raise ArenaFault(f"{missing}; see `arena doctor`")
        import_all(cage)
        return Held(len(cage.layers - broken.keys()), cage.packages, dict(cage.refused))


def import_all(cage: Cage) -> None:
    """Import all packages in a bot. Raises `ArenaFault` if one cannot be imported within the limits."""
    offered = [name for name in cage.packages if name != "python"]
    try:
        cage.inspect(f"import {', '.join(offered)}\ndef act(view): return view.legal[0]".encode())
    except Fault as fault:
        raise ArenaFault(f"bots cannot import {', '.join(offered)} together: {fault.detail}") from None


@contextmanager
def _planted() -> Iterator[dict[str, object]]:
    """Yield constants for the attacks: a public and a private file, and our namespaces and control groups."""
    with ExitStack() as stack:
        opened, closed = _files(stack)
        yield {
            "THROUGH": _THROUGH,
            "OPEN": opened,
            "CLOSED": closed,
            "MMAP": ARCHITECTURES[os.uname().machine][1]["mmap"],
            "OURS": {short: os.readlink(f"/proc/self/ns/{short}") for short in NAMESPACES.values()},  # noqa: PTH115
            "GROUP": text("/proc/self/cgroup"),
        }


def _files(stack: ExitStack) -> tuple[str, str]:
    """Create a public and a private file in a folder open to every user, or in memory if no folder is writable."""
    try:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-doctor-")))
    except FileNotFoundError:  # raised by tempfile
        descriptor = os.memfd_create("arena-doctor")
        stack.callback(os.close, descriptor)
        return (f"/proc/{os.getpid()}/fd/{descriptor}",) * 2
    folder.chmod(0o711)
    for file, mode in (("open", 0o644), ("closed", 0o600)):
        (folder / file).touch()
        (folder / file).chmod(mode)
    return str(folder / "open"), str(folder / "closed")
