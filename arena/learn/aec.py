"""PettingZoo environments of all variants: seats act one after another (AEC).

env = MatchEnv("suitability-4")
env.reset(seed=1)
for agent in env.agent_iter():
observation, reward, termination, truncation, info = env.last()
env.step(None if termination else choose(observation["observation"], observation["action_mask"]))
"""

from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from arena.games.base import CHANCE, OVER, State, View
from arena.games.errors import IllegalAction
from arena.games.registry import rules_of
from arena.sdk.encoder import Encoder

_LIMIT = np.iinfo(np.int16)


class MatchEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One match per episode; rewards are the points that a step brings to each seat.

    In a simultaneous step the seats act in order, and no seat sees what the others chose. Agents are ``seat_0``,
    ``seat_1`` and so on; observations and actions are those of `arena.sdk.Encoder`.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "suit_arena", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, variant: str) -> None:
        """Make the environment of a variant. Raises `OptionError` if there is no such variant."""
        super().__init__()
        self.game = rules_of(variant)
        self.encoder = Encoder(self.game)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        seen = Box(_LIMIT.min, _LIMIT.max, (self.encoder.length,), np.int16)
        mask = Box(0, 1, (self.encoder.choices,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self.encoder.choices) for agent in self.possible_agents}
        self.reset()

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: object = None) -> None:
        """Begin a match; its boards follow from the seed."""
        if seed is not None or not hasattr(self, "rng"):
            self.rng = Random(int(np_random(seed)[0].integers(1 << 53)))
        self.state: State = self.game.start()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what a seat knows, and the actions that it may choose now; none if others are to choose."""
        view = View(self.state.view(self.possible_agents.index(agent)))
        return {
            "observation": np.frombuffer(self.encoder.observe(view), np.int16),
            "action_mask": np.frombuffer(self.encoder.mask(view), np.int8),
        }

    def step(self, action: int | None) -> None:
        """Apply an action of the agent to act. Raises `IllegalAction`."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        before = self.state.scores()
        self.state.apply(self._action(action))
        self._cumulative_rewards[agent] = 0
        self._go_on()
        gained = [after - earlier for after, earlier in zip(self.state.scores(), before, strict=True)]
        self.rewards = dict(zip(self.agents, gained, strict=True))
        self._accumulate_rewards()

    def render(self) -> None:
        """Draw nothing: `arena play --watch` and the replay page show matches."""

    def close(self) -> None:
        """Release nothing."""

    def _action(self, number: int | None) -> int:
        legal = self.encoder.numbers(View(self.state.view(self.state.seat)))
        if number not in legal:
            allowed = ", ".join(f"{each} ({token})" for each, token in legal.items())
            raise IllegalAction(f"{number} is not the number of a legal action; legal: {allowed}")
        return self.game.action(legal[number])

    def _go_on(self) -> None:
        """Deal if a board is awaited, then name the agent to act; at the end all are done."""
        while self.state.seat == CHANCE:
            self.state.deal(self.game.draw_board(self.state.boards, self.rng))
        if self.state.seat == OVER:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[max(0, self.state.seat)]
