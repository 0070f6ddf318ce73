"""Sampler: plays every game without knowing any. It tries its actions in random positions consistent with its view.

For each decision it draws such positions, applies every legal action to each, plays on at random to the end of the
deal, and takes the action after which its side had the most points, minus those of the others. All its parameters are
fixed, and it never looks at a clock, so the same match is played the same way on every machine.
"""

from collections.abc import Sequence

from arena.games.base import State, View
from arena.games.registry import game
from arena.sdk import Bot

PLAYOUTS = 100
"""Number of playouts per decision, shared by the legal actions."""
HORIZON = 16
"""Maximum number of moves per seat in a playout; most deals end earlier."""
SHORT = 6
"""Like `HORIZON`, for games without deals, in which no deal ends: distant results are mere noise there."""


class Sampler(Bot):
    """Plays every game."""

    def on_start(self) -> None:
        self.rules = game(self.game, self.options)
        teams = self.rules.teams
        own = next(team for team in teams if self.seat in team)
        # Points of others count against it; the weights of both sides add up to zero.
        self.weights = [1 if seat in own else -1 / max(1, len(teams) - 1) for seat in range(self.rules.players)]
        self.moves = self.rules.players * (SHORT if self.rules.max_boards == 0 else HORIZON)

    def act(self, view: View) -> str:
        actions = [self.rules.action(token) for token in view.legal]
        sums = [0.0] * len(actions)
        for _ in range(max(1, PLAYOUTS // len(actions))):
            for number, value in enumerate(self.try_out(actions, view)):
                sums[number] += value
        return view.legal[sums.index(max(sums))]

    def try_out(self, actions: Sequence[int], view: View) -> list[float]:
        """Return the value of each action in one position consistent with the view."""
        position = self.rules.sample(view.data, self.rng)
        self.play_on(position, self.luck(), until=self.seat)
        luck = self.luck()  # the same for every action, so that only the actions make a difference
        values = []
        for action in actions:
            state = position.clone()
            state.apply(action)
            self.play_on(state, luck)
            values.append(sum(weight * score for weight, score in zip(self.weights, state.scores(), strict=True)))
        return values

    def luck(self) -> list[float]:
        """Return a random number for each move of a playout."""
        return [self.rng.random() for _ in range(self.moves)]

    def play_on(self, state: State, luck: Sequence[float], until: int = -1) -> None:
        """Play at random to the end of the deal, to the horizon, or until that seat is to move."""
        for number in luck:
            seat = state.seat
            if seat < 0 or seat == until:
                break
            legal = state.legal(seat)
            state.apply(legal[int(number * len(legal))])
