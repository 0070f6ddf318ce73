"""A replay as a page draws it: positions that are folded already, each as what differs from the one before it.

A page keeps no rules: it merges the places of a deal's frames and the facts of all frames up to the shown one.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.games.events import Json
from arena.match.position import Placed, Position, deals, following
from arena.match.sentences import sentences
from arena.words import _

_OWN: Final = re.compile(r"(hand|table|won|bid|packet|stock|discard)\b")
"""Places that are not piles in the middle."""


def framed(match: Mapping[str, Json], viewer: int | None = None) -> dict[str, Json]:
    """Return a replay (`arena.match.replay.replay`) with frames instead of events; see `Frames`."""
    made = Frames(match, viewer)
    for step in match["steps"]:
        made.add(step)
    return {**match, **made.replay()}


_Card = tuple[str, int, frozenset[int] | None]
"""A card: its token, its number among those with the same token, and the seats that know it."""
_NOBODY: Final[frozenset[int]] = frozenset()


class Frames:
    """The frames of a replay, which grows step by step.

    With a `viewer`, which is a seat or `arena.match.position.PUBLIC`, cards whose faces the viewer does not know are
    blank, and nothing tells one of them at a place from another.

    A frame has the index of the `move` that it shows and the acting `seat`, both None for a step of the arena; the
    `kinds` of its events; and what it `says` (`arena.match.sentences`). As far as there are any, it has the `places`
    whose cards differ from the previous frame of the deal, as numbers in `cards`; the `facts` that changed; the places
    that it `cleared`, with whether their card won; and the seat that `won` cards, with the cards.
    """

    def __init__(self, match: Mapping[str, Json], viewer: int | None = None) -> None:
        """`match` has the game's `facts` and the `seats`."""
        self._match, self._viewer = match, viewer
        numbers = [fact["key"] for fact in match["facts"] if fact["per_seat"] and fact["kind"] == "number"]
        self._texts = frozenset(fact["key"] for fact in match["facts"] if fact["kind"] == "text")
        """Facts whose values are shown in the reader's language."""
        self._scored = numbers[-1] if numbers else ""
        """Key of the fact with the scores; empty if the game has none."""
        self._frames: list[dict[str, Json]] = []
        self._deals: list[dict[str, Any]] = []
        self._cards: dict[_Card, int] = {}
        """Numbers of cards."""
        self._most: Counter[str] = Counter()
        """The most cards that each place holds."""
        self._copies: defaultdict[str, dict[int, int]] = defaultdict(dict)
        """Numbers of the cards that the viewer knows, by token and `Placed.copy`, which counts hidden cards too."""
        self._position = Position()
        self._places: dict[str, list[int]] = {}
        self._touched: set[str] = set()
        self._scores: Json = None

    def replay(self) -> dict[str, Json]:
        """Return the frames up to now, the cards, the deals, and the largest extents on the table."""
        cards = [
            {"id": f"{token}.{copy}", "token": token, "seen": None if seen is None else sorted(seen)}
            for token, copy, seen in self._cards
        ]
        return {
            "steps": self._frames[:],
            "cards": cards,
            "deals": [dict(deal) for deal in self._deals],
            "room": _room(self._match, self._most),
        }

    def add(self, step: Mapping[str, Json]) -> None:
        """Add the frame of a step (`arena.match.replay.steps_of`)."""
        position = self._position = following(self._position, step)
        frame = {
            "move": step["move"],
            "seat": None if step["move"] is None else step["events"][0]["seat"],
            "kinds": list(dict.fromkeys(event["kind"] for event in step["events"])),
            "says": sentences(step["events"]),
            "places": self._changed(position, deals(step)),
            "facts": {key: self._fact(key, value) for event in step["events"] for key, value in event["facts"].items()},
            "cleared": {card.source: _wins(card.source, position) for card in position.swept},
        }
        if position.winner is not None:
            frame["won"] = {"seat": position.winner, "cards": self._numbers("", position.swept)}
        self._note_deal(step, frame["facts"])
        self._frames.append({key: value for key, value in frame.items() if value != {}})

    def _fact(self, key: str, value: Json) -> Json:
        """Return the value of a fact as it is shown."""
        if key not in self._texts:
            return value
        return [_(one) if one else one for one in value] if isinstance(value, list) else value and _(value)

    def _note_deal(self, step: Mapping[str, Json], facts: Mapping[str, Json]) -> None:
        """Note the deal that a step begins, with a name such as "Hand 2", and the scores at its end.

        The game's first fact numbers deals; a deal without a number is extra.
        """
        if deals(step) or not self._deals:
            first = self._match["facts"][0]
            number = step["events"][0]["facts"].get(first["key"])
            name = _("Extra deal") if number is None else _("%(deal)s %(number)s", deal=first["label"], number=number)
            self._deals.append({"step": len(self._frames), "name": name})
        self._scores = facts.get(self._scored, self._scores)
        self._deals[-1]["scores"] = self._scores

    def _changed(self, position: Position, dealt: bool) -> dict[str, list[int]]:
        """Return the places that are drawn differently after this step. What it clears is drawn until the next."""
        before = {} if dealt else self._places
        places = [place for place in position.places if place in position.touched | self._touched]
        after = {place: self._numbers(place, position.lying(place)) for place in places}
        for place in places:
            self._most[place] = max(self._most[place], len(position.places[place]))
        self._places, self._touched = before | after, position.touched
        return {place: cards for place, cards in after.items() if cards != before.get(place)}

    def _numbers(self, place: str, cards: Sequence[Placed]) -> list[int]:
        """Return the numbers of cards at a place. Cards that the viewer does not know come last."""
        known = [(card.token, self._copy(card), card.seen) for card in cards if card.known_to(self._viewer)]
        blank = [(f"?{place}", number, _NOBODY) for number in range(len(cards) - len(known))]
        return [self._cards.setdefault(card, len(self._cards)) for card in [*known, *blank]]

    def _copy(self, card: Placed) -> int:
        """Return the number of a card among those with the same token that the viewer has known."""
        copies = self._copies[card.token]
        return copies.setdefault(card.copy, len(copies))


def _wins(place: str, position: Position) -> bool:
    """Return whether the card of a place that a step clears won: against no seat, the first pile in the middle wins."""
    if position.winner is not None:
        return place == f"table:{position.winner}"
    return place == position.swept[0].source and not place.startswith("table:")


def _room(match: Mapping[str, Json], most: Mapping[str, int]) -> dict[str, Any]:
    """Return the largest extents on the table.

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
