"""Weigher: plays the cards of lowest weight."""

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
