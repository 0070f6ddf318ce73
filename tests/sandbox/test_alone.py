"""Tests of each layer and limit alone, whatever the kernel reports about it."""

import resource
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage, cgroups, doctor, zygote
from arena.sandbox.cage import ALWAYS, EITHER
from arena.sandbox.doctor import alone
from arena.sandbox.doctor.grade import Layer
from arena.sandbox.doctor.probes import DONE, PROBES, RLIMITS
from arena.sandbox.doctor.smoke import constants, planted
from arena.sandbox.inside import layers
from arena.sandbox.inside.layers import LAYERS, Child, KernelLimits
from arena.sandbox.inside.namespaces import KINDS
from arena.sandbox.zygote import CGROUP, CLOCKS
from tests.sandbox.attacks.ablation import on_this_machine

AROUND = (*KINDS, CLOCKS, CGROUP)
ALL = (*LAYERS, *AROUND)
PROBE = {probe.name: probe for probe in PROBES}
FOLLOWS = {"no_new_privs": {"seccomp", "landlock"}}
"""Layers that cannot hold without another one."""
HERE = on_this_machine()[0]
"""Layers available on this machine."""
STATUS = Path("/proc/self/status").read_text()
FOR_EVER = {"no_new_privs": "NoNewPrivs:\t1" in STATUS, "capabilities": "CapEff:\t" + "0" * 16 in STATUS}
"""Layers that this process, and so every process it starts, already had before the cage."""
LIABLE = [name for name in ALL if name in HERE and not FOR_EVER.get(name)]
"""Layers that may be missing here although the kernel reports them."""
LIARS = [probe.name for probe in PROBES if probe.layer in LIABLE]
"""Layers, and limits of layers, that may be missing here although the kernel reports them."""
LYING = """
from inside import clocks, layers, namespaces
setrlimit = layers.resource.setrlimit
layers.resource.setrlimit = lambda kind, limits: kind in {limits!r} or setrlimit(kind, limits)
for name in {layers!r}:
    if name == "descriptors":  # a bot needs the others moved to where it looks for them
        layers.libc.close_from = lambda first: None
    else:
        layers.LAYERS[name] = lambda child: None
entered = namespaces.enter
if {timeless!r}:
    clocks.remove = lambda: ""
namespaces.enter = lambda without=(): entered({{*without, *{spaces!r}}}) | dict.fromkeys({spaces!r}, "")
"""


@pytest.fixture
def lie(monkeypatch: pytest.MonkeyPatch) -> "Lie":
    """Replace layers by ones that report success and do nothing."""
    return Lie(monkeypatch)


class Lie:
    """Modifies the zygotes that are started from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def __call__(self, *names: str) -> None:
        layers, spaces = (tuple(name for name in names if name in kind) for kind in (LAYERS, KINDS))
        limits = [getattr(resource, name) for name in names if name in RLIMITS]
        start, main = zygote._BOOT.split("; from inside.zygote", 1)
        timeless = CLOCKS in names
        # The probe of the CPU limit computes for a second. Here it only says whether its own limit is missing.
        self._patch.setattr(alone, "PROBES", [probe for probe in PROBES if probe.name in names or not probe.slow])
        lies = f"exec({LYING.format(layers=layers, spaces=spaces, limits=limits, timeless=timeless)!r})"
        self._patch.setattr(zygote, "_BOOT", f"{start}; {lies}; from inside.zygote{main}")
        if CGROUP in names:
            self._patch.setattr(zygote.Zygote, "_enter_group", lambda *_: "")
        if {"memory.max", "pids.max"} & {*names}:
            write = cgroups._write
            files = {"memory.max", "memory.limit_in_bytes"} if "memory.max" in names else {"pids.max"}
            self._patch.setattr(
                cgroups,
                "_write",
                lambda folder, values: write(folder, {file: values[file] for file in values.keys() - files}),
            )


def ineffective() -> dict[str, str]:
    """Return why layers do not hold."""
    with Cage("none") as cage:
        return alone.ineffective(cage)


def test_every_layer_has_a_probe() -> None:
    """Each layer, around one bot or around all, has one probe of its name."""
    assert {probe.layer for probe in PROBES} == set(ALL)
    assert len({probe.name for probe in PROBES}) == len(PROBES)


def test_every_resource_limit_has_a_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that the cage sets is tried."""
    kinds = []
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: kinds.append(kind))
    bounds = KernelLimits(memory=1, image=1, output=1, cpu=1)
    numbers: Any = [1] * len(layers.Prepared._fields)
    prepared = layers.Prepared(*numbers)
    layers._rlimits(Child(prepared, 0, 0, 0, 0, bounds, chroot=False))

    assert sorted(kinds) == sorted(getattr(resource, name) for name in RLIMITS)


def test_every_layer_of_this_machine_is_effective() -> None:
    """Each layer found by the probe stops its bypass when it is alone."""
    assert ineffective() == {}


@pytest.fixture(scope="module")
def open_cage() -> Iterator[Cage]:
    """A cage without layers around all bots."""
    with Cage("none", without=AROUND) as cage:
        yield cage


@pytest.mark.parametrize("name", LIARS)
def test_probe_gets_through_without_its_layer(open_cage: Cage, name: str) -> None:
    """With only the layers that the missing layer requires."""
    probe = PROBE[name]
    with planted() as files:
        assert alone.begin(open_cage, probe, constants(files), without={probe.layer}).end() == (DONE, "")


@pytest.mark.parametrize("name", LIARS)
def test_ineffective_layer_or_limit_is_found(lie: "Lie", name: str) -> None:
    """One that reports success and does nothing is named, lowers the grade, and no other is named beside it."""
    lie(name)
    found = {layer.name: layer.why for layer in doctor.probe() if not layer.on and layer.name in HERE}

    assert found.keys() - FOLLOWS.get(name, set()) == {PROBE[name].layer}
    assert PROBE[name].aim in found[PROBE[name].layer]
    assert name not in RLIMITS or found["rlimits"] == f"{alone.INEFFECTIVE}: {name}"


def test_cpu_limit_is_not_named_beside_others(lie: "Lie", monkeypatch: pytest.MonkeyPatch) -> None:
    """The CPU limit holds although no other layer or limit does."""
    lie(*(name for name in LIARS if name != "RLIMIT_CPU"))
    monkeypatch.setattr(alone, "PROBES", PROBES)
    found = ineffective()

    assert found.keys() >= {PROBE[name].layer for name in LIARS} - FOLLOWS["no_new_privs"]
    assert "RLIMIT_CPU" not in found["rlimits"]


@pytest.mark.parametrize("name", RLIMITS)
def test_worker_and_doctor_reject_an_ineffective_limit(lie: "Lie", name: str) -> None:
    """No bot runs where one of its own limits does not hold."""
    lie(name)

    with pytest.raises(ArenaFault, match=rf"no bot is run on this machine \(rlimits: {alone.INEFFECTIVE}: {name}\)"):
        alone.require("one")


@pytest.mark.parametrize("name", ["memory.max", "pids.max"])
def test_ineffective_limit_of_a_group_lowers_the_grade(lie: "Lie", name: str) -> None:
    """Bots run, because the group is extra; a machine without groups has that grade anyway."""
    if CGROUP in HERE:
        lie(name)
    found = doctor.examine("one")

    assert (found.grade in "BC", found.holds) == (True, True)
    assert CGROUP in off(found.layers)


@pytest.mark.parametrize("name", [name for name in LIABLE if name in (*ALWAYS, *EITHER)])
def test_worker_and_doctor_reject_an_ineffective_layer(lie: "Lie", name: str) -> None:
    """Below the minimum a worker refuses with a reason, and the doctor gives an F."""
    lie(name)

    said = alone.INEFFECTIVE if name != "no_new_privs" else ""  # without it the kernel refuses the filter
    lowest = "one" if name in ALWAYS or not set(EITHER) <= HERE else "both"
    with pytest.raises(ArenaFault, match=f"no bot is run on this machine .*{said}.*see `arena doctor`"):
        alone.require(lowest)
    found = doctor.examine(lowest)
    assert (found.grade, found.trial) == ("F", None)
    assert f"{name}: {alone.INEFFECTIVE}" in found.problem
    assert any(name in step.layers for step in found.advice)


def test_ineffective_layers_above_the_minimum_are_ignored(lie: "Lie") -> None:
    """One of Landlock and the uid may be ineffective with a minimum of one, and every layer with none."""
    lie("landlock", "session")
    if "uid" in HERE:
        assert alone.require("one").layers == len(HERE & set(LAYERS)) - 2
    else:
        with pytest.raises(ArenaFault, match="no bot is run on this machine"):
            alone.require("one")

    assert alone.require("none").layers == len(HERE & set(LAYERS)) - 2
    assert off(doctor.probe()) == {"landlock", "session"} | (set(ALL) - HERE)


def off(layers: Collection[Layer]) -> set[str]:
    """Return the names of the layers that are off."""
    return {layer.name for layer in layers if not layer.on}
