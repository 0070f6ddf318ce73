"""What Docker puts around a container unless it is told otherwise, in the words of the OCI runtime specification.

The seccomp profile is Docker's own file, taken from Debian's package (`scripts/docker-profile` fetches it); here it is
only resolved for the capabilities and the machine at hand, as `profiles/seccomp/seccomp_linux.go` does it. The rest are
the constants of `oci/defaults.go` and `oci/caps/defaults.go`.
"""

import json
import platform
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from tests.setups.reach import CHECKOUT

PROFILES: Final = (
    CHECKOUT / ".setups/docker-seccomp.json",
    Path("/usr/share/gocode/src/github.com/docker/docker/profiles/seccomp/default.json"),
)
"""Where Docker's profile may lie: as fetched, and as Debian's golang-github-docker-docker-dev installs it."""

CAPABILITIES: Final = tuple(
    f"CAP_{name}"
    for name in (
        *("CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP"),
        *("NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE"),
    )
)
"""The fourteen that root has in a container."""

_ARCHITECTURES: Final = {"x86_64": ("amd64", "SCMP_ARCH_X86_64"), "aarch64": ("arm64", "SCMP_ARCH_AARCH64")}
"""How Go and seccomp call this machine."""


def profile() -> Path | None:
    """Docker's seccomp profile on this machine."""
    return next((path for path in PROFILES if path.exists()), None)


def seccomp(path: Path, capabilities: Collection[str]) -> dict[str, Any]:
    """The profile as it applies to a container with these capabilities here: `linux.seccomp` of a bundle."""
    whole = json.loads(path.read_text())
    go, native = _ARCHITECTURES[platform.machine()]
    subordinate = [entry["subArchitectures"] for entry in whole["archMap"] if entry["architecture"] == native]
    rules = [rule for rule in whole["syscalls"] if _applies(rule, go, capabilities)]
    return {
        "defaultAction": whole["defaultAction"],
        "architectures": [native, *subordinate[0]],
        "syscalls": [
            {key: rule[key] for key in ("names", "action", "args", "errnoRet") if rule.get(key)} for rule in rules
        ],
    }


def _applies(rule: dict[str, Any], architecture: str, capabilities: Collection[str]) -> bool:
    """All of what it includes holds, and nothing of what it excludes. Kernels that it names (4.8) are long gone."""
    includes, excludes = rule["includes"], rule["excludes"]
    return (
        architecture in includes.get("arches", [architecture])
        and architecture not in excludes.get("arches", [])
        and set(includes.get("caps", [])) <= set(capabilities)
        and not set(excludes.get("caps", [])) & set(capabilities)
    )


def bundle(
    command: Sequence[str], environment: dict[str, str], uid: int, shown: Sequence[Path], filters: Path
) -> dict[str, Any]:
    """`config.json` of a container with a read-only root: as root with Docker's capabilities, as another uid with none.

    The other user is what a careful operator makes of it: `--cap-drop ALL --security-opt no-new-privileges`.
    """
    capabilities = () if uid else CAPABILITIES
    return {
        "ociVersion": "1.0.2",
        "hostname": "arena",
        "root": {"path": "rootfs", "readonly": True},
        "process": {
            "terminal": False,
            "user": {"uid": uid, "gid": uid},
            "args": ["sh", "-c", _INIT, "sh", *command],
            "env": [f"{name}={value}" for name, value in environment.items()],
            "cwd": str(CHECKOUT),
            "capabilities": {kind: list(capabilities) for kind in ("bounding", "effective", "permitted")},
            "noNewPrivileges": bool(uid),
        },
        "mounts": [*_MOUNTS, *map(_bind, shown)],
        "linux": {
            "namespaces": [{"type": kind} for kind in _namespaces()],
            "maskedPaths": list(_MASKED),
            "readonlyPaths": list(_READ_ONLY),
            "seccomp": seccomp(filters, capabilities),
        },
    }


def _namespaces() -> list[str]:
    """A container sees a hierarchy of control groups of its own where the host has version 2 alone."""
    unified = Path("/sys/fs/cgroup/cgroup.controllers").exists()
    return ["mount", "network", "uts", "pid", "ipc", *(["cgroup"] if unified else [])]


def _bind(path: Path) -> dict[str, Any]:
    return {"destination": str(path), "source": str(path), "type": "bind", "options": ["rbind", "ro"]}


def _mount(destination: str, kind: str, options: str) -> dict[str, Any]:
    return {"destination": destination, "source": kind, "type": kind, "options": options.split(",")}


_MOUNTS: Final = (
    _mount("/proc", "proc", "nosuid,noexec,nodev"),
    _mount("/dev", "tmpfs", "nosuid,strictatime,mode=755,size=65536k"),
    _mount("/dev/pts", "devpts", "nosuid,noexec,newinstance,ptmxmode=0666,mode=0620,gid=5"),
    _mount("/sys", "sysfs", "nosuid,noexec,nodev,ro"),
    _mount("/sys/fs/cgroup", "cgroup", "ro,nosuid,noexec,nodev"),
    _mount("/dev/mqueue", "mqueue", "nosuid,noexec,nodev"),
    _mount("/dev/shm", "tmpfs", "nosuid,noexec,nodev,mode=1777,size=65536k"),  # noqa: S108 - the container's
    _mount("/tmp", "tmpfs", "nosuid,nodev,mode=1777"),  # noqa: S108 - as `--tmpfs /tmp`: a read-only root asks for it
)
_INIT: Final = '"$@" 2>&1; exit $?'
"""The shell stays as process 1 and collects orphans, as with `docker run --init`. Alone, runc mixes up its streams."""
_MASKED: Final = (
    *(f"/proc/{name}" for name in ("asound", "acpi", "kcore", "keys", "latency_stats", "timer_list", "timer_stats")),
    *("/proc/sched_debug", "/proc/scsi", "/sys/firmware"),
)
_READ_ONLY: Final = tuple(f"/proc/{name}" for name in ("bus", "fs", "irq", "sys", "sysrq-trigger"))
