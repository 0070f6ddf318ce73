"""Thousands of deals side by side, for self-play: Gymnasium's vector environment of all variants.

    env = DealsEnv("suitability-4", 1024)
    seen, _ = env.reset(seed=1)
    while True:
        seen, rewards, ended, _, _ = env.step(choose(seen["observation"], seen["action_mask"]))

The page about bots that learn has an example that trains.
"""

from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from arena.games.base import Game, State, View
from arena.games.errors import IllegalAction
from arena.games.registry import rules_of
from arena.learn.arrays import Array
from arena.learn.auction import dealt
from arena.learn.rows import Rows
from arena.sdk.encoder import Encoder

_LIMIT = np.iinfo(np.int16)


class DealsEnv(VectorEnv[dict[str, Array], Array, Array]):
    """Deals from the first decision to the end; of Separate Suits, which has no boards, matches.

    A step has a decision in each row, of the seat to move there, as `arena.sdk.Encoder` numbers it. In a simultaneous
    step the seats act in order, and no seat sees what the others chose. Rewards are by row and seat: the points of a
    deal at its end, else 0. A row whose deal has ended shows the first decision of the next one (`SAME_STEP`); there is
    no final observation, because nobody is to move. The arrays of observations are written again by each step.

    Trick play that the kernel's tables describe runs in C, and so do auctions in which no card matters. Everything else
    runs by the rules, one row at a time; without a compiled kernel everything does.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in Gymnasium
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }
    render_mode = None

    def __init__(self, variant: str, num_envs: int = 1) -> None:
        """Make the environment of a variant. Raises `OptionError` if there is no such variant."""
        self.game: Game = rules_of(variant)
        self.encoder = Encoder(self.game)
        self.num_envs = num_envs
        self._make_spaces()
        self.observations = np.zeros((num_envs, self.encoder.length), np.int16)
        self.legal = np.zeros((num_envs, self.encoder.choices), np.int8)
        self.seats = np.zeros(num_envs, np.int64)
        self.states: dict[int, State] = {}
        """Rows that are played by the rules."""
        self.numbers: dict[int, dict[int, str]] = {}
        """Legal actions of those rows by number."""
        self.rows = _rows(self.encoder, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Deal in all rows. The deals follow from the seed."""
        super().reset(seed=seed)
        self.rng = Random(int(self.np_random.integers(1 << 53)))
        self.seed, self.steps = self.rng.getrandbits(64), 0
        self._deal(np.ones(self.num_envs, np.uint8))
        return self._look(), {}

    def step(self, actions: Array) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Apply an action in each row. Raises `IllegalAction` before any is applied if one is not legal."""
        actions = np.ascontiguousarray(actions, np.int64)
        self._check(actions)
        points, ended = np.zeros((self.num_envs, self.game.players)), np.zeros(self.num_envs, np.uint8)
        if self.rows:
            self.rows.step(actions, points, ended)
        for row in [*self.states]:
            self._apply(row, self.numbers[row][int(actions[row])], points, ended)
        self._deal(ended)
        return self._look(), points, ended.view(bool), np.zeros(self.num_envs, bool), {}

    def sample(self) -> Array:
        """Return a random legal action for each row, each equally likely."""
        if self.rows:
            return self.rows.sample(self.legal, ~self.seed & (1 << 64) - 1, self.steps * self.num_envs)
        wishes: Array = np.where(self.legal, self.np_random.random(self.legal.shape), -1)
        actions: Array = wishes.argmax(1)
        return actions

    def _make_spaces(self) -> None:
        seen = Box(_LIMIT.min, _LIMIT.max, (self.encoder.length,), np.int16)
        mask = Box(0, 1, (self.encoder.choices,), np.int8)
        self.single_observation_space = Dict(
            {"observation": seen, "action_mask": mask, "seat": Discrete(self.game.players)}
        )
        self.single_action_space = Discrete(self.encoder.choices)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _check(self, actions: Array) -> None:
        if actions.shape != (self.num_envs,):
            raise IllegalAction(f"an action for each of {self.num_envs} rows is needed, not {actions.shape}")
        known = (actions >= 0) & (actions < self.encoder.choices)
        fine = known & (self.legal[np.arange(self.num_envs), np.where(known, actions, 0)] > 0)
        if not fine.all():
            row = int(np.flatnonzero(~fine)[0])
            allowed = ", ".join(map(str, self.legal[row].nonzero()[0]))
            raise IllegalAction(f"row {row}: {actions[row]} is not the number of a legal action; legal: {allowed}")

    def _apply(self, row: int, token: str, points: Array, ended: Array) -> None:
        """Play an action by the rules."""
        state = self.states[row]
        boards = state.boards
        state.apply(self.game.action(token))
        if state.seat < 0 or state.boards != boards:
            points[row], ended[row] = state.scores(), True
        else:
            self._take_over(row)

    def _take_over(self, row: int) -> None:
        if self.rows and self.rows.load(row, self.states[row]):
            del self.states[row], self.numbers[row]

    def _deal(self, marked: Array) -> None:
        """Deal in the rows that are marked."""
        self.steps += 1
        if self.rows and self.rows.opens:
            self.rows.deal(marked, self.seed, self.steps * self.num_envs)
            return
        for row in marked.nonzero()[0].tolist():
            self.states[row], self.numbers[row] = dealt(self.game, self.rng), {}
            if self.rows:
                self.rows.leave(row)
            self._take_over(row)

    def _look(self) -> dict[str, Array]:
        if self.rows:
            self.rows.observe(self.observations, self.legal, self.seats)
        for row, state in self.states.items():
            view = View(state.view(state.seat))
            self.seats[row], self.observations[row] = state.seat, self.encoder.observe(view)
            self.numbers[row] = self.encoder.numbers(view)
            self.legal[row] = 0
            self.legal[row, [*self.numbers[row]]] = 1
        return {"observation": self.observations, "action_mask": self.legal, "seat": self.seats}


def _rows(encoder: Encoder, number: int) -> Rows | None:
    """Return rows in C; None without a compiled kernel."""
    try:
        return Rows(encoder, number)
    except OSError:
        return None
