"""Findings of the doctor with all layers of this machine and without some of them."""

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage, doctor, wire
from arena.sandbox.cgroups import CONTROLLERS
from arena.sandbox.doctor import Diagnosis, capacity, examine, grade, host, probe
from arena.sandbox.doctor.grade import PURPOSES, Layer, describe
from arena.sandbox.doctor.smoke import attack_all
from arena.sandbox.inside import landlock
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.inside.namespaces import KINDS
from arena.sandbox.zygote import CGROUP, CLOCKS

EVERYTHING = (*LAYERS, *KINDS, CLOCKS, CGROUP)


class Visit(NamedTuple):
    """A run of the doctor, and the state of this process before and after it."""

    before: tuple[set[str], int]
    found: Diagnosis
    after: tuple[set[str], int]


def holdings() -> tuple[set[str], int]:
    """Return the children of this process and the number of its open descriptors."""
    stats = (path.read_text() for path in Path("/proc").glob("[0-9]*/stat") if path.exists())
    children = {stat.split()[0] for stat in stats if stat.rpartition(")")[2].split()[1] == str(os.getpid())}
    return children, len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(scope="module")
def visit() -> Visit:
    """Run the doctor on this machine, with the minimum that every set-up meets."""
    return Visit(holdings(), examine("one"), holdings())


@pytest.fixture
def found(visit: Visit) -> Diagnosis:
    """Findings of the run."""
    return visit.found


def test_probe_covers_every_layer() -> None:
    """The probe names each layer once, and gives a reason for each that is off."""
    layers = probe()

    assert sorted(layer.name for layer in layers) == sorted(EVERYTHING)
    assert set(PURPOSES) == set(EVERYTHING)
    assert all(layer.on != bool(layer.why) for layer in layers)
    assert [layer.name for layer in layers if layer.around == "each bot"] == list(LAYERS)


def test_cage_of_this_machine_stops_all_attacks(found: Diagnosis) -> None:
    """The cage stops each of the ten attacks, none of which fails by a mistake of its own, and bots are timed."""
    assert found.holds, found.problem
    assert found.trial
    assert len(found.trial.attacks) == 10
    for attack in found.trial.attacks:
        assert attack.held, attack
        assert not any(mistake in attack.how for mistake in ("NameError", "TypeError", "AttributeError", "Syntax"))
    speed = found.trial.speed
    for times in (speed.ready_ms, speed.move_us):
        assert 0 < times.median <= times.p99


def test_grade_matches_layers(found: Diagnosis) -> None:
    """A if every layer is on, B if only extra layers are off, C if Landlock or the uid is off."""
    off = {layer.name for layer in found.layers if not layer.on}

    assert found.grade == ("A" if not off else "C" if off & {"landlock", "uid"} else "B")
    assert found.level == ("one" if off & {"landlock", "uid"} else "both")
    assert bool(found.advice) == bool(off)


def test_doctor_leaves_no_process_or_descriptor(visit: Visit) -> None:
    """The doctor leaves no child and no open descriptor."""
    assert visit.after == visit.before


def test_attacks_succeed_without_layers() -> None:
    """Without layers, nine of the ten attacks succeed; the tenth is against the wire protocol."""
    with Cage("none", without=EVERYTHING) as cage:
        held = {attack.name for attack in attack_all(cage) if attack.held}

    assert held == {"forge an answer"}


def test_breach_gives_grade_f(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged answer is a breach, which means grade F even if every layer is on."""
    monkeypatch.setattr(wire, "nonce", lambda: "0123456789abcdef")
    found = examine("one")

    assert (found.grade, found.holds, found.problem) == ("F", False, "")
    assert [attack.name for attack in found.breaches] == ["forge an answer"]
    assert found.verdict == grade.BREACHED


def layers(*off: str) -> list[Layer]:
    """Return all layers, with some of them off."""
    return describe(
        {name: "not here" if name in off else "" for name in LAYERS},
        {name: "not here" if name in off else "" for name in (*KINDS, CLOCKS, CGROUP)},
    )


@pytest.mark.parametrize(
    ("off", "expected"),
    [
        ((), "A"),
        (("network",), "B"),
        (("chroot", "pid", CGROUP), "B"),
        (("uid", "chroot"), "C"),
        (("landlock",), "C"),
        (("landlock", "uid"), "D"),
        (("seccomp",), "D"),
    ],
)
def test_grades(off: tuple[str, ...], expected: str) -> None:
    """A missing extra layer gives B, a missing Landlock or uid C, and both or a required layer D."""
    assert grade.grade(layers(*off)) == expected


def test_missing_layer_below_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the minimum no bot is run, the reason is given, and a lower minimum is advised."""
    monkeypatch.setattr(doctor, "probe", lambda: layers("landlock"))
    found = examine("both")

    assert (found.grade, found.level, found.trial) == ("F", "one", None)
    assert "landlock: not here" in found.problem
    assert any("ARENA_SANDBOX_MINIMUM=one" in step.how for step in found.advice)


def test_insecure_run_has_grade_d(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below every minimum the grade is D if the operator allows it, otherwise F."""
    monkeypatch.setattr(doctor, "probe", lambda: layers("landlock", "uid"))
    refused = examine("one")

    assert examine("none").grade == "D"
    assert refused.grade == "F"
    assert any("ARENA_SANDBOX_MINIMUM=none" in step.how for step in refused.advice)


@pytest.mark.parametrize("error", [ArenaFault("the zygote is gone"), OSError(38, "Function not implemented")])
def test_failed_probe_is_explained(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """If no process for bots starts, the doctor gives the reason and describes the machine."""

    def fail() -> list[Layer]:
        os.write(2, b"Traceback (most recent call last):\nImportError: no module named arena\n")
        raise error

    monkeypatch.setattr(doctor, "probe", fail)
    found = examine()

    assert (found.grade, found.layers, found.trial) == ("F", [], None)
    assert ("the zygote is gone" if isinstance(error, ArenaFault) else "Function not implemented") in found.problem
    assert found.problem.endswith("ImportError: no module named arena")
    assert found.host.cores


def test_kernel_settings_are_reported(found: Diagnosis) -> None:
    """The kernel settings in the report are those in /proc/sys."""
    assert found.landlock.version > 0
    for layer in found.layers:
        if layer.name in KINDS:
            assert layer.on == (not layer.why)
    for name, value in found.sysctls.items():
        assert Path("/proc/sys", *name.split(".")).read_text().strip() == value


def test_control_groups_match_the_layer(found: Diagnosis) -> None:
    """A bot has a control group only if this machine has control groups."""
    if CGROUP in {layer.name for layer in found.layers if layer.on}:
        assert found.cgroups.version != "none"
        assert found.cgroups.folders
    assert set(found.cgroups.limits) == set(CONTROLLERS)
    assert capacity.control_groups() == found.cgroups


def test_host_describes_this_process(found: Diagnosis) -> None:
    """The uid, capabilities and cores are those of this process."""
    me = found.host

    assert me.uid == os.geteuid()
    assert set(me.usable_cores) == os.sched_getaffinity(0)
    assert ("CAP_SETUID" in me.capabilities) == (os.geteuid() == 0)
    assert me == host.look()


def test_old_landlock_lists_missing_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """For an old Landlock the doctor lists the features of newer versions with their kernels."""
    monkeypatch.setattr(landlock, "abi", lambda: 3)
    found = host.look_at_landlock()

    assert found.version == 3
    assert list(found.missing) == ["4 (Linux 6.7)", "5 (Linux 6.10)", "6 (Linux 6.12)"]


@pytest.mark.parametrize(("number", "why"), [(38, "missing"), (95, "disabled"), (1, "refused")])
def test_missing_landlock_has_a_reason(monkeypatch: pytest.MonkeyPatch, number: int, why: str) -> None:
    """A Landlock that is not built in, disabled at boot, or refused to this process is reported as such."""

    def abi() -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(landlock, "abi", abi)

    assert host.look_at_landlock() == replace(host.look_at_landlock(), version=0, why=why)
