"""What the doctor finds: with the layers of this machine, and with some or all of them off."""

import os
import platform
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage, doctor, wire
from arena.sandbox.cgroups import CONTROLLERS
from arena.sandbox.doctor import Diagnosis, examine, grade, groups, host, kernel, probe, throwaway
from arena.sandbox.doctor.layers import PURPOSES, Layer, described
from arena.sandbox.doctor.smoke import attack_all
from arena.sandbox.doctor.throwaway import outcome, refusal
from arena.sandbox.inside import landlock
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.inside.namespaces import KINDS
from arena.sandbox.zygote import CGROUP

EVERYTHING = (*LAYERS, *KINDS, CGROUP)


class Visit(NamedTuple):
    """One run of the doctor under the minimum that all set-ups have; what this process had before and after it."""

    before: tuple[set[str], int]
    found: Diagnosis
    after: tuple[set[str], int]


def holdings() -> tuple[set[str], int]:
    """The children of this process, and how many descriptors it has open."""
    stats = (path.read_text() for path in Path("/proc").glob("[0-9]*/stat") if path.exists())
    children = {stat.split()[0] for stat in stats if stat.rpartition(")")[2].split()[1] == str(os.getpid())}
    return children, len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(scope="module")
def visit() -> Visit:
    """The doctor's visit to this machine."""
    return Visit(holdings(), examine("one"), holdings())


@pytest.fixture
def found(visit: Visit) -> Diagnosis:
    """What it found."""
    return visit.found


def test_every_layer_is_tried_and_explained() -> None:
    """The probe names each layer, namespace and the control group once; what is off has a reason."""
    layers = probe()

    assert sorted(layer.name for layer in layers) == sorted(EVERYTHING)
    assert set(PURPOSES) == set(EVERYTHING)
    assert all(layer.on != bool(layer.why) for layer in layers)
    assert [layer.name for layer in layers if layer.around == "each bot"] == list(LAYERS)


def test_the_cage_of_this_machine_holds(found: Diagnosis) -> None:
    """Ten attacks are made, each is stopped by the cage and not by a mistake of its own, and bots are timed."""
    assert found.holds, found.problem
    assert found.trial
    assert len(found.trial.attacks) == 10
    for attack in found.trial.attacks:
        assert attack.held, attack
        assert not any(mistake in attack.how for mistake in ("NameError", "TypeError", "AttributeError", "Syntax"))
    speed = found.trial.speed
    for times in (speed.ready_ms, speed.stop_ms, speed.move_us, speed.python_ms, speed.echo_us):
        assert 0 < times.median <= times.p99
    assert found.trial.inventory.python == platform.python_version()


def test_the_grade_says_what_is_on(found: Diagnosis) -> None:
    """A where every layer is on, B where only extra layers are off, C where one of Landlock and uid is."""
    off = {layer.name for layer in found.layers if not layer.on}

    assert found.grade == ("A" if not off else "C" if off & {"landlock", "uid"} else "B")
    assert found.level == ("one" if off & {"landlock", "uid"} else "both")
    assert bool(found.advice) == bool(off)


def test_nothing_is_left_behind(visit: Visit) -> None:
    """When the doctor has gone there is no child that was not there before, and no descriptor."""
    assert visit.after == visit.before


def test_attacks_get_through_without_layers() -> None:
    """In a cage without any layer nine of the ten reach what was planted: the tenth is about the wire, not the cage."""
    with Cage("none", without=EVERYTHING) as cage:
        held = {attack.name for attack in attack_all(cage) if attack.held}

    assert held == {"forge an answer"}


def test_a_breach_fails_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where requests have one nonce, an answer is forged with it; then the grade is F, though every layer is on."""
    monkeypatch.setattr(wire, "nonce", lambda: "0123456789abcdef")
    found = examine("one")

    assert (found.grade, found.holds, found.problem) == ("F", False, "")
    assert [attack.name for attack in found.breaches] == ["forge an answer"]
    assert found.verdict == grade.BREACHED


def layers(*off: str) -> list[Layer]:
    """All layers, with some of them off."""
    return described(
        {name: "not here" if name in off else "" for name in LAYERS},
        {name: "not here" if name in off else "" for name in (*KINDS, CGROUP)},
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
    """Extra layers cost an A, one of Landlock and uid a B, both of them or a layer that is always needed a C."""
    assert grade.grade(layers(*off)) == expected


def test_below_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a needed layer nothing is played, the reason is told, and asking for less is the last advice."""
    monkeypatch.setattr(doctor, "probe", lambda: layers("landlock"))
    found = examine("both")

    assert (found.grade, found.level, found.trial) == ("F", "one", None)
    assert "landlock: not here" in found.problem
    assert any("ARENA_SANDBOX_MINIMUM=one" in step.how for step in found.advice)


def test_an_insecure_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is below every minimum is graded D where the operator allows it, and F where not."""
    monkeypatch.setattr(doctor, "probe", lambda: layers("landlock", "uid"))
    refused = examine("one")

    assert examine("none").grade == "D"
    assert refused.grade == "F"
    assert any("ARENA_SANDBOX_MINIMUM=none" in step.how for step in refused.advice)


@pytest.mark.parametrize("error", [ArenaFault("the zygote is gone"), OSError(38, "Function not implemented")])
def test_not_even_a_probe(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Where no process for bots comes up, the reason is told with what is known of the machine."""

    def fail() -> list[Layer]:
        os.write(2, b"Traceback (most recent call last):\nImportError: no module named arena\n")
        raise error

    monkeypatch.setattr(doctor, "probe", fail)
    found = examine()

    assert (found.grade, found.layers, found.trial) == ("F", [], None)
    assert ("the zygote is gone" if isinstance(error, ArenaFault) else "Function not implemented") in found.problem
    assert found.problem.endswith("ImportError: no module named arena")
    assert found.host.cores


def test_what_the_kernel_has(found: Diagnosis) -> None:
    """Where the layers of seccomp and Landlock are on, the kernel's own parts of them work when tried."""
    assert found.seccomp["kill_process"].works
    assert found.seccomp["errno"].works
    assert found.landlock.version > 0
    assert set(found.namespaces) == {"user", "pid", "network", "ipc", "uts", "mount", "cgroup"}
    on = {layer.name for layer in found.layers if layer.on}
    for name in KINDS:
        space = found.namespaces[name]
        assert (name in on) == (not space.own or not space.by_user)


def test_control_groups(found: Diagnosis) -> None:
    """Where bots have a control group, memory and processes can be limited; where not, a reason is told."""
    on = CGROUP in {layer.name for layer in found.layers if layer.on}

    assert set(found.cgroups.controllers) == {*CONTROLLERS, "cpu"}
    assert on == (not any(found.cgroups.controllers[name] for name in CONTROLLERS))
    assert groups.look() == found.cgroups


def test_the_process_as_the_kernel_sees_it(found: Diagnosis) -> None:
    """Ids, capabilities and cores are this process's."""
    me = found.host

    assert (me.uid, me.gid) == (os.geteuid(), os.getegid())
    assert set(me.usable_cores) == os.sched_getaffinity(0)
    assert ("CAP_SETUID" in me.capabilities) == (os.geteuid() == 0)
    assert me.interpreter.readable
    assert me == host.look()


def test_a_process_that_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """It brings back what was found, or why it was refused, or how it ended; and one that hangs is ended."""
    assert outcome(lambda: {"found": 1}) == ({"found": 1}, 0)
    assert refusal(lambda: None) == ""
    assert refusal(lambda: Path("/nowhere").stat()) == "No such file or directory"
    assert "signal 9" in refusal(lambda: os.kill(os.getpid(), signal.SIGKILL))
    monkeypatch.setattr(throwaway, "PATIENCE", 0.1)
    assert "signal 9" in refusal(lambda: time.sleep(60))


def test_landlock_of_an_older_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """What newer versions would add is told by version and kernel."""
    monkeypatch.setattr(landlock, "abi", lambda: 3)
    found = kernel.look_at_landlock()

    assert found.version == 3
    assert list(found.missing) == ["4 (Linux 6.7)", "5 (Linux 6.10)", "6 (Linux 6.12)"]


@pytest.mark.parametrize(("number", "why"), [(38, "missing"), (95, "disabled"), (1, "refused")])
def test_why_there_is_no_landlock(monkeypatch: pytest.MonkeyPatch, number: int, why: str) -> None:
    """Not built in, switched off at boot and refused to us are three different things."""

    def abi() -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(landlock, "abi", abi)

    assert kernel.look_at_landlock() == replace(kernel.look_at_landlock(), version=0, why=why)
