"""What this machine and this process are: facts that are read, nothing that is tried."""

import os
import platform
import resource
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.doctor.files import fields, text
from arena.sandbox.inside import libc

CAPABILITIES: Final = (
    "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP",
    "LINUX_IMMUTABLE", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_ADMIN", "NET_RAW", "IPC_LOCK", "IPC_OWNER",
    "SYS_MODULE", "SYS_RAWIO", "SYS_CHROOT", "SYS_PTRACE", "SYS_PACCT", "SYS_ADMIN", "SYS_BOOT", "SYS_NICE",
    "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "MKNOD", "LEASE", "AUDIT_WRITE", "AUDIT_CONTROL", "SETFCAP",
    "MAC_OVERRIDE", "MAC_ADMIN", "SYSLOG", "WAKE_ALARM", "BLOCK_SUSPEND", "AUDIT_READ", "PERFMON", "BPF",
    "CHECKPOINT_RESTORE",
)  # fmt: skip
"""By number, as in capabilities(7), without CAP_ before them."""
_SECCOMP: Final = {"0": "none", "1": "strict", "2": "filter"}
_OVERCOMMIT: Final = {"0": "heuristic", "1": "always", "2": "never"}
_LIMITS: Final = {
    "processes": resource.RLIMIT_NPROC,
    "files": resource.RLIMIT_NOFILE,
    "address_space": resource.RLIMIT_AS,
    "cpu_seconds": resource.RLIMIT_CPU,
    "file_size": resource.RLIMIT_FSIZE,
    "stack": resource.RLIMIT_STACK,
}
_CONTAINER_FILES: Final = {"/.dockerenv": "Docker", "/run/.containerenv": "Podman"}
_CONTAINER_VARIABLE: Final = "container"
_NOT_COVERED: Final = "/proc/sys/fs/binfmt_misc"
_CONTAINER_GROUPS: Final = ("docker", "kubepods", "libpod", "containerd", "lxc", "crio")


@dataclass(frozen=True)
class Interpreter:
    """The Python that bots run on."""

    path: str
    version: str
    readable: bool
    """By this process, which the zygote is started from."""
    readable_by_all: bool
    """By every user of this machine."""
    closed: str
    """The first folder on the way that not everybody may enter; empty where there is none."""


@dataclass(frozen=True)
class Host:
    """The machine, and what surrounds this process on it."""

    kernel: str
    machine: str
    uid: int
    gid: int
    capabilities: list[str]
    """The effective ones of this process, by name."""
    no_new_privs: bool
    seccomp: str
    """What is around this process already: ``none``, ``strict``, ``filter``, or ``unknown``."""
    container: str
    """Which one this is, and by what that is known; empty where this process is in none that holds anything back."""
    security_modules: list[str]
    """The kernel's, in order; empty where it does not tell."""
    cores: int
    usable_cores: list[int]
    """Those that this process may run on."""
    memory_mib: int
    swap_mib: int
    overcommit: str
    """``heuristic``, ``always``, ``never`` or ``unknown``: vm.overcommit_memory."""
    limits: dict[str, int | None]
    """Soft limits of this process that matter here; None for none."""
    interpreter: Interpreter


def look() -> Host:
    """What this machine is. Needs nothing: what cannot be read is empty, 0 or ``unknown``."""
    status, memory = fields("/proc/self/status"), fields("/proc/meminfo")
    capabilities = _named(libc.effective_capabilities())
    return Host(
        kernel=platform.release(),
        machine=platform.machine(),
        uid=os.geteuid(),
        gid=os.getegid(),
        capabilities=capabilities,
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


def _named(mask: int) -> list[str]:
    known = [f"CAP_{name}" for number, name in enumerate(CAPABILITIES) if mask >> number & 1]
    further = range(len(CAPABILITIES), mask.bit_length())
    return known + [f"CAP_{number}" for number in further if mask >> number & 1]


def _container(status: Mapping[str, str]) -> str:
    """A container without walls, and a machine that was made from one, count as a host: nothing there is refused."""
    bounded = not int(status.get("CapBnd", "0"), 16) >> CAPABILITIES.index("SYS_ADMIN") & 1
    return _mark() if bounded or status.get("Seccomp") == "2" else ""


def _mark() -> str:
    for path, name in _CONTAINER_FILES.items():
        if Path(path).exists():
            return f"{name} ({path} exists)"
    if variable := os.environ.get(_CONTAINER_VARIABLE):
        return f"a container of {variable} (says the variable {_CONTAINER_VARIABLE})"
    groups = text("/proc/1/cgroup")
    if named := next((name for name in _CONTAINER_GROUPS if name in groups), ""):
        return f"a container of {named} (says /proc/1/cgroup)"
    points = [line.split()[4] for line in text("/proc/self/mountinfo").splitlines()]
    covered = any(point.startswith("/proc/") and point != _NOT_COVERED for point in points)
    return "a container (parts of /proc are covered)" if covered else ""


def _mib(line: str) -> int:
    kilobytes = line.partition(" ")[0]
    return int(kilobytes) >> 10 if kilobytes.isdecimal() else 0


def _limit(kind: int) -> int | None:
    soft, _ = resource.getrlimit(kind)
    return None if soft == resource.RLIM_INFINITY else soft


def _interpreter() -> Interpreter:
    """The files that the zygote needs: the program, the standard library and the arena's own."""
    program = Path(sys.executable).resolve()
    needed = (program, Path(os.__file__), Path(__file__))
    closed = next((str(part) for path in needed for part in reversed(path.parents) if not _open_to_all(part)), "")
    return Interpreter(
        path=sys.executable,
        version=platform.python_version(),
        readable=all(os.access(path, os.R_OK) for path in needed),
        readable_by_all=not closed and all(_open_to_all(path) for path in needed),
        closed=closed,
    )


def _open_to_all(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return bool(mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH))
