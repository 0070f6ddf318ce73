"""Random: plays any legal action, each as likely as the others. The yardstick that every bot should beat."""

from arena.sdk import Bot, View


class Random(Bot):
    """Plays every game."""

    def act(self, view: View) -> str:
        return self.rng.choice(view.legal)
