"""Dreamer: tries each legal action and plays on at random in sampled deals."""

from arena.games.registry import game
from arena.sdk import Bot, View


class Dreamer(Bot):
    def on_start(self) -> None:
        self.rules = game(self.game, self.options)

    def act(self, view: View) -> str:
        return max(view.legal, key=lambda action: self.worth(action, view))

    def worth(self, action: str, view: View) -> int:
        return sum(self.dream(action, view) for _ in range(10))

    def dream(self, action: str, view: View) -> int:
        state = self.rules.sample(view.data, self.rng)
        while state.seat != self.seat:  # seats that choose at the same time
            state.apply(self.rng.choice(state.legal(state.seat)))
        state.apply(self.rules.action(action))
        for _ in range(150):
            if state.seat < 0:  # the deal is over
                break
            state.apply(self.rng.choice(state.legal(state.seat)))
        return state.scores()[self.seat]
