"""Facts about this machine and this process, read without changing anything."""

import errno
import os
import platform
import resource
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.inside import landlock
from arena.sdk import kernel

CAPABILITIES: Final = (
    "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP",
    "LINUX_IMMUTABLE", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_ADMIN", "NET_RAW", "IPC_LOCK", "IPC_OWNER",
    "SYS_MODULE", "SYS_RAWIO", "SYS_CHROOT", "SYS_PTRACE", "SYS_PACCT", "SYS_ADMIN", "SYS_BOOT", "SYS_NICE",
    "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "MKNOD", "LEASE", "AUDIT_WRITE", "AUDIT_CONTROL", "SETFCAP",
    "MAC_OVERRIDE", "MAC_ADMIN", "SYSLOG", "WAKE_ALARM", "BLOCK_SUSPEND", "AUDIT_READ", "PERFMON", "BPF",
    "CHECKPOINT_RESTORE",
)  # fmt: skip
"""Names from capabilities(7) without CAP_, in the order of their numbers."""
_SECCOMP: Final = {"0": "none", "1": "strict", "2": "filter"}
_OVERCOMMIT: Final = {"0": "heuristic", "1": "always", "2": "never"}
_LIMITS: Final = {
    "processes": resource.RLIMIT_NPROC,
    "files": resource.RLIMIT_NOFILE,
    "address_space": resource.RLIMIT_AS,
    "cpu_seconds": resource.RLIMIT_CPU,
}
_CONTAINER_FILES: Final = {"/.dockerenv": "Docker", "/run/.containerenv": "Podman"}
_CONTAINER_VARIABLE: Final = "container"
_POD_VARIABLE: Final = "KUBERNETES_SERVICE_HOST"
_NOT_COVERED: Final = "/proc/sys/fs/binfmt_misc"
_CONTAINER_GROUPS: Final = ("docker", "kubepods", "libpod", "containerd", "lxc", "crio")
LANDLOCK_ADDS: Final = {
    1: ("5.13", "no file is opened, made or removed"),
    2: ("5.19", "no file is moved or linked into another folder"),
    3: ("6.2", "no file is truncated"),
    4: ("6.7", "no TCP port is bound or connected"),
    5: ("6.10", "no device is controlled"),
    6: ("6.12", "no signal and no abstract socket reaches a process outside"),
}
"""First kernel with each version of Landlock that the cage uses, and what that version adds."""
NAMESPACES: Final = {"network": "net", "ipc": "ipc", "uts": "uts", "pid": "pid"}
"""The kernel's names of the namespaces that the cage uses."""
_SYSCTLS: Final = (
    "user.max_user_namespaces",
    "kernel.unprivileged_userns_clone",
    "kernel.apparmor_restrict_unprivileged_userns",
    *(f"user.max_{name}_namespaces" for name in NAMESPACES.values()),
)
"""Kernel settings that decide whether namespaces are available; not every kernel has each."""


@dataclass(frozen=True)
class Interpreter:
    """The Python that runs the bots."""

    path: str
    version: str
    readable_by_all: bool
    """Whether every user of this machine can read it, its standard library, and the arena."""
    closed: str
    """First folder on the way to them that not every user may enter; empty if there is none."""
    playouts: str
    """Reason why playouts run in Python; empty if they run in the compiled kernel."""


@dataclass(frozen=True)
class Landlock:
    """The kernel's Landlock."""

    version: int
    """0 if Landlock is not available."""
    why: str
    """Reason: ``missing`` (not built in), ``disabled`` (at boot), or ``refused`` (to this process); else empty."""
    missing: dict[str, str]
    """Features of newer versions that the cage would use, by ``version (kernel)``."""


@dataclass(frozen=True)
class Host:
    """This machine and the environment of this process."""

    kernel: str
    machine: str
    uid: int
    capabilities: list[str]
    """Effective capabilities of this process, by name."""
    no_new_privs: bool
    seccomp: str
    """Filter around this process: ``none``, ``strict``, ``filter``, or ``unknown``."""
    container: str
    """Container around this process and how it was recognised; empty if none restricts this process."""
    security_modules: list[str]
    """Security modules of the kernel, in order; empty if unknown."""
    cores: int
    usable_cores: list[int]
    """Numbers of the cores that this process may run on."""
    memory_mib: int
    swap_mib: int
    overcommit: str
    """``heuristic``, ``always``, ``never`` or ``unknown``: vm.overcommit_memory."""
    limits: dict[str, int | None]
    """Soft resource limits of this process; None if unlimited or unknown."""
    interpreter: Interpreter


def look() -> Host:
    """Describe this machine. Facts that cannot be read are empty, 0 or ``unknown``."""
    status, memory = _fields("/proc/self/status"), _fields("/proc/meminfo")
    return Host(
        kernel=platform.release(),
        machine=platform.machine(),
        uid=os.geteuid(),
        capabilities=_named(int(status.get("CapEff", "0"), 16)),
        no_new_privs=status.get("NoNewPrivs") == "1",
        seccomp=_SECCOMP.get(status.get("Seccomp", ""), "unknown"),
        container=_container(status),
        security_modules=[name for name in text("/sys/kernel/security/lsm").split(",") if name],
        cores=os.cpu_count() or 1,
        usable_cores=sorted(os.sched_getaffinity(0)),
        memory_mib=_mib(memory.get("MemTotal", "")),
        swap_mib=_mib(memory.get("SwapTotal", "")),
        overcommit=_OVERCOMMIT.get(text("/proc/sys/vm/overcommit_memory"), "unknown"),
        limits={name: _limit(kind) for name, kind in _LIMITS.items()},
        interpreter=_interpreter(),
    )


def look_at_landlock() -> Landlock:
    """Ask the kernel for its version of Landlock."""
    version, why = 0, ""
    try:
        version = landlock.abi()
    except OSError as error:
        why = {errno.ENOSYS: "missing", errno.EOPNOTSUPP: "disabled"}.get(error.errno or 0, "refused")
    further = {f"{new} (Linux {since})": adds for new, (since, adds) in LANDLOCK_ADDS.items() if new > version}
    return Landlock(version, why, further)


def sysctls() -> dict[str, str]:
    """Return the settings that decide whether namespaces are available, if this kernel has them."""
    found = {name: text(f"/proc/sys/{name.replace('.', '/')}") for name in _SYSCTLS}
    return {name: value for name, value in found.items() if value}


def text(path: str | Path) -> str:
    """Return the content of a kernel file without surrounding white space; empty if it cannot be read."""
    try:
        return Path(path).read_text(errors="replace").strip()
    except (OSError, ValueError):
        return ""


def _fields(path: str | Path) -> dict[str, str]:
    """Return the lines ``name: value`` of a file; empty if it cannot be read."""
    pairs = (line.partition(":") for line in text(path).splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _named(mask: int) -> list[str]:
    known = [f"CAP_{name}" for number, name in enumerate(CAPABILITIES) if mask >> number & 1]
    further = range(len(CAPABILITIES), mask.bit_length())
    return known + [f"CAP_{number}" for number in further if mask >> number & 1]


def _container(status: Mapping[str, str]) -> str:
    """Return the container that restricts this process. Privileged containers count as hosts: they refuse nothing."""
    bounded = not int(status.get("CapBnd", "0"), 16) >> CAPABILITIES.index("SYS_ADMIN") & 1
    return _mark() if bounded or status.get("Seccomp") == "2" else ""


def _mark() -> str:
    if _POD_VARIABLE in os.environ:  # first, because CRI-O writes Podman's file
        return f"Kubernetes (the variable {_POD_VARIABLE} is set)"
    for path, name in _CONTAINER_FILES.items():
        if Path(path).exists():
            return f"{name} ({path} exists)"
    if variable := os.environ.get(_CONTAINER_VARIABLE):
        return f"a container of {variable} (according to the variable {_CONTAINER_VARIABLE})"
    groups = text("/proc/1/cgroup")
    if named := next((name for name in _CONTAINER_GROUPS if name in groups), ""):
        return f"a container of {named} (according to /proc/1/cgroup)"
    points = [line.split()[4] for line in text("/proc/self/mountinfo").splitlines()]
    covered = any(point.startswith("/proc/") and point != _NOT_COVERED for point in points)
    return "a container (parts of /proc are covered)" if covered else ""


def _mib(line: str) -> int:
    kilobytes = line.partition(" ")[0]
    return int(kilobytes) >> 10 if kilobytes.isdecimal() else 0


def _limit(kind: int) -> int | None:
    try:
        soft, _ = resource.getrlimit(kind)
    except OSError:
        return None
    return None if soft == resource.RLIM_INFINITY else soft


def _interpreter() -> Interpreter:
    """Check the files that the zygote needs: the program, the standard library and the arena."""
    program = Path(sys.executable).resolve()
    needed = (program, Path(os.__file__), Path(__file__))
    closed = next((str(part) for path in needed for part in reversed(path.parents) if not _open_to_all(part)), "")
    return Interpreter(
        path=sys.executable,
        version=platform.python_version(),
        readable_by_all=not closed and all(_open_to_all(path) for path in needed),
        closed=closed,
        playouts=kernel.MISSING,
    )


def _open_to_all(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return bool(mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH))
