"""Estimates of actions by random playouts, on the compiled kernel if it is there.

class Searcher(Bot):
    def on_start(self) -> None:
        self.search = Search(game(self.game, self.options), self.rng)

    def act(self, view: View) -> str:
        return max(self.search.estimates(view), key=lambda estimate: estimate.points).action
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from random import Random
from typing import Final, NamedTuple

from arena.games.base import Game, State, View
from arena.sdk import kernel
from arena.sdk.kernel.stream import Stream
from arena.sdk.kernel.sums import Sums

HORIZON: Final = 200
"""Maximum number of moves of a playout by the rules, for games whose deals are long or have no end."""


class Estimate(NamedTuple):
    """What an action is worth, by random playouts to the end of the deal."""

    action: str
    playouts: int
    points: float
    """Mean points of the deal from here on, weighted by seat."""
    error: float
    """Standard error of `points`: the playouts of one world count as one observation. Infinity for a single world."""
    means: tuple[float, ...]
    """Mean points by seat, unweighted."""


class Search:
    """Compares the actions of one seat at a time.

    `weights` are those of the seats' points. By default a side's own seats have weight 1, and the other sides share
    weight −1, so that `Estimate.points` is the lead over the average of the others.
    """

    def __init__(self, game: Game, rng: Random, weights: Sequence[float] | None = None) -> None:
        self.game = game
        self.rng = rng
        self.weights = weights

    def estimates(self, view: View, worlds: int = 100, repeats: int = 10) -> list[Estimate]:
        """Estimate every legal action of a view, in order: `repeats` playouts in each of some sampled worlds.

        All actions meet the same worlds and the same luck.
        """
        states = [self.game.sample(view.data, self.rng) for _ in range(worlds)]
        return self.compare(view.seat, states, view.legal, repeats)

    def compare(self, seat: int, states: Iterable[State], actions: Sequence[str], repeats: int = 10) -> list[Estimate]:
        """Estimate these actions of a seat in the given states, which stay as they are.

        The states may be the author's own; the seat must be among their actors, and the actions legal in each.
        """
        numbers = [*map(self.game.action, actions)]
        sums = [Sums.none(self.game.players) for _ in numbers]
        plays = [(self.game.trick_play(state), state) for state in states]
        for position, alike in groupby(plays, key=lambda pair: pair[0] and pair[0].position):
            if position:
                worlds = [play.world for play, _ in alike if play]
                found = [kernel.play_outs(position, worlds, repeats, numbers, self.rng.getrandbits(64))]
            else:
                found = [self._from_state(seat, state, numbers, repeats) for _, state in alike]
            for more in found:
                sums = [one.together(other) for one, other in zip(sums, more, strict=True)]
        weights = self.weights or default_weights(self.game, seat)
        return [_estimate(action, each, repeats, weights) for action, each in zip(actions, sums, strict=True)]

    def _from_state(self, seat: int, state: State, actions: Sequence[int], repeats: int) -> list[Sums]:
        """Return the sums of one world that the kernel cannot begin with: the auction, say, or another kind of game."""
        seed = self.rng.getrandbits(64)
        state = state.clone()
        while state.seat != seat:  # seats that choose at the same time
            state.apply(self.rng.choice(state.legal(state.seat)))
        return [self._from_action(state, action, repeats, seed) for action in actions]

    def _from_action(self, state: State, action: int, repeats: int, seed: int) -> Sums:
        """Return the sums of playouts after an action: by the rules up to the play, and from there on the kernel."""
        reached = self._play_on(state, action, Stream(seed, 0), to_play=True)
        if play := self.game.trick_play(reached):
            return kernel.play_outs(play.position, [play.world], repeats, [None], seed)[0]
        points = [0] * self.game.players
        for number in range(repeats):
            ended = self._play_on(state, action, Stream(seed, number), to_play=False)
            points = [sum(each) - before for *each, before in zip(points, ended.scores(), state.scores(), strict=True)]
        return Sums.none(self.game.players).plus(points)

    def _play_on(self, state: State, action: int, stream: Stream, *, to_play: bool) -> State:
        """Return the state after the action and random moves: to the end of the deal, or until the kernel can go on."""
        finished, state = state.finished, state.clone()
        state.apply(action)
        for _ in range(HORIZON):
            if state.finished > finished or (to_play and self.game.trick_play(state)):
                break
            legal = state.legal(state.seat)
            state.apply(legal[stream.below(len(legal))])
        return state


def default_weights(game: Game, seat: int) -> list[float]:
    """Return the weights of a side's lead over the average of the other sides."""
    own = next(team for team in game.teams if seat in team)
    return [1.0 if each in own else -1 / max(1, len(game.teams) - 1) for each in range(game.players)]


def _estimate(action: str, sums: Sums, repeats: int, weights: Sequence[float]) -> Estimate:
    means = tuple(points / sums.worlds / repeats for points in sums.points)
    points, error = sums.mean(weights) / repeats, sums.error(weights) / repeats
    return Estimate(action, sums.worlds * repeats, points, error, means)
