"""What the doctor advises, by what is off and by where we are."""

from dataclasses import replace

import pytest

from arena.sandbox.doctor import host
from arena.sandbox.doctor.advice import Advice, Findings, advise, notes
from arena.sandbox.doctor.host import CAPABILITIES, Host
from arena.sandbox.doctor.kernel import SPACES, Landlock, Namespace
from arena.sandbox.doctor.layers import described
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.inside.namespaces import KINDS
from arena.sandbox.zygote import CGROUP

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
SPACE = Namespace("Operation not permitted", "Operation not permitted", "user.max_it_namespaces", 100)
NO_LANDLOCK = Landlock(0, "missing", {})


def advice(
    here: Host,
    *off: str,
    minimum: str = "both",
    landlock: Landlock = NO_LANDLOCK,
    space: Namespace = SPACE,
    reason: str = "refused",
    cgroups: str = "hybrid",
    sysctls: dict[str, str] | None = None,
) -> list[Advice]:
    """What is advised where these layers are off."""
    layers = described(
        {name: reason if name in off else "" for name in LAYERS},
        {name: reason if name in off else "" for name in (*KINDS, CGROUP)},
    )
    spaces = dict.fromkeys(SPACES, space)
    return advise(Findings(here, landlock, spaces, sysctls or {}, cgroups, layers, minimum))


def ways(steps: list[Advice]) -> str:
    """All that is said, as one text."""
    return "\n".join([step.what + " " + " ".join(step.how) for step in steps])


def test_nothing_to_do() -> None:
    """Where every layer is on there is no advice."""
    assert advice(ROOT) == []


@pytest.mark.parametrize("name", [*LAYERS, *KINDS, CGROUP])
@pytest.mark.parametrize("here", [ROOT, USER, CONTAINER])
def test_every_layer_that_is_off_is_spoken_of(here: Host, name: str) -> None:
    """Whatever is off, and wherever, some step puts it on."""
    assert any(name in step.layers for step in advice(here, name))


def test_what_gains_most_comes_first() -> None:
    """Steps are in the order of the grades that they lead to; one that does not suffice for the minimum leads to F."""
    steps = advice(USER, "uid", "chroot", CGROUP)

    assert [step.grade for step in steps] == ["A", "B", "C", "F"]
    assert "sudo" in steps[0].how[0]
    assert "AmbientCapabilities" in steps[1].how[0]
    assert steps[2].how == ["ARENA_SANDBOX_MINIMUM=one"]
    assert steps[3].layers == [CGROUP]


def test_a_service_is_given_control_groups_where_they_can_be_delegated() -> None:
    """With version 2 a service of an ordinary user gets everything; with version 1 all but control groups."""
    service = advice(USER, "uid", CGROUP, cgroups="v2")[1]

    assert (service.grade, service.layers) == ("A", ["uid", CGROUP])
    assert "DelegateSubgroup=" in service.how[1]
    assert "boot with version 2" in ways(advice(USER, "uid", CGROUP))
    assert "boot with version 2" not in ways(advice(USER, "uid", CGROUP, cgroups="v2"))


def test_less_is_asked_for_where_nothing_else_can_be_had() -> None:
    """Without both, or without seccomp, only an insecure run is left; and never where bots are run already."""
    assert advice(ROOT, "seccomp")[-1].how == ["ARENA_SANDBOX_MINIMUM=none"]
    assert "ARENA_SANDBOX_MINIMUM" not in ways(advice(USER, "uid", minimum="one"))
    assert "ARENA_SANDBOX_MINIMUM" not in ways(advice(ROOT, "seccomp", minimum="none"))


def test_a_container_is_given_flags() -> None:
    """In a container Docker's flags are named, on a host they are not."""
    flags = ways(advice(CONTAINER, "uid", "chroot", "network", CGROUP))

    assert "docker run --user 0 --cap-add SETUID --cap-add SETGID --cap-add KILL" in flags
    assert "--security-opt seccomp=" in flags
    assert "docker" not in ways(advice(USER, "uid", "chroot", CGROUP, "network")).lower()


@pytest.mark.parametrize(
    ("here", "landlock", "word"),
    [
        (ROOT, NO_LANDLOCK, "CONFIG_SECURITY_LANDLOCK=y"),
        (replace(ROOT, kernel="5.10.0-34-amd64"), NO_LANDLOCK, "Use Linux 5.13 or newer"),
        (ROOT, Landlock(0, "disabled", {}), "lsm=landlock,yama,bpf"),
        (replace(ROOT, security_modules=[]), Landlock(0, "disabled", {}), "lsm=landlock,…"),
        (ROOT, Landlock(0, "refused", {}), "SystemCallFilter="),
        (CONTAINER, Landlock(0, "refused", {}), "--security-opt seccomp="),
        (ROOT, Landlock(6, "", {}), "The layer landlock was refused (refused)"),
    ],
)
def test_landlock(here: Host, landlock: Landlock, word: str) -> None:
    """An old kernel, one without it, one that was booted without it, and a filter: each has its own way."""
    assert word in ways(advice(here, "landlock", landlock=landlock))


def test_namespaces_by_settings_of_the_kernel() -> None:
    """What forbids them to ordinary users is named with a value that does not; root is told of their number only."""
    forbidden = {"user.max_user_namespaces": "0", "kernel.apparmor_restrict_unprivileged_userns": "1"}

    assert (
        "sysctl -w user.max_user_namespaces=10000 kernel.apparmor_restrict_unprivileged_userns=0"
        in advice(USER, "network", sysctls=forbidden)[0].how
    )
    assert "sysctl" not in ways(advice(ROOT, "network", sysctls=forbidden))
    none = replace(SPACE, allowed=0)
    assert advice(ROOT, "uts", space=none)[0].how == ["sysctl -w user.max_it_namespaces=10000"]
    filtered = advice(replace(USER, seccomp="filter"), "network")
    assert "The system-call filter around this process refuses unshare" in ways(filtered)


def test_nothing_can_be_written() -> None:
    """Where there is no place for an empty folder, one is to be given."""
    steps = advice(ROOT, "chroot", reason="no directory can be made in any of /tmp")

    assert steps[0].how == ["mount -t tmpfs tmpfs /tmp"]


def test_notes() -> None:
    """What matters beside the layers is told where it applies, and only there."""
    python = replace(ROOT.interpreter, readable_by_all=True)
    plenty: dict[str, int | None] = dict.fromkeys(ROOT.limits)
    fine = replace(USER, overcommit="heuristic", limits=plenty, interpreter=python)
    poor = replace(
        USER,
        overcommit="never",
        limits=plenty | {"files": 64, "processes": 100},
        interpreter=replace(python, readable_by_all=False, closed="/root"),
    )

    assert notes(fine) == []
    assert [
        word
        for note, word in zip(notes(poor), ("overcommit", "64 files", "100 proc", "/root"), strict=True)
        if word in note
    ]
    assert len(notes(poor)) == 4
    assert len(notes(replace(poor, uid=0))) == 3
