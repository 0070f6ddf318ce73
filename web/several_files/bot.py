"""Weigher: claims poverty where it may, then plays the card that its table says it can spare."""

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
