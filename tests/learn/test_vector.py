"""Deals side by side, compared with the engine."""

import numpy as np
import pytest

from arena.games.errors import IllegalAction
from arena.games.registry import VARIANTS
from arena.learn import rows
from arena.learn.vector import DealsEnv
from tests.learn.differential import compare


def missing(*_: object) -> None:
    """Stand for a kernel that was not compiled."""
    raise OSError("it has not been built")


def few(variant: str) -> int:
    """Return how many deals are compared with every change: fewer where a row plays long matches."""
    return {"separate-suits-8": 1}.get(variant, 3 if variant.startswith("separate") else 20)


@pytest.mark.parametrize("variant", VARIANTS)
def test_environment_plays_like_the_engine(variant: str) -> None:
    """Seats, observations, legal actions and points are those of the same moves in the engine."""
    assert compare(variant, few(variant), rows=2) >= few(variant)


@pytest.mark.parametrize("variant", VARIANTS)
def test_environment_plays_many_deals_like_the_engine(variant: str) -> None:
    """Many deals from another seed are played like the engine plays them, too."""
    assert compare(variant, 10 * few(variant), rows=16, seed=2) >= 10 * few(variant)


@pytest.mark.parametrize("variant", ["suitability-4", "suit-yourself"])
def test_environment_needs_no_compiled_kernel(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is played by the rules if there is none."""
    monkeypatch.setattr(rows, "Kernel", missing)

    assert DealsEnv(variant).rows is None
    assert compare(variant, 4, rows=2) >= 4


@pytest.mark.parametrize("variant", ["suitability-4", "suitability-3", "separate-suits-2"])
def test_spaces_contain_what_the_environment_returns(variant: str) -> None:
    """Observations and actions belong to Gymnasium's spaces, of one row as of all."""
    env = DealsEnv(variant, 3)
    seen, _ = env.reset(seed=1)

    assert env.observation_space.contains(seen)
    assert env.single_observation_space.contains({name: part[1] for name, part in seen.items()})
    assert env.action_space.contains(env.sample())


@pytest.mark.parametrize("variant", ["suitability-4", "suit-yourself"])
def test_seed_determines_the_deals(variant: str) -> None:
    """Equal seeds deal the same hands, different seeds and a reset without a seed others."""
    env = DealsEnv(variant, 4)
    one, same, again, other = (env.reset(seed=seed)[0]["observation"].copy() for seed in (1, 1, None, 2))

    assert (one == same).all()
    assert all((one != each).any(axis=1).all() for each in (again, other))


@pytest.mark.parametrize("variant", ["suitability-4", "suits-steere-3"])
def test_every_card_is_equally_likely_in_a_hand(variant: str) -> None:
    """Deals made in C give each card to the seat that begins in one of n deals, by five standard errors."""
    env = DealsEnv(variant, 4000)
    seen, _ = env.reset(seed=1)
    part = next(place for place, each in enumerate(env.encoder.parts) if each.name == "hand")
    held = seen["observation"][:, env.encoder.offsets[part] :][:, :48]
    share = 1 / env.game.players

    assert np.abs(held.mean(0) - share).max() < 5 * (share * (1 - share) / 4000) ** 0.5


def test_samples_are_legal_and_equally_likely() -> None:
    """A random action is legal, and each of the twelve first nominations comes up about as often."""
    env = DealsEnv("suitability-4", 6000)
    seen, _ = env.reset(seed=1)
    chosen = np.bincount(env.sample(), minlength=env.encoder.choices)

    assert (chosen[seen["action_mask"][0] == 0] == 0).all()
    assert chosen[chosen > 0] == pytest.approx([500] * 12, abs=110)


def test_illegal_action_changes_nothing() -> None:
    """The error names the row and its legal actions, and no row has moved."""
    env = DealsEnv("suitability-2", 2)
    seen, _ = env.reset(seed=1)
    before, actions = seen["observation"].copy(), env.sample()
    actions[1] = 0
    with pytest.raises(IllegalAction, match="row 1: 0 is not the number of a legal action; legal: 55, 56"):
        env.step(actions)
    with pytest.raises(IllegalAction, match="an action for each of 2 rows"):
        env.step(actions[:1])

    assert (env._look()["observation"] == before).all()
