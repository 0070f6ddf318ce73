"""A bot as a student writes it: its own ideas, in its own words."""

from arena.games.suitability import SuitabilityView
from arena.sdk import Bot

VALUES = dict(zip("23456789TJQKA", range(13), strict=True))


class Counter(Bot):
    """Counts what is out, and keeps cards that nobody can beat any more."""

    games = ("suitability",)

    def act(self, view: SuitabilityView) -> str:  # type: ignore[override]
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: self.fit(view, said))
        if view.phase == "privilege":
            return view.legal[-1]
        best = max((view.power(card) for card in view.trick), default=-1)
        bad = view.roles["penalty"]
        danger = sum(card.suit == bad for card in view.trick)
        scored = []
        for card in view.legal:
            wins = view.power(card) > best
            points = 3.0 * wins - 4 * wins * danger
            points -= VALUES[card[0]] / 20 if wins and view.trick else 0
            points += VALUES[card[0]] / 15 if not wins else 0
            points += 2 * (card[1] == bad) * (not wins)
            scored.append((points, card))
        return max(scored)[1]

    def fit(self, view: SuitabilityView, said: str) -> float:
        role, _, suit = said.partition(":")
        mine = [card for card in view.hand if card.suit == suit]
        total = sum(VALUES[card[0]] for card in mine)
        if role == "trump":
            return 10 * len(mine) + total
        if role == "penalty":
            return 30 - 9 * len(mine) - total
        return 12 + 3 * len(mine) - total
