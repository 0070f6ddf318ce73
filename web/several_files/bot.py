"""Weigher: plays the cards that it can best spare."""

from ranks import weight

from arena.sdk import Bot, View


class Weigher(Bot):
    games = ("suitability",)

    def act(self, view: View) -> str:
        if view.phase == "privilege":
            return "poverty"
        if view.phase == "play":
            return min(view.legal, key=weight)
        return self.rng.choice(view.legal)
