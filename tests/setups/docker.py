"""Docker's default restrictions on a container, in terms of the OCI runtime specification.

The seccomp profile is Docker's own file from Debian's package (`scripts/docker-profile` fetches it), resolved here for
the given capabilities and machine as in `profiles/seccomp/seccomp_linux.go`. The rest are the constants of
`oci/defaults.go` and `oci/caps/defaults.go`.
"""

import json
import platform
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.setups.user import CHECKOUT

PROFILES: Final = (
    CHECKOUT / ".setups/docker-seccomp.json",
    Path("/usr/share/gocode/src/github.com/docker/docker/profiles/seccomp/default.json"),
)
"""Paths of Docker's profile: as fetched, and as installed by Debian's golang-github-docker-docker-dev."""

IMAGE_UID: Final = 10001
"""User ID of the arena's image."""
CAPABILITIES: Final = tuple(
    f"CAP_{name}"
    for name in (
        *("CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP"),
        *("NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE"),
    )
)
"""The fourteen default capabilities of root in a container."""

_ARCHITECTURES: Final = {"x86_64": ("amd64", "SCMP_ARCH_X86_64"), "aarch64": ("arm64", "SCMP_ARCH_AARCH64")}
"""Names of this machine in Go and in seccomp."""


def profile() -> Path | None:
    """Return the path of Docker's seccomp profile on this machine."""
    return next((path for path in PROFILES if path.exists()), None)


def seccomp(path: Path, capabilities: Collection[str], added: Sequence[str] = ()) -> dict[str, Any]:
    """Return the profile, with added calls, for a container with these capabilities, as `linux.seccomp` of a bundle."""
    whole = json.loads(path.read_text())
    go, native = _ARCHITECTURES[platform.machine()]
    subordinate = [entry["subArchitectures"] for entry in whole["archMap"] if entry["architecture"] == native]
    rules = [rule for rule in whole["syscalls"] if _applies(rule, go, capabilities)]
    return {
        "defaultAction": whole["defaultAction"],
        "architectures": [native, *subordinate[0]],
        "syscalls": [
            *({key: rule[key] for key in ("names", "action", "args", "errnoRet") if rule.get(key)} for rule in rules),
            *({"names": [name], "action": "SCMP_ACT_ALLOW"} for name in added),
        ],
    }


def _applies(rule: dict[str, Any], architecture: str, capabilities: Collection[str]) -> bool:
    """Return whether all inclusions and no exclusions of a rule apply. Kernel versions (4.8) are ignored."""
    includes, excludes = rule["includes"], rule["excludes"]
    return (
        architecture in includes.get("arches", [architecture])
        and architecture not in excludes.get("arches", [])
        and set(includes.get("caps", [])) <= set(capabilities)
        and not set(excludes.get("caps", [])) & set(capabilities)
    )


@dataclass(frozen=True)
class Container:
    """A container with a read-only root, as created by Docker."""

    uid: int
    """User id, and also the group id."""
    capabilities: Collection[str]
    no_new_privileges: bool
    environment: Mapping[str, str]
    shown: Sequence[Path] = ()
    """Paths of this machine that are mounted under the same name."""
    mounts: Sequence[Mapping[str, Any]] = ()
    """Additional mounts."""
    folder: Path = CHECKOUT
    """Working directory of its process."""
    resources: Mapping[str, Any] = field(default_factory=dict)
    """Limits of its control group."""
    calls: Sequence[str] = ()
    """System calls that its profile allows besides Docker's."""


def usual(uid: int, environment: Mapping[str, str]) -> Container:
    """Return a container for root with Docker's capabilities, or for another user with none.

    The other user corresponds to `--cap-drop ALL --security-opt no-new-privileges`.
    """
    return Container(uid, () if uid else CAPABILITIES, bool(uid), environment)


def bundle(command: Sequence[str], container: Container, filters: Path) -> dict[str, Any]:
    """Return the `config.json` of the container for a command."""
    capabilities = container.capabilities
    return {
        "ociVersion": "1.0.2",
        "hostname": "arena",
        "root": {"path": "rootfs", "readonly": True},
        "process": {
            "terminal": False,
            "user": {"uid": container.uid, "gid": container.uid},
            "args": ["sh", "-c", _INIT, "sh", *command],
            "env": [f"{name}={value}" for name, value in container.environment.items()],
            "cwd": str(container.folder),
            "capabilities": {kind: list(capabilities) for kind in ("bounding", "effective", "permitted")},
            "noNewPrivileges": container.no_new_privileges,
        },
        "mounts": [*_MOUNTS, *map(bind, container.shown), *container.mounts],
        "linux": {
            "namespaces": [{"type": kind} for kind in _namespaces()],
            "maskedPaths": list(_MASKED),
            "readonlyPaths": list(_READ_ONLY),
            "seccomp": seccomp(filters, capabilities, container.calls),
            "resources": container.resources,
        },
    }


def _namespaces() -> list[str]:
    """Return its namespaces. It has its own control group hierarchy if the host only has version 2."""
    unified = Path("/sys/fs/cgroup/cgroup.controllers").exists()
    return ["mount", "network", "uts", "pid", "ipc", *(["cgroup"] if unified else [])]


def bind(path: Path, at: Path | None = None) -> dict[str, Any]:
    """Mount a path of this machine, optionally under another name."""
    return {"destination": str(at or path), "source": str(path), "type": "bind", "options": ["rbind", "ro"]}


def tmpfs(given: str) -> dict[str, Any]:
    """Return the mount for a value of `--tmpfs`. Without a mode it has that of the folder below, owned by root."""
    destination, _, options = given.partition(":")
    return _mount(destination, "tmpfs", ",".join(filter(None, ["noexec,nosuid,nodev,rprivate", options])))


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
"""The shell remains process 1 and reaps orphans, like `docker run --init`. Without it, runc mixes up its streams."""
_MASKED: Final = (
    *(f"/proc/{name}" for name in ("asound", "acpi", "kcore", "keys", "latency_stats", "timer_list", "timer_stats")),
    *("/proc/sched_debug", "/proc/scsi", "/sys/firmware"),
)
_READ_ONLY: Final = tuple(f"/proc/{name}" for name in ("bus", "fs", "irq", "sys", "sysrq-trigger"))
