"""Sampler: plays every game and knows none. It tries its actions in positions that it cannot tell from the real one.

For each decision it draws such positions, applies every legal action to each, plays on at random to the end of the
deal, and takes the action after which its side had the most points, less those of the others. All its numbers are
fixed, and it never looks at a clock: the same match is played the same way on every machine.
"""

from collections.abc import Sequence

from arena.games.base import State, View
from arena.games.registry import game
from arena.sdk import Bot

PLAYOUTS = 100
"""So many games are played on per decision, shared by the legal actions."""
HORIZON = 16
"""So many moves of each seat are played on at most; most deals are over before."""
SHORT = 6
"""The same in games in which nothing is dealt, so that no deal ends: what lies far ahead is mere noise there."""


class Sampler(Bot):
    """Plays every game."""

    def on_start(self) -> None:
        self.rules = game(self.game, self.options)
        teams = self.rules.teams
        own = next(team for team in teams if self.seat in team)
        # Points of others count against it, so that their weights and those of its own side add up to nothing.
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
        """What each action comes to in one position that the view allows."""
        position = self.rules.sample(view.data, self.rng)
        self.play_on(position, self.luck(), until=self.seat)
        luck = self.luck()  # the same for every action, so that they differ by what they are worth
        values = []
        for action in actions:
            state = position.clone()
            state.apply(action)
            self.play_on(state, luck)
            values.append(sum(weight * score for weight, score in zip(self.weights, state.scores(), strict=True)))
        return values

    def luck(self) -> list[float]:
        """A number for each move that is played on."""
        return [self.rng.random() for _ in range(self.moves)]

    def play_on(self, state: State, luck: Sequence[float], until: int = -1) -> None:
        """Play at random to the end of the deal, to the horizon, or until that seat is to move."""
        for number in luck:
            seat = state.seat
            if seat < 0 or seat == until:
                break
            legal = state.legal(seat)
            state.apply(legal[int(number * len(legal))])
