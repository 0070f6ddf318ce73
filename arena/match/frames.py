"""A replay as a page draws it: positions that are folded already, each as what differs from the one before it.

A page keeps no rules: it merges the places of a deal's frames and the facts of all frames up to the shown one.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.games.events import Json
from arena.match.position import Placed, Position, deals, positions
from arena.match.sentences import sentences

_OWN: Final = re.compile(r"(hand|table|won|bid|packet|stock|discard)\b")
"""Places that are not piles in the middle."""


def framed(match: Mapping[str, Json]) -> dict[str, Json]:
    """Return a replay (`arena.match.replay.replay`) with frames instead of events.

    A frame has the index of the `move` that it shows and the acting `seat`, both None for a step of the arena; the
    `kinds` of its events; and what it `says` (`arena.match.sentences`). As far as there are any, it has the `places`
    whose cards differ from the previous frame of the deal, as numbers in `cards`; the `facts` that changed; the places
    that it `cleared`, with whether their card won; and the seat that `won` cards, with the cards.
    """
    steps = match["steps"]
    made = _Frames()
    for step, position in zip(steps, positions(steps), strict=True):
        made.add(step, position)
    return {
        **match,
        "steps": made.frames,
        "cards": [
            {"id": f"{token}.{copy}", "token": token, "seen": None if seen is None else sorted(seen)}
            for token, copy, seen in made.cards
        ],
        "deals": _deals(match, made.frames),
        "room": _room(match, made.most),
    }


class _Frames:
    """Frames in the making."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Json]] = []
        self.cards: dict[tuple[str, int, frozenset[int] | None], int] = {}
        """Numbers of cards, each with the seats that know it."""
        self.most: Counter[str] = Counter()
        """The most cards that each place holds."""
        self._places: dict[str, list[int]] = {}
        self._touched: set[str] = set()

    def add(self, step: Mapping[str, Json], position: Position) -> None:
        """Add the frame of a step and the position after it."""
        frame = {
            "move": step["move"],
            "seat": None if step["move"] is None else step["events"][0]["seat"],
            "kinds": list(dict.fromkeys(event["kind"] for event in step["events"])),
            "says": sentences(step["events"]),
            "places": self._changed(position, deals(step)),
            "facts": {key: value for event in step["events"] for key, value in event["facts"].items()},
            "cleared": {card.source: _wins(card.source, position) for card in position.swept},
        }
        if position.winner is not None:
            frame["won"] = {"seat": position.winner, "cards": self._numbers(position.swept)}
        self.frames.append({key: value for key, value in frame.items() if value != {}})

    def _changed(self, position: Position, dealt: bool) -> dict[str, list[int]]:
        """Return the places that are drawn differently after this step. What it clears is drawn until the next."""
        before = {} if dealt else self._places
        places = [place for place in position.places if place in position.touched | self._touched]
        after = {place: self._numbers(position.lying(place)) for place in places}
        for place in places:
            self.most[place] = max(self.most[place], len(position.places[place]))
        self._places, self._touched = before | after, position.touched
        return {place: cards for place, cards in after.items() if cards != before.get(place)}

    def _numbers(self, cards: Sequence[Placed]) -> list[int]:
        return [self.cards.setdefault((card.token, card.copy, card.seen), len(self.cards)) for card in cards]


def _wins(place: str, position: Position) -> bool:
    """Return whether the card of a place that a step clears won: against no seat, the first pile in the middle wins."""
    if position.winner is not None:
        return place == f"table:{position.winner}"
    return place == position.swept[0].source and not place.startswith("table:")


def _deals(match: Mapping[str, Json], frames: Sequence[Mapping[str, Json]]) -> list[dict[str, Any]]:
    """Return the deals: the step that begins each, its name, such as "Hand 2", and the scores at its end.

    The game's first fact numbers deals; a deal without a number is extra.
    """
    first = match["facts"][0]
    keys = [fact["key"] for fact in match["facts"] if fact["per_seat"] and fact["kind"] == "number"]
    found: list[dict[str, Any]] = []
    scores = None
    for index, (step, frame) in enumerate(zip(match["steps"], frames, strict=True)):
        if deals(step) or not index:
            number = step["events"][0]["facts"].get(first["key"])
            found.append({"step": index, "name": "Extra deal" if number is None else f"{first['label']} {number}"})
        scores = frame.get("facts", {}).get(keys[-1], scores) if keys else None
        found[-1]["scores"] = scores
    return found


def _room(match: Mapping[str, Json], most: Mapping[str, int]) -> dict[str, Any]:
    """Return what has to fit on the table.

    The most `cards` in a hand, the most set `aside` by a seat, whether seats own `piles`, and the number of piles in
    the `middle` besides the discards.
    """
    owned = any(fact["per_seat"] and fact["kind"] == "suit" for fact in match["facts"])
    piles = owned and any(place.startswith("pile:") for place in most)
    seats_own = piles and len(match["seats"]) > 1
    return {
        "cards": max([1, *(count for place, count in most.items() if place.startswith("hand:"))]),
        "aside": max([0, *(count for place, count in most.items() if place.startswith(("bid:", "packet:")))]),
        "piles": piles,
        "middle": sum(not (_OWN.match(place) or (seats_own and place.startswith("pile:"))) for place in most),
    }
