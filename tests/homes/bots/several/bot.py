"""A bot of several files that uses every public name of the SDK."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ranks import high

from arena.games.base import State
from arena.games.registry import game
from arena.sdk import Bot, Card, DoubleDummy, Encoder, Estimate, Habits, Policy, Search, View, Worlds, resource


def first(state: State) -> int:
    """Return the first legal action."""
    return state.legal(state.seat)[0]


class Main(Bot):
    """Asks for advice from each part of the SDK in turn."""

    games = ("suitability", "suit_yourself", "suits_barnhart", "suits_steere", "separate_suits")
    ask_forced = False

    def on_start(self) -> None:
        """Prepare for the options of the match."""
        self.rules = game(self.game, self.options)
        self.weights = json.loads(resource("data/weights.json"))
        self.encoder = Encoder(self.rules)
        policy: Policy = first
        self.orderly = Search(self.rules, self.rng, policy=policy)
        self.search = Search(self.rules, self.rng, habits=self.habits)
        self.exact = DoubleDummy(self.rules, self.seat)
        self.events: list[Any] = []
        self.asked = 0

    def habits(self, view: View) -> Sequence[Habits]:
        """Return the same habits for every seat."""
        cards: dict[str, int] = {card: self.weights["high"] for card in map(Card, view.legal) if high(card)}
        return [Habits(loses={}, wins=cards, leads=cards)] * len(self.seats)

    def on_event(self, event: Mapping[str, Any]) -> None:
        """Keep what the seat has seen."""
        self.events.append(event)

    def act(self, view: View) -> str:
        """Return the advice of a part."""
        self.asked += 1
        numbers = self.encoder.numbers(view)
        assert len(self.encoder.observe(view)) == self.encoder.length
        assert sum(self.encoder.mask(view)) == len(numbers) == len(view.legal)
        if self.asked % 3 == 0:
            return numbers[min(numbers)]
        return self.searched(view) if self.asked % 3 == 1 else self.solved(view)

    def searched(self, view: View) -> str:
        """Return the best action by a few playouts."""
        drawn = self.search.worlds(view, 3)
        search = self.search if isinstance(drawn, Worlds) else self.orderly
        found: list[Estimate] = search.compare(view.seat, drawn, view.legal[:5], repeats=2)
        assert all(one.playouts and len(one.means) == self.rules.players and one.error >= 0 for one in found)
        return max(found, key=lambda one: one.points).action

    def solved(self, view: View) -> str:
        """Return the best action in one world if that is quickly found, and otherwise any."""
        state = self.rules.sample(view.data, self.rng)
        if len(view.data.get("hand", range(9))) > 4 or not state.trick_play():
            return self.rng.choice(view.legal)
        try:
            return max(self.exact.values(state).items(), key=lambda pair: pair[1])[0]
        except ValueError:
            return self.orderly.estimates(view, worlds=2, repeats=1)[0].action

    def on_end(self, scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Check what was seen."""
        assert self.events
        assert len(scores) == len(ranks) == len(self.seats) > self.seat
