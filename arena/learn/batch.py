"""Many deals of a game side by side, for self-play.

batch = Batch(rules_of("suitability-4"), 256, Random(1))
while not batch.over:
    turn = batch.turn()
    batch.step(choose(turn.observations, turn.legal))
batch.points
"""

from random import Random
from typing import NamedTuple

import numpy as np

from arena.games.base import CHANCE, Game, State, View
from arena.games.playouts import TrickPlay
from arena.learn.tricks import Array, Tricks
from arena.sdk.encoder import Encoder


class Turn(NamedTuple):
    """One decision in each of some deals."""

    rows: Array
    """Numbers of the deals, ascending."""
    seats: Array
    """Seats to move."""
    observations: Array
    """Of the seats to move; 16-bit whole numbers."""
    legal: Array
    """Whether each choice is legal."""


class Batch:
    """Deals from the first decision to the end; of Separate Suits, which has no boards, matches.

    Trick play that the kernel's tables describe runs on arrays once every deal has reached it; everything else runs by
    the rules, one state at a time.
    """

    def __init__(self, game: Game, size: int, rng: Random) -> None:
        self.game = game
        self.encoder = Encoder(game)
        self.states = [_dealt(game, rng) for _ in range(size)]
        self.boards = self.states[0].boards
        self.tricks: Tricks | None = None
        self._look()

    @property
    def over(self) -> bool:
        """Whether all deals have ended."""
        return not (self.tricks.left if self.tricks else self.slow)

    @property
    def points(self) -> Array:
        """Points of the deals by seat, at the end."""
        return self.tricks.points() if self.tricks else np.array([state.scores() for state in self.states])

    def turn(self) -> Turn:
        """Return the decisions that are due."""
        if self.tricks:
            return Turn(self.tricks.rows, self.tricks.seat, self.tricks.observe(), self.tricks.legal())
        states = [self.states[row] for row in self.slow]
        views = [View(state.view(state.seat)) for state in states]
        return Turn(
            np.array(self.slow),
            np.array([state.seat for state in states]),
            np.array([np.frombuffer(self.encoder.observe(view), np.int16) for view in views]),
            np.array([np.frombuffer(self.encoder.mask(view), bool) for view in views]),
        )

    def step(self, numbers: Array) -> None:
        """Play the choice with this number in each row of the turn."""
        if self.tricks:
            self.tricks.step(numbers)
            return
        for row, number in zip(self.slow, numbers.tolist(), strict=True):
            state = self.states[row]
            token = self.encoder.numbers(View(state.view(state.seat)))[number]
            state.apply(self.game.action(token))
        self._look()

    def _look(self) -> None:
        """Find the deals to be played by the rules; if there are none, go on with trick play."""
        plays = [_trick_play(state) for state in self.states]
        self.slow = [row for row, play in enumerate(plays) if not play and self._runs(self.states[row])]
        ready = [play for play in plays if play]
        if len(ready) == len(self.states):
            self.tricks = Tricks(self.encoder, ready, self._observations())

    def _runs(self, state: State) -> bool:
        return state.seat >= 0 and state.boards == self.boards

    def _observations(self) -> Array:
        seats = range(self.game.players)
        views = ([View(state.view(seat)) for seat in seats] for state in self.states)
        return np.array([[np.frombuffer(self.encoder.observe(view), np.int16) for view in row] for row in views])


def _dealt(game: Game, rng: Random) -> State:
    state = game.start()
    if state.seat == CHANCE:
        state.deal(game.draw_board(0, rng))
    return state


def _trick_play(state: State) -> TrickPlay | None:
    """Return the trick play that arrays can do: without piles, and seat by seat."""
    play = state.trick_play()
    return None if play and (play.position.tables.draws or play.position.tables.simultaneous) else play
