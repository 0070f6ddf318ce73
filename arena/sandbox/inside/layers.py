"""The layers of the cage, in the order in which a newly forked process applies them.

Each layer either holds or raises `OSError` with the reason. A process cannot remove any of them, and each is meant to
hold even if all others fail.
"""

import ctypes
import fcntl
import os
import re
import resource
import signal
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, NamedTuple

from . import landlock, libc, priority, seccomp

CHANNEL: Final = 3
"""Descriptor of the socket to the engine. 1 and 2 are the bot's output; there are no others."""
_ROOT: Final = 4
_FIRST_SPARE_DESCRIPTOR: Final = 64
"""Lowest descriptor that is never a target when a child's descriptors are moved."""
_STACK: Final = 8 << 20
"""Bytes of a bot's stack, unless the host allows less."""
_WRITABLE: Final = ("/tmp", "/dev/shm", "/var/tmp", "/run")  # noqa: S108 - used only for a new empty directory

SEATS: Final = 64
"""Number of seats of one zygote."""
_FIRST_UID: Final = 0x70000000
_UIDS: Final = SEATS << 22
"""Number of uids: `SEATS` for each possible process id of a zygote, so that no two live seats share one."""
_CAP_NEEDED: Final = {"CAP_KILL": 5, "CAP_SETGID": 6, "CAP_SETUID": 7}
_CAP_SETPCAP: Final = 8


class KernelLimits(NamedTuple):
    """Resource limits of one child."""

    memory: int
    """Bytes of memory beyond those of the template."""
    image: int
    """Bytes of address space for the program's image, which all seats share."""
    output: int
    """Bytes."""
    cpu: int
    """Seconds."""


class Prepared(NamedTuple):
    """State that the zygote prepares once for all its children."""

    root: int | None
    """Descriptor of a removed directory, which stays empty; None if none could be created."""
    no_root: str
    """Reason why there is no directory."""
    address_space: int
    """Bytes that the zygote has mapped."""
    data: int
    """Bytes of the mapping that are private and writable, without the stack."""
    private: int
    """Bytes of memory that the zygote uses and that a child copies when it writes to them."""
    first_uid: int
    """First of the `SEATS` uids of the children; negative if there are none."""
    landlock: int
    """Version of Landlock; 0 if not available."""
    capabilities: int
    """Capabilities of the zygote as a bit mask."""
    program: seccomp.Program | None
    """System-call filter; None if this machine has no table of system calls."""


class Child(NamedTuple):
    """Parameters of the layers of one child."""

    prepared: Prepared
    seat: int
    """Less than `SEATS`; unique among live children."""
    parent: int
    """Process id of the warden."""
    channel: int
    output: int
    bounds: KernelLimits
    chroot: bool
    """Whether a later layer needs the empty directory."""


class Refusal(Exception):
    """A layer could not be applied. Arguments: its name and the reason."""


def prepare(unique: int) -> Prepared:
    """Prepare the shared state in the zygote after all imports. `unique` is the zygote's process id on this host."""
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
    # The kernel keeps the unmapped rest of a huge page until memory runs short, and no limit counts it.
    libc.prctl(libc.PR_SET_THP_DISABLE, 1)
    _extend_stack()
    return Prepared(root, no_root, *_memory(), _first_uid(unique), version, libc.effective_capabilities(), program)


def _extend_stack() -> None:
    """Extend the stack to its final size by touching its last byte, because stacks of children cannot grow."""
    with suppress(OSError):  # a kernel that refuses to read or set limits: the layer of each child says so
        _, hard = resource.getrlimit(resource.RLIMIT_STACK)
        size = _STACK if hard == resource.RLIM_INFINITY else min(_STACK, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (size, hard))
        for end in re.findall(r"-(\w+) .*\[stack\]$", libc.read("/proc/self/maps"), re.MULTILINE):
            ctypes.memset(int(end, 16) - size, 0, 1)


def _empty_bounding_set() -> None:
    """Ensure that no child ever gains a capability. Done here because a child that changed its uid no longer may."""
    if libc.effective_capabilities() >> _CAP_SETPCAP & 1:
        with suppress(OSError):  # from the first number without a capability on
            for capability in range(64):
                libc.prctl(libc.PR_CAPBSET_DROP, capability)


def _empty_directory() -> tuple[int | None, str]:
    for parent in _WRITABLE:
        path = f"{parent}/arena-cage-{os.getpid()}"
        try:
            os.mkdir(path, 0o700)  # noqa: PTH102 - importing pathlib would slow down every fork
        except OSError:
            continue
        low = os.open(path, os.O_PATH | os.O_DIRECTORY)
        os.rmdir(path)  # noqa: PTH106
        root = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _FIRST_SPARE_DESCRIPTOR)
        os.close(low)
        return root, ""
    return None, f"no directory can be created in any of {', '.join(_WRITABLE)}"


def _memory() -> tuple[int, int, int]:
    """Return the bytes of address space, of data and of memory of this process (proc_pid_status(5))."""
    status = dict(re.findall(r"^(\w+):\s*(\d+) kB$", libc.read("/proc/self/status"), re.MULTILINE))
    return int(status["VmSize"]) << 10, int(status["VmData"]) << 10, int(status["RssAnon"]) << 10


def _first_uid(unique: int) -> int:
    """Return the first uid for children: above all users if mapped, else high in the largest mapping."""
    lines = libc.read("/proc/self/uid_map").splitlines()
    ranges = [(int(first), int(count)) for first, _, count in map(str.split, lines)]
    if any(first <= _FIRST_UID and first + count >= _FIRST_UID + _UIDS for first, count in ranges):
        return _FIRST_UID + unique % (_UIDS // SEATS) * SEATS
    first, count = max(ranges, key=lambda entry: entry[1])
    blocks = count // 2 // SEATS
    return first + count - (1 + unique % blocks) * SEATS if blocks else -1


def _session(child: Child) -> None:
    os.setsid()
    priority.lower_session()


def _descriptors(child: Child) -> None:
    for target in (1, 2):
        os.dup2(child.output, target)
    if child.channel != CHANNEL:
        os.dup2(child.channel, CHANNEL)
    if child.chroot and child.prepared.root is not None:
        os.dup2(child.prepared.root, _ROOT)
    libc.close_from(_ROOT + child.chroot)
    os.close(0)


def _rlimits(child: Child) -> None:
    bounds = child.bounds
    for kind, limit in (
        (resource.RLIMIT_AS, child.prepared.address_space + bounds.memory + bounds.image),
        # Unmapping the interpreter's code frees address space, but not data.
        (resource.RLIMIT_DATA, child.prepared.data + bounds.memory),
        (resource.RLIMIT_CPU, bounds.cpu),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_FSIZE, bounds.output),
        (resource.RLIMIT_CORE, 0),
        # The kernel does not count stacks as data, and each piece that `munmap` leaves of a stack grows by itself.
        (resource.RLIMIT_STACK, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 16),
        (resource.RLIMIT_NOFILE, _ROOT + 2),
    ):
        _, hard = resource.getrlimit(kind)
        lowest = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (lowest, lowest))


def _chroot(child: Child) -> None:
    if child.prepared.root is None:
        raise OSError(0, child.prepared.no_root)
    os.fchdir(_ROOT)
    os.chroot(".")
    os.close(_ROOT)


def _uid(child: Child) -> None:
    missing = [name for name, bit in _CAP_NEEDED.items() if not child.prepared.capabilities >> bit & 1]
    if missing:
        raise OSError(0, f"this process lacks {' and '.join(missing)}")
    if child.prepared.first_uid < 0:
        raise OSError(0, "this process runs as an ordinary user and has no other user ids")
    uid = child.prepared.first_uid + child.seat
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
    if not child.prepared.landlock:
        raise OSError(0, "this kernel has no Landlock, or it is switched off")
    landlock.restrict(child.prepared.landlock)


def _seccomp(child: Child) -> None:
    if child.prepared.program is None:
        raise OSError(0, f"no table of system calls for {os.uname().machine}")
    seccomp.install(child.prepared.program)


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
"""All layers by name, in order."""
REQUIRED: Final = {
    "chroot": ("descriptors",),
    "landlock": ("no_new_privs",),
    "seccomp": ("no_new_privs", "descriptors"),
}
"""Layers that another layer needs, by its name: they move what it refers to, or the kernel asks for them."""


def apply(child: Child, wanted: Collection[str]) -> None:
    """Apply the wanted layers in order. Raises `Refusal` at the first that fails."""
    for name, layer in LAYERS.items():
        if name in wanted and (why := _tried(layer, child)):
            raise Refusal(name, why)


def attempt(child: Child) -> dict[str, str]:
    """Try every layer. Return the reason why each failed by name; empty if it holds."""
    found: dict[str, str] = {}
    for name, layer in LAYERS.items():
        lacking = [other for other in REQUIRED.get(name, ()) if found[other]]
        found[name] = f"it needs the layer {lacking[0]}" if lacking else _tried(layer, child)
    return found


def _tried(layer: Callable[[Child], None], child: Child) -> str:
    """Apply a layer. Return the reason if it failed, or an empty text."""
    try:
        layer(child)
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:  # how `resource` reports some refusals
        return str(error)
    return ""
