"""Ablations: an attack succeeds without the layers that stop it, and fails with any one of them.

They show that every attack works and that every layer is needed.
"""

from pathlib import Path

import pytest

from arena.sandbox.inside.layers import LAYERS
from tests.sandbox.attacks import ALL
from tests.sandbox.attacks.ablation import left_out, makes_sense, stops
from tests.sandbox.attacks.attack import SPACES, layer_of
from tests.sandbox.attacks.run import play, play_bare
from tests.sandbox.attacks.table import table
from tests.sandbox.attacks.tricks import TRICKS
from tests.sandbox.conftest import Cages

HERE = {name: attack for name, attack in ALL.items() if makes_sense(attack)}


@pytest.mark.parametrize("name", HERE)
def test_attack_succeeds_without_its_layers(cages: Cages, name: str) -> None:
    """An attack succeeds without the layers that stop it, unless the host alone prevents it."""
    attack = HERE[name]
    cage = cages(left_out(attack))
    outcome = play(attack, cage)

    assert outcome.breached or (attack.host_may_refuse and not play_bare(attack, cage)), outcome


@pytest.mark.parametrize(("name", "kept"), [(name, kept) for name, attack in HERE.items() for kept in stops(attack)])
def test_attack_fails_with_one_of_its_layers(cages: Cages, name: str, kept: str) -> None:
    """An attack fails if only one of the layers that stop it is on."""
    cage = cages(left_out(HERE[name], kept))

    assert kept in cage.layers | cage.zygote.spaces.keys()
    assert not play(HERE[name], cage).breached


@pytest.mark.parametrize("layer", [*LAYERS, *SPACES])
def test_every_layer_stops_an_attack(layer: str) -> None:
    """Each layer is the one that stops at least one attack."""
    assert any(layer in map(layer_of, attack.stopped_by) for attack in ALL.values())


def test_sandbox_page_has_the_table() -> None:
    """The table in the documentation matches these attacks."""
    page = (Path(__file__).parents[2] / "docs/sandbox.md").read_text()

    assert "\n".join(table()) in page
    assert f"{len(ALL)} attacks" in page
    assert f"{len(TRICKS)} tricks" in page
