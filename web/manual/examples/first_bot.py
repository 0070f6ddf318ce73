"""Ducker: claims poverty whenever it can, then plays its lowest cards."""

from arena.sdk import Bot, View


class Ducker(Bot):
    games = ("suitability",)

    def act(self, view: View) -> str:
        if view.phase == "privilege":
            return "poverty"
        if view.phase == "play":
            return min(view.legal, key=rank)
        return self.rng.choice(view.legal)


def rank(card: str) -> int:
    return "23456789TJQKA".index(card[0])
