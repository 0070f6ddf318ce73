"""PettingZoo environments."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from arena.games.errors import IllegalAction
from arena.games.registry import GAMES, VARIANTS
from arena.learn.aec import MatchEnv

FIRST = [next(variant.id for variant in VARIANTS.values() if variant.game == game) for game in GAMES]


def played(env: MatchEnv) -> dict[str, int]:
    """Play a match of random actions; return the rewards that the agents got."""
    rewards, rng = dict.fromkeys(env.possible_agents, 0), np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        rewards[agent] += reward
        env.step(None if termination else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return rewards


@pytest.mark.parametrize("variant", VARIANTS)
def test_environment_passes_the_test_of_pettingzoo(variant: str) -> None:
    """Every variant has an environment as PettingZoo demands it."""
    api_test(MatchEnv(variant), num_cycles=20)


@pytest.mark.parametrize("variant", FIRST)
def test_seed_determines_the_boards(variant: str) -> None:
    """Two environments with the same seed give the same observations."""
    seed_test(lambda: MatchEnv(variant), num_cycles=20)


@pytest.mark.parametrize("variant", FIRST)
def test_rewards_add_up_to_the_scores(variant: str) -> None:
    """Each seat's rewards of a match are its points."""
    env = MatchEnv(variant)
    env.reset(seed=3)

    assert [*played(env).values()] == env.state.scores()


def test_illegal_action_is_refused_with_the_legal_ones() -> None:
    """The error names what was wrong and what is allowed."""
    env = MatchEnv("suits-steere-3")
    legal = env.observe(env.agent_selection)["action_mask"]

    with pytest.raises(IllegalAction, match=r"is not the number of a legal action; legal: \d+ \("):
        env.step(int(legal.argmin()))
