"""Tests of each layer alone, whatever the kernel reports about it."""

from collections.abc import Collection
from pathlib import Path

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage, doctor, zygote
from arena.sandbox.cage import ALWAYS, EITHER
from arena.sandbox.doctor import alone
from arena.sandbox.doctor.grade import Layer
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.inside.namespaces import KINDS
from arena.sandbox.zygote import CGROUP
from tests.sandbox.attacks.ablation import on_this_machine

AROUND = (*KINDS, CGROUP)
ALL = (*LAYERS, *AROUND)
HERE = on_this_machine()[0]
"""Layers available on this machine."""
STATUS = Path("/proc/self/status").read_text()
FOR_EVER = {"no_new_privs": "NoNewPrivs:\t1" in STATUS, "capabilities": "CapEff:\t" + "0" * 16 in STATUS}
"""Layers that this process, and so every process it starts, already had before the cage."""
LIABLE = [name for name in ALL if name in HERE and not FOR_EVER.get(name)]
"""Layers that may be missing here although the kernel reports them."""
LYING = """
from inside import layers, namespaces
for name in {layers!r}:
    if name == "descriptors":  # a bot needs the others moved to where it looks for them
        layers.libc.close_from = lambda first: None
    else:
        layers.LAYERS[name] = lambda child: None
entered = namespaces.enter
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
        start, main = zygote._BOOT.split("; from inside.zygote", 1)
        lies = f"exec({LYING.format(layers=layers, spaces=spaces)!r})"
        self._patch.setattr(zygote, "_BOOT", f"{start}; {lies}; from inside.zygote{main}")
        if CGROUP in names:
            self._patch.setattr(zygote.Zygote, "_enter_group", lambda *_: "")


def ineffective() -> list[str]:
    """Return the layers that do not hold."""
    with Cage("none") as cage:
        return alone.ineffective(cage)


def test_every_layer_has_a_bypass() -> None:
    """Each layer around one bot or around all bots has a bypass."""
    assert set(alone.BYPASSES) == set(ALL)


def test_every_layer_of_this_machine_is_effective() -> None:
    """Each layer found by the probe stops its bypass when it is alone."""
    assert ineffective() == []


@pytest.mark.parametrize("name", LIABLE)
def test_bypass_succeeds_without_its_layer(name: str) -> None:
    """With only the layers that the missing layer requires, its bypass succeeds."""
    with Cage("none", without=AROUND) as cage, alone._planted() as known:
        assert alone.gets_through(cage, name, alone.BASES.get(name, ()), known)


@pytest.mark.parametrize("name", LIABLE)
def test_ineffective_layer_is_found(lie: "Lie", name: str) -> None:
    """A layer that reports success and does nothing is found, with all others on."""
    lie(name)

    assert name in ineffective()


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
    assert off(doctor.proven(doctor.probe())) == {"landlock", "session"} | (set(ALL) - HERE)


def off(layers: Collection[Layer]) -> set[str]:
    """Return the names of the layers that are off."""
    return {layer.name for layer in layers if not layer.on}
