"""Random: plays legal actions uniformly at random. Every bot should beat it."""

from arena.sdk import Bot, View


class Random(Bot):
    """Plays every game."""

    def act(self, view: View) -> str:
        return self.rng.choice(view.legal)
