"""Concrete steps that raise the grade on this machine, the most effective first."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from arena.sandbox.doctor.grade import Layer, grade, level, problem
from arena.sandbox.doctor.host import NAMESPACES, Host, Landlock

_FOR_UID: Final = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL")
_NEEDS: Final = {
    "descriptors": "Linux 5.9 or newer",
    "seccomp": "CONFIG_SECCOMP_FILTER, on x86_64 or aarch64",
    "clocks": "x86-64, prctl(PR_SET_TSC), and a kernel without CONFIG_MSEAL_SYSTEM_MAPPINGS",
}
_DELEGATE: Final = "[Service] Delegate=memory pids and DelegateSubgroup=arena"
_PRIVILEGES: Final = (*_FOR_UID, "CAP_SYS_CHROOT", "CAP_SETPCAP")
_LANDLOCK_SINCE: Final = (5, 13)
_ENOUGH: Final = "10000"
_ALLOWING: Final = {
    "user.max_user_namespaces": ("0", _ENOUGH),
    "kernel.unprivileged_userns_clone": ("0", "1"),
    "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
}
"""Kernel settings that forbid namespaces to ordinary users: the value that does, and one that does not."""


@dataclass(frozen=True)
class Advice:
    """One step."""

    grade: str
    """Grade after this step alone; F if bots need more than this step to run."""
    what: str
    how: list[str]
    """Commands to type or lines to write; empty if there are none."""
    layers: list[str]
    """Layers that it adds; empty if it only lowers the required minimum."""


@dataclass(frozen=True)
class Findings:
    """Facts from which advice is derived."""

    host: Host
    landlock: Landlock
    sysctls: dict[str, str]
    cgroups: str
    """Version, as in `ControlGroups`."""
    layers: list[Layer]
    minimum: str
    """Minimum that the operator requires."""

    def off(self, *names: str) -> list[str]:
        """Return the names among these whose layers are off."""
        return [layer.name for layer in self.layers if not layer.on and layer.name in names]

    def why(self, name: str) -> str:
        """Return the reason why a layer is off; empty if it is on."""
        return next((layer.why for layer in self.layers if layer.name == name), "")


def advise(found: Findings) -> list[Advice]:
    """Return all steps that apply, the most effective first."""
    steps = [step for topic in _TOPICS for step in topic(found)]
    named = {name for step in steps for name in step.layers}
    steps += [_refused(layer) for layer in found.layers if not layer.on and layer.name not in named]
    graded = [replace(step, grade=step.grade or _after(found, step.layers)) for step in steps]
    return sorted(graded, key=lambda step: (step.grade, -len(step.layers)))


def _after(found: Findings, put_on: Collection[str]) -> str:
    layers = [replace(layer, on=True, why="") if layer.name in put_on else layer for layer in found.layers]
    return "F" if problem(layers, found.minimum) else grade(layers)


def _container(host: Host, flags: str, pod: str, compose: str = "") -> list[str]:
    """Return the flags of `docker run` or `podman run`, and a line for compose; in Kubernetes the line of a pod."""
    if host.container.startswith("Kubernetes"):
        return [pod]
    program = "podman" if host.container.startswith("Podman") else "docker"
    return [f"{program} run {flags} …", *filter(None, [compose])]


def _profile(host: Host) -> list[str]:
    localhost = "seccompProfile: {type: Localhost, localhostProfile: PROFILE.json}"
    return _container(host, "--security-opt seccomp=PROFILE.json", localhost)


def _privileges(found: Findings) -> Iterator[Advice]:
    """Advise on capabilities, which a uid per seat and the empty root need. On a host, root also has namespaces."""
    host = found.host
    lacking = [name for name in _PRIVILEGES if name not in host.capabilities]
    if not found.off("uid") or not set(lacking) & set(_FOR_UID):
        return
    if host.container:
        flags = " ".join(f"--cap-add {name.removeprefix('CAP_')}" for name in _PRIVILEGES)
        listed = ", ".join(name.removeprefix("CAP_") for name in _PRIVILEGES)
        yield Advice(
            "",
            "Run the workers' container as root with the capabilities to change user ids; bots keep none of them.",
            _container(
                host,
                f"--user 0 {flags}",
                f"runAsUser: 0, runAsNonRoot: false, capabilities: {{drop: [ALL], add: [{listed}]}}",
                f'or for the worker in compose.yml: user: "0", cap_add: [{listed}]',
            ),
            found.off("uid", "chroot"),
        )
        return
    yield Advice(
        "",
        "Run the workers as root; each bot then gets its own user id and no privileges.",
        ['sudo "$(command -v arena)" up'],
        found.off("uid", "chroot", *NAMESPACES, "cgroup"),
    )
    delegated = [_DELEGATE] if found.off("cgroup") and found.cgroups == "v2" else []
    yield Advice(
        "",
        "Run the workers as a service of an ordinary user with the capabilities needed to change user ids.",
        [f"[Service] AmbientCapabilities={' '.join(_PRIVILEGES)}", *delegated],
        found.off("uid", "chroot", *(["cgroup"] if delegated else [])),
    )


def _landlock(found: Findings) -> Iterator[Advice]:
    if found.off("landlock") and found.landlock.why:
        what, how = _LANDLOCK[found.landlock.why](found.host)
        yield Advice("", what, how, ["landlock"])


def _no_landlock(host: Host) -> tuple[str, list[str]]:
    if _version(host.kernel) < _LANDLOCK_SINCE:
        return (
            f"Use Linux 5.13 or newer, which has Landlock; this is {host.kernel}. 6.12 has all of it.",
            [],
        )
    return "Use a kernel built with Landlock.", ["kernel configuration: CONFIG_SECURITY_LANDLOCK=y"]


def _landlock_disabled(host: Host) -> tuple[str, list[str]]:
    listed = ",".join(["landlock", *(name for name in host.security_modules if name != "capability")])
    return (
        "Boot with Landlock as the first of the kernel's security modules.",
        [f"kernel parameter: lsm={listed}{'' if host.security_modules else ',…'}"],
    )


def _landlock_refused(host: Host) -> tuple[str, list[str]]:
    calls = "landlock_create_ruleset landlock_restrict_self"
    what = f"The system-call filter around this process refuses Landlock; allow {calls.replace(' ', ' and ')}."
    return what, _profile(host) if host.container else [f"[Service] SystemCallFilter={calls}"]


_LANDLOCK: Final[dict[str, Callable[[Host], tuple[str, list[str]]]]] = {
    "missing": _no_landlock,
    "disabled": _landlock_disabled,
    "refused": _landlock_refused,
}


def _namespaces(found: Findings) -> Iterator[Advice]:
    off = found.off(*NAMESPACES)
    if off:
        what, how = _allowing_namespaces(found, off)
        ordinary = "CAP_SYS_ADMIN" not in found.host.capabilities
        yield Advice("", what, how, off + (found.off("chroot") if ordinary else []))


def _allowing_namespaces(found: Findings, off: list[str]) -> tuple[str, list[str]]:
    """Advise changing the kernel settings that forbid namespaces, or whatever restricts this process."""
    if settings := _forbidding(found, off):
        return (
            "Allow namespaces on this machine. This exposes more of the kernel to all of its users.",
            [f"sysctl -w {' '.join(settings)}"],
        )
    if found.host.container:
        return (
            "Let the container create namespaces: allow chroot, sethostname and unshare, and CAP_SETFCAP to its root.",
            _profile(found.host),
        )
    around = "The system-call filter" if found.host.seccomp == "filter" else "Something"
    return f"{around} around this process refuses unshare ({found.why(off[0])}); allow it.", []


def _forbidding(found: Findings, off: list[str]) -> list[str]:
    """Return the settings that forbid these namespaces, with values that allow them."""
    ordinary = "CAP_SYS_ADMIN" not in found.host.capabilities
    general = [f"{name}={good}" for name, (bad, good) in _ALLOWING.items() if found.sysctls.get(name) == bad]
    bounds = [f"user.max_{NAMESPACES[name]}_namespaces" for name in off]
    return general * ordinary + [f"{name}={_ENOUGH}" for name in bounds if found.sysctls.get(name) == "0"]


def _empty_root(found: Findings) -> Iterator[Advice]:
    """Advise a writable folder, without which there is no empty directory. Other causes have their own advice."""
    if "no directory" in found.why("chroot"):
        here = found.host
        mounted = _container(here, "--tmpfs /tmp", "volumeMounts: [{name: tmp, mountPath: /tmp}]")
        how = mounted if here.container else ["mount -t tmpfs tmpfs /tmp"]
        yield Advice("", "Give the workers a writable folder such as /tmp.", how, ["chroot"])


def _group(found: Findings) -> Iterator[Advice]:
    if not found.off("cgroup"):
        return
    if found.host.container:
        yield Advice(
            "",
            "Let the container's root write its control groups; until then limit the whole container from outside.",
            _container(found.host, "--memory 4g --pids-limit 512", "resources: {limits: {memory: 4Gi}}"),
            ["cgroup"],
        )
    elif found.host.uid:
        old = "" if found.cgroups == "v2" else " Only root may use version 1: boot with version 2."
        what = f"Delegate control groups to the arena's service (systemd 254 or newer).{old}"
        yield Advice("", what, [_DELEGATE], ["cgroup"])
    else:
        yield Advice("", f"Mount control groups so that root can create some ({found.why('cgroup')}).", [], ["cgroup"])


def _refused(layer: Layer) -> Advice:
    """Advise on a layer that every recent kernel has and that no other advice explains."""
    needs = f" It needs {_NEEDS[layer.name]}." if layer.name in _NEEDS else ""
    what = f"Something around this process refused the layer {layer.name} ({layer.why}).{needs}"
    return Advice("", what, [], [layer.name])


def _less(found: Findings) -> Iterator[Advice]:
    """Advise lowering the required minimum."""
    if problem(found.layers, found.minimum):
        if level(found.layers) == "one":
            what = "Accept either Landlock or a user id per seat; `arena up` does so by default for an ordinary user."
            yield Advice("C", what, ["ARENA_SANDBOX_MINIMUM=one"], [])
        else:
            what = "Run bots with the available layers; only do this if you trust the author of every bot."
            yield Advice("D", what, ["ARENA_SANDBOX_MINIMUM=none"], [])


_TOPICS: Final = (_privileges, _landlock, _namespaces, _empty_root, _group, _less)


def _version(kernel: str) -> tuple[int, int]:
    numbers = re.match(r"(\d+)\.(\d+)", kernel)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)


def notes(host: Host) -> list[str]:
    """Return facts that do not change the grade but matter to the operator."""
    processes, python = host.limits["processes"], host.interpreter
    closed = f"{python.closed or python.path} is closed to others"
    known = {
        "vm.overcommit_memory=2: the kernel may refuse bots memory within their limits.": host.overcommit == "never",
        f"Only {processes} processes may run; a worker and its bots need 256 (ulimit -u).": (
            host.uid != 0 and processes is not None and processes < 256
        ),
        f"No other user can run the arena with this Python: {closed}.": not python.readable_by_all,
    }
    return [note for note, applies in known.items() if applies]
