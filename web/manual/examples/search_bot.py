"""Dreamer: tries each legal action in the same sampled deals, and plays on at random to the end of the deal."""

from arena.games.base import State
from arena.games.registry import game
from arena.sdk import Bot, View

WORLDS = 10


class Dreamer(Bot):
    def on_start(self) -> None:
        self.rules = game(self.game, self.options)

    def act(self, view: View) -> str:
        points = dict.fromkeys(view.legal, 0)
        for _ in range(WORLDS):
            world = self.rules.sample(view.data, self.rng)
            while world.seat != self.seat:  # seats that choose at the same time
                world.apply(self.rng.choice(world.legal(world.seat)))
            for action in view.legal:
                state = world.clone()  # cheaper than another sample, and fairer
                state.apply(self.rules.action(action))
                points[action] += self.finish(state)
        return max(points, key=points.__getitem__)

    def finish(self, state: State) -> int:
        deal = state.finished
        for _ in range(150):  # a deal of Separate Suits may take longer than that
            if state.finished > deal:
                break
            state.apply(self.rng.choice(state.legal(state.seat)))
        return state.scores()[self.seat]
