"""The doctor's advice, depending on the missing layers and the environment."""

from dataclasses import replace

import pytest

from arena.sandbox.doctor import host
from arena.sandbox.doctor.advice import Advice, Findings, advise, notes
from arena.sandbox.doctor.grade import describe
from arena.sandbox.doctor.host import CAPABILITIES, Host, Landlock
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.inside.namespaces import KINDS
from arena.sandbox.zygote import CGROUP, CLOCKS

ALL = [f"CAP_{name}" for name in CAPABILITIES]
ROOT = replace(
    host.look(),
    kernel="6.12.0",
    uid=0,
    capabilities=ALL,
    container="",
    seccomp="none",
    security_modules=["yama", "bpf"],
)
USER = replace(ROOT, uid=1000, capabilities=[])
CONTAINER = replace(ROOT, capabilities=["CAP_SETUID"], container="Docker (/.dockerenv exists)", seccomp="filter")
NO_LANDLOCK = Landlock(0, "missing", {})


def advice(
    here: Host,
    *off: str,
    minimum: str = "both",
    landlock: Landlock = NO_LANDLOCK,
    reason: str = "refused",
    cgroups: str = "hybrid",
    sysctls: dict[str, str] | None = None,
) -> list[Advice]:
    """Return the advice if these layers are off."""
    layers = describe(
        {name: reason if name in off else "" for name in LAYERS},
        {name: reason if name in off else "" for name in (*KINDS, CLOCKS, CGROUP)},
    )
    return advise(Findings(here, landlock, sysctls or {}, cgroups, layers, minimum))


def ways(steps: list[Advice]) -> str:
    """Return all steps as one text."""
    return "\n".join([step.what + " " + " ".join(step.how) for step in steps])


def test_no_advice_if_every_layer_is_on() -> None:
    """If every layer is on, there is no advice."""
    assert advice(ROOT) == []


@pytest.mark.parametrize("name", [*LAYERS, *KINDS, CLOCKS, CGROUP])
@pytest.mark.parametrize("here", [ROOT, USER, CONTAINER])
def test_every_missing_layer_has_advice(here: Host, name: str) -> None:
    """Some step adds each missing layer in every environment."""
    assert any(name in step.layers for step in advice(here, name))


def test_advice_is_sorted_by_grade() -> None:
    """Steps are sorted by the grade that they lead to; steps that do not meet the minimum lead to F."""
    steps = advice(USER, "uid", "chroot", CGROUP)

    assert [step.grade for step in steps] == ["A", "B", "C", "F"]
    assert "sudo" in steps[0].how[0]
    assert "AmbientCapabilities" in steps[1].how[0]
    assert steps[2].how == ["ARENA_SANDBOX_MINIMUM=one"]
    assert steps[3].layers == [CGROUP]


def test_service_advice_delegates_control_groups() -> None:
    """A service gets every layer with version 2 of control groups, and all but control groups with version 1."""
    service = advice(USER, "uid", CGROUP, cgroups="v2")[1]

    assert (service.grade, service.layers) == ("A", ["uid", CGROUP])
    assert "DelegateSubgroup=" in service.how[1]
    assert "boot with version 2" in ways(advice(USER, "uid", CGROUP))
    assert "boot with version 2" not in ways(advice(USER, "uid", CGROUP, cgroups="v2"))


def test_lower_minimum_is_advised_if_bots_are_not_run() -> None:
    """A lower minimum is advised only if bots are not run; without a required layer only none is left."""
    assert advice(ROOT, "seccomp")[-1].how == ["ARENA_SANDBOX_MINIMUM=none"]
    assert "ARENA_SANDBOX_MINIMUM" not in ways(advice(USER, "uid", minimum="one"))
    assert "ARENA_SANDBOX_MINIMUM" not in ways(advice(ROOT, "seccomp", minimum="none"))


def test_docker_flags_are_advised_in_containers() -> None:
    """Docker's flags are advised in containers only."""
    flags = ways(advice(CONTAINER, "uid", "chroot", "network", CGROUP))

    assert "docker run --user 0 --cap-add SETUID --cap-add SETGID --cap-add KILL" in flags
    assert "--security-opt seccomp=" in flags
    assert "docker" not in ways(advice(USER, "uid", "chroot", CGROUP, "network")).lower()


def test_flags_are_those_of_the_runtime() -> None:
    """Podman has its own command, and Kubernetes gets lines of a pod."""
    off = ("uid", "chroot", "network", CGROUP)
    podman = ways(advice(replace(CONTAINER, container="Podman (/run/.containerenv exists)"), *off))
    pod = ways(advice(replace(CONTAINER, container="Kubernetes (…)"), *off))

    assert podman == ways(advice(CONTAINER, *off)).replace("docker run", "podman run")
    assert "docker" not in pod
    assert "runAsUser: 0, runAsNonRoot: false, capabilities: {drop: [ALL], add: [SETUID, SETGID, KILL," in pod
    assert "seccompProfile: {type: Localhost" in pod


def test_kubernetes_is_recognised_before_podman(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pod is recognised by its environment, whatever files its runtime writes."""
    monkeypatch.setattr(host, "_CONTAINER_FILES", {"/": "Podman"})
    assert host._container({"CapBnd": "0"}).startswith("Podman")

    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    assert host._container({"CapBnd": "0"}).startswith("Kubernetes")


@pytest.mark.parametrize(
    ("here", "landlock", "word"),
    [
        (ROOT, NO_LANDLOCK, "CONFIG_SECURITY_LANDLOCK=y"),
        (replace(ROOT, kernel="5.10.0-34-amd64"), NO_LANDLOCK, "Use Linux 5.13 or newer"),
        (ROOT, Landlock(0, "disabled", {}), "lsm=landlock,yama,bpf"),
        (replace(ROOT, security_modules=[]), Landlock(0, "disabled", {}), "lsm=landlock,…"),
        (ROOT, Landlock(0, "refused", {}), "SystemCallFilter="),
        (CONTAINER, Landlock(0, "refused", {}), "--security-opt seccomp="),
        (ROOT, Landlock(6, "", {}), "refused the layer landlock (refused)"),
    ],
)
def test_landlock_advice(here: Host, landlock: Landlock, word: str) -> None:
    """An old kernel, one without Landlock, one booted without it, and a filter each get their own advice."""
    assert word in ways(advice(here, "landlock", landlock=landlock))


def test_kernel_settings_advice() -> None:
    """The advice names kernel settings that forbid namespaces, with allowed values; for root only their number."""
    forbidden = {"user.max_user_namespaces": "0", "kernel.apparmor_restrict_unprivileged_userns": "1"}

    assert (
        "sysctl -w user.max_user_namespaces=10000 kernel.apparmor_restrict_unprivileged_userns=0"
        in advice(USER, "network", sysctls=forbidden)[0].how
    )
    assert "sysctl" not in ways(advice(ROOT, "network", sysctls=forbidden))
    none = {"user.max_uts_namespaces": "0", "user.max_net_namespaces": "0"}
    assert advice(ROOT, "uts", sysctls=none)[0].how == ["sysctl -w user.max_uts_namespaces=10000"]
    assert advice(ROOT, "network", sysctls=none)[0].how == ["sysctl -w user.max_net_namespaces=10000"]
    filtered = advice(replace(USER, seccomp="filter"), "network")
    assert "The system-call filter around this process refuses unshare" in ways(filtered)


def test_writable_folder_advice() -> None:
    """Without a writable folder the advice is to mount one."""
    steps = advice(ROOT, "chroot", reason="no directory can be created in any of /tmp")

    assert steps[0].how == ["mount -t tmpfs tmpfs /tmp"]


def test_notes() -> None:
    """Notes appear only if they apply."""
    python = replace(ROOT.interpreter, readable_by_all=True)
    plenty: dict[str, int | None] = dict.fromkeys(ROOT.limits)
    fine = replace(USER, overcommit="heuristic", limits=plenty, interpreter=python)
    poor = replace(
        USER,
        overcommit="never",
        limits=plenty | {"processes": 100},
        interpreter=replace(python, readable_by_all=False, closed="/root"),
    )

    assert notes(fine) == []
    assert [word for note, word in zip(notes(poor), ("overcommit", "100 proc", "/root"), strict=True) if word in note]
    assert len(notes(poor)) == 3
    assert len(notes(replace(poor, uid=0))) == 2
