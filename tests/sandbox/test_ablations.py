"""What each layer is for: without the layers that stop it an attack gets through, and with any one of them it fails.

So no attack of the suite is a bad one, and no layer is there for nothing.
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
def test_without_its_layers_an_attack_gets_through(cages: Cages, name: str) -> None:
    """What stops the attack is off; only where the host itself stands in its way, cage or no cage, does it fail."""
    attack = HERE[name]
    cage = cages(left_out(attack))
    outcome = play(attack, cage)

    assert outcome.breached or (attack.host_may_refuse and not play_bare(attack, cage)), outcome


@pytest.mark.parametrize(("name", "kept"), [(name, kept) for name, attack in HERE.items() for kept in stops(attack)])
def test_one_layer_is_enough(cages: Cages, name: str, kept: str) -> None:
    """Of what stops the attack, this one layer is on."""
    cage = cages(left_out(HERE[name], kept))

    assert kept in cage.layers | cage.zygote.spaces.keys()
    assert not play(HERE[name], cage).breached


@pytest.mark.parametrize("layer", [*LAYERS, *SPACES])
def test_every_layer_has_an_attack_that_needs_it(layer: str) -> None:
    """For each there is an attack that gets through without it, and fails with it alone (as the tests above show)."""
    assert any(layer in map(layer_of, attack.stopped_by) for attack in ALL.values())


def test_the_page_on_the_sandbox_has_the_table() -> None:
    """What it says about which layer stops what is what these tests show."""
    page = (Path(__file__).parents[2] / "docs/sandbox.md").read_text()

    assert "\n".join(table()) in page
    assert f"{len(ALL)} attacks" in page
    assert f"{len(TRICKS)} tricks" in page
