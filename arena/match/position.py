"""The position after each step of a replay: where the cards lie, who knows their faces, and the facts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.games.events import Json

PUBLIC: Final = -1
"""The viewer who knows open cards only."""
_KEPT: Final = re.compile(r"(hand|won|bid|packet):")
"""Places that are drawn as they are after a step, not as the step found them."""

Step = Mapping[str, Json]


@dataclass(eq=False)
class Placed:
    """A card at its place."""

    token: str
    seen: frozenset[int] | None
    """Seats that know its face; None means all."""
    source: str = ""
    """Its previous place; empty if unknown."""
    copy: int = 0
    """Number of cards with the same token that the deal had before it."""

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
    winner: int | None = None
    """The seat that won cards in this step."""
    touched: set[str] = field(default_factory=set)
    """Places whose cards this step changed."""
    copies: Counter[str] = field(default_factory=Counter)
    """Number of cards of the deal by token."""

    def lying(self, place: str) -> list[Placed]:
        """Return the cards drawn at a place, including cards that this step clears."""
        cards = self.places.get(place, [])
        if not self.swept or _KEPT.match(place):
            return cards
        return [card for card in self.swept if card.source == place] + [
            card for card in cards if card not in self.swept
        ]


def positions(steps: Iterable[Step]) -> Iterator[Position]:
    """Yield the position after each step. The next position may be the same object, changed."""
    position = Position()
    for step in steps:
        position = following(position, step)
        yield position


def following(position: Position, step: Step) -> Position:
    """Return the position after a step. It may be the same object, changed."""
    if deals(step):
        position = Position(facts=position.facts)
    position.swept, position.winner, position.touched = [], None, set()
    for event in step["events"]:
        _apply(position, event)
    return position


def position_after(steps: Sequence[Step], at: int) -> Position:
    """Return the position after a step, counted from 0."""
    start = _start(steps[: at + 1])
    before = {key: value for step in steps[:start] for event in step["events"] for key, value in event["facts"].items()}
    *_, position = positions(steps[start : at + 1])
    position.facts = before | position.facts
    return position


def fullest_step(steps: Sequence[Step]) -> int:
    """Return the first step of the last deal at which most seats have played one card: a picture of the match."""
    start = _start(steps)
    full = [_full(position) for position in positions(steps[start:])]
    return start + full.index(max(full))


def _start(steps: Sequence[Step]) -> int:
    """Return the step that begins the last deal of these."""
    return max((index for index, step in enumerate(steps) if deals(step)), default=0)


def deals(step: Step) -> bool:
    """Return whether a step begins a deal."""
    return bool(step["events"]) and step["events"][0]["kind"] == "deal"


def _full(position: Position) -> int:
    return sum(len(position.lying(place)) == 1 for place in position.places if place.startswith("table:"))


def _apply(position: Position, event: Mapping[str, Json]) -> None:
    position.facts.update(event["facts"])
    source, target, seen_by = event["source"], event["target"], event["seen_by"]
    cards = [_moved(position, source, token, seen_by) for token in event["cards"]]
    if not cards or not target:
        return
    if seen_by is not None and source.startswith("hand:"):
        _turn_down(position.places.get(source, []), seen_by)
    position.places.setdefault(target, []).extend(cards)
    position.touched |= {source, target, *(card.source for card in cards)}
    if re.match(r"won:|discard$", target):
        position.swept += [card for card in cards if card.source and not re.match("hand:|pile:", card.source)]
    if target.startswith("won:"):
        position.winner = int(target.removeprefix("won:"))


def _moved(position: Position, source: str, token: str, seen_by: Sequence[int] | None) -> Placed:
    """Take a card from its place, known to the seats that knew it before or see it move.

    An open card that leaves a hand in secret may be any of that hand for all others.
    """
    card = _taken(position.places, source, token) or _new(position, token)
    was_open = card.seen is None and not card.source.startswith("hand:")
    card.seen = None if seen_by is None or was_open else frozenset(seen_by).union(card.seen or ())
    return card


def _taken(places: Mapping[str, list[Placed]], source: str, token: str) -> Placed | None:
    for place, cards in places.items():
        if place != source and not place.startswith(f"{source}:"):
            continue
        for index, card in enumerate(cards):
            if card.token == token:
                return Placed(cards.pop(index).token, card.seen, place, card.copy)
    return None


def _new(position: Position, token: str) -> Placed:
    position.copies[token] += 1
    return Placed(token, frozenset(), copy=position.copies[token] - 1)


def _turn_down(cards: Sequence[Placed], seen_by: Sequence[int]) -> None:
    """Turn down open cards from which others were taken in secret: the remaining ones would reveal them."""
    for card in cards:
        if card.seen is None:
            card.seen = frozenset(seen_by)
