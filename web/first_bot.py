"""Ducker: claims poverty where it may, then plays its lowest cards."""

from arena.sdk import Bot, Card, View

RANKS = "23456789TJQKA"


class Ducker(Bot):
    games = ("suitability",)

    def act(self, view: View) -> str:
        if view.phase == "privilege":
            return "poverty"
        if view.phase == "play":
            return min(view.legal, key=lambda token: RANKS.index(Card(token).rank))
        return self.rng.choice(view.legal)
