"""The layers of the cage, in the order in which a freshly forked process takes them on.

Each one either holds or raises OSError with the reason. None of them can be taken off again by the process itself, and
each is meant to hold even where all the others have been got round.
"""

import ctypes
import fcntl
import os
import resource
import signal
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, NamedTuple

from . import landlock, libc, seccomp

CHANNEL: Final = 3
"""The descriptor of the socket to the engine; 1 and 2 are the bot's output, and there are no others."""
_ROOT: Final = 4
_OUT_OF_THE_WAY: Final = 64
"""Descriptors from here on are not among those that a child's are moved to."""
_WRITABLE: Final = ("/tmp", "/dev/shm", "/var/tmp", "/run")  # noqa: S108 - only ever an empty directory of our own

SEATS: Final = 64
"""Live children of one zygote at most."""
_FIRST_UID: Final = 0x70000000
_UIDS: Final = SEATS << 22
"""So many for each process id: a uid comes of its zygote's id and the seat's number, so no two live seats share one."""
_CAP_NEEDED: Final = {"CAP_KILL": 5, "CAP_SETGID": 6, "CAP_SETUID": 7}
_CAP_SETPCAP: Final = 8


class Bounds(NamedTuple):
    """The limits of one child, as the kernel keeps them."""

    memory: int
    output: int
    cpu: int


class Ground(NamedTuple):
    """What the zygote prepares once for all its children."""

    root: int | None
    """A descriptor of a directory that is empty for ever: it has been removed."""
    no_root: str
    """Why there is none."""
    address_space: int
    """Bytes that the zygote itself has mapped."""
    first_uid: int
    """Of the children: `SEATS` from here on. Negative where there are none."""
    landlock: int
    """Landlock's version; 0 for none."""
    capabilities: int
    """What the zygote may do, as a bit mask."""
    program: ctypes.Structure | None
    """The system-call filter; None where this machine has no table."""


class Child(NamedTuple):
    """What a layer is applied with."""

    ground: Ground
    seat: int
    """Less than `SEATS`; no other live child has it."""
    parent: int
    """The zygote's process id."""
    channel: int
    output: int
    bounds: Bounds
    chroot: bool
    """Whether a later layer needs the empty directory."""


class Refusal(Exception):
    """A layer could not be applied. Arguments: its name, and why."""


def prepare(unique: int) -> Ground:
    """Prepare the ground, in the zygote, after everything is imported. `unique` is its process id on this host."""
    root, no_root = _empty_directory()
    try:
        version = landlock.abi()
    except OSError:
        version = 0
    try:
        program = seccomp.assemble()
    except OSError:
        program = None
    _empty_bounding_set()
    return Ground(root, no_root, _address_space(), _first_uid(unique), version, libc.effective_capabilities(), program)


def _empty_bounding_set() -> None:
    """No child shall ever gain a capability; dropped here, because a child that changed its uid no longer may."""
    if libc.effective_capabilities() >> _CAP_SETPCAP & 1:
        with suppress(OSError):  # from the first number on that this kernel has no capability for
            for capability in range(64):
                libc.prctl(libc.PR_CAPBSET_DROP, capability)


def _empty_directory() -> tuple[int | None, str]:
    for parent in _WRITABLE:
        path = f"{parent}/arena-cage-{os.getpid()}"
        try:
            os.mkdir(path, 0o700)  # noqa: PTH102 - pathlib would make every fork dearer
        except OSError:
            continue
        low = os.open(path, os.O_PATH | os.O_DIRECTORY)
        os.rmdir(path)  # noqa: PTH106
        root = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
        os.close(low)
        return root, ""
    return None, f"no directory can be made in any of {', '.join(_WRITABLE)}"


def _address_space() -> int:
    return int(libc.read("/proc/self/statm").split()[0]) * resource.getpagesize()


def _first_uid(unique: int) -> int:
    """Uids for children: beyond all users where those are mapped here, else in the upper half of what is mapped."""
    lines = libc.read("/proc/self/uid_map").splitlines()
    ranges = [(int(first), int(count)) for first, _, count in map(str.split, lines)]
    if any(first <= _FIRST_UID and first + count >= _FIRST_UID + _UIDS for first, count in ranges):
        return _FIRST_UID + unique % (_UIDS // SEATS) * SEATS
    first, count = max(ranges, key=lambda entry: entry[1])
    blocks = count // 2 // SEATS
    return first + count - (1 + unique % blocks) * SEATS if blocks else -1


def _session(child: Child) -> None:
    os.setsid()


def _descriptors(child: Child) -> None:
    for target in (1, 2):
        os.dup2(child.output, target)
    if child.channel != CHANNEL:
        os.dup2(child.channel, CHANNEL)
    if child.chroot and child.ground.root is not None:
        os.dup2(child.ground.root, _ROOT)
    libc.close_from(_ROOT + child.chroot)
    os.close(0)


def _rlimits(child: Child) -> None:
    bounds = child.bounds
    for kind, limit in (
        (resource.RLIMIT_AS, child.ground.address_space + bounds.memory),
        (resource.RLIMIT_CPU, bounds.cpu),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_FSIZE, bounds.output),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_STACK, 8 << 20),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 16),
        (resource.RLIMIT_NOFILE, _ROOT + 2),
    ):
        _, hard = resource.getrlimit(kind)
        lowest = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (lowest, lowest))


def _chroot(child: Child) -> None:
    if child.ground.root is None:
        raise OSError(0, child.ground.no_root)
    os.fchdir(_ROOT)
    os.chroot(".")
    os.close(_ROOT)


def _uid(child: Child) -> None:
    missing = [name for name, bit in _CAP_NEEDED.items() if not child.ground.capabilities >> bit & 1]
    if missing:
        raise OSError(0, f"this process has no {' and no '.join(missing)}")
    if child.ground.first_uid < 0:
        raise OSError(0, "this process is an ordinary user's and has no other user ids")
    uid = child.ground.first_uid + child.seat
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _no_new_privs(child: Child) -> None:
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)


def _capabilities(child: Child) -> None:
    libc.capset_none()


def _parent_death(child: Child) -> None:
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != child.parent:
        os._exit(0)


def _not_dumpable(child: Child) -> None:
    libc.prctl(libc.PR_SET_DUMPABLE, 0)


def _landlock(child: Child) -> None:
    if not child.ground.landlock:
        raise OSError(0, "this kernel has no Landlock, or it is switched off")
    landlock.restrict(child.ground.landlock)


def _seccomp(child: Child) -> None:
    if child.ground.program is None:
        raise OSError(0, f"there is no table of system calls for {os.uname().machine}")
    seccomp.install(child.ground.program)


LAYERS: Final[dict[str, Callable[[Child], None]]] = {
    "session": _session,
    "descriptors": _descriptors,
    "rlimits": _rlimits,
    "chroot": _chroot,
    "uid": _uid,
    "no_new_privs": _no_new_privs,
    "capabilities": _capabilities,
    "parent_death": _parent_death,
    "not_dumpable": _not_dumpable,
    "landlock": _landlock,
    "seccomp": _seccomp,
}
"""Every layer by name, in order."""


def apply(child: Child, wanted: Collection[str]) -> None:
    """Take on the wanted layers, all or none: raises Refusal at the first that fails."""
    for name, layer in LAYERS.items():
        if name in wanted:
            try:
                layer(child)
            except OSError as error:
                raise Refusal(name, _why(error)) from None


def attempt(child: Child) -> dict[str, str]:
    """Try every layer: why it failed, by name; an empty text where it holds."""
    found = {}
    for name, layer in LAYERS.items():
        try:
            layer(child)
            found[name] = ""
        except OSError as error:
            found[name] = _why(error)
    return found


def _why(error: OSError) -> str:
    return error.strerror or str(error)
