"""The position after a step of a replay: where the cards lie, who knows their faces, and the facts.

Follows the events of `arena.match.replay.replay` as the replay page does in ``replay-fold.js``.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.games.events import Json

PUBLIC: Final = -1
"""The viewer who knows open cards only."""

Step = Mapping[str, Json]


@dataclass
class Placed:
    """A card at its place."""

    token: str
    seen: frozenset[int] | None
    """Seats that know its face; None means all."""
    source: str = ""
    """Its previous place; empty if unknown."""

    def known_to(self, viewer: int | None) -> bool:
        """Return whether a viewer knows its face: a seat, `PUBLIC`, or None for one who sees everything."""
        return viewer is None or self.seen is None or viewer in self.seen


@dataclass
class Position:
    """A position of a match."""

    places: dict[str, list[Placed]] = field(default_factory=dict)
    facts: dict[str, Json] = field(default_factory=dict)
    swept: list[Placed] = field(default_factory=list)
    """Cards that this step moved from the table to a winner or out of play."""

    def lying(self, place: str) -> list[Placed]:
        """Return the cards at a place, without the cards that this step clears from it."""
        return [card for card in self.swept if card.source == place] + self.places.get(place, [])


def position_after(steps: Sequence[Step], at: int) -> Position:
    """Return the position after a step, counted from 0."""
    start = max((index for index in range(at + 1) if _deals(steps[index])), default=0)
    position = Position()
    for step in steps[:start]:
        for event in step["events"]:
            position.facts.update(event["facts"])
    for step in steps[start : at + 1]:
        position.swept = []
        for event in step["events"]:
            _apply(position, event)
    return position


def fullest_step(steps: Sequence[Step]) -> int:
    """Return the first step of the last deal at which most seats have played one card: a picture of the match."""
    start = max((index for index in range(len(steps)) if _deals(steps[index])), default=0)
    played: Counter[str] = Counter()
    best, most = start, 0
    for index in range(start, len(steps)):
        if any(event["cards"] and event["source"].startswith("table") for event in steps[index]["events"]):
            played.clear()
        for event in steps[index]["events"]:
            if event["target"].startswith("table:"):
                played[event["target"]] += len(event["cards"])
        full = sum(count == 1 for count in played.values())
        if full > most:
            best, most = index, full
    return best


def _deals(step: Step) -> bool:
    return bool(step["events"]) and step["events"][0]["kind"] == "deal"


def _apply(position: Position, event: Mapping[str, Json]) -> None:
    position.facts.update(event["facts"])
    source, target, seen_by = event["source"], event["target"], event["seen_by"]
    cards = [_moved(position, source, token, seen_by) for token in event["cards"]]
    if not cards or not target:
        return
    if seen_by is not None and source.startswith("hand:"):
        _turn_down(position.places.get(source, []), seen_by)
    position.places.setdefault(target, []).extend(cards)
    if re.match(r"won:|discard$", target):
        position.swept += [card for card in cards if card.source and not re.match("hand:|pile:", card.source)]


def _moved(position: Position, source: str, token: str, seen_by: Sequence[int] | None) -> Placed:
    """Take a card from its place, known to the seats that knew it before or see it move.

    An open card that leaves a hand in secret may be any of that hand for all others.
    """
    card = _taken(position.places, source, token) or Placed(token, frozenset())
    was_open = card.seen is None and not card.source.startswith("hand:")
    card.seen = None if seen_by is None or was_open else frozenset(seen_by).union(card.seen or ())
    return card


def _taken(places: Mapping[str, list[Placed]], source: str, token: str) -> Placed | None:
    for place, cards in places.items():
        if place != source and not place.startswith(f"{source}:"):
            continue
        for index, card in enumerate(cards):
            if card.token == token:
                return Placed(cards.pop(index).token, card.seen, place)
    return None


def _turn_down(cards: Sequence[Placed], seen_by: Sequence[int]) -> None:
    """Turn down open cards from which others were taken in secret: the remaining ones would reveal them."""
    for card in cards:
        if card.seen is None:
            card.seen = frozenset(seen_by)
