"""What happens in a match, told once for bots, replays and logs.

An event moves cards between places and changes facts. Places are names such as ``hand:2``, ``table:2``, ``won:1``,
``bid:0``, ``pile:H``, ``centre``, ``stock`` and ``discard``; a number after the colon is a seat. Facts are the
game's own (`Game.facts`). With that a page can draw every game without knowing any.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

Json = Any
"""A value of JSON: None, bool, int, str, list or dict of such."""


class Event(NamedTuple):
    """One thing that happened."""

    kind: str
    """What: ``deal``, ``nominate``, ``play``, ``trick``, ``score``, ``bid``, ``pass`` …"""
    text: str
    """One public sentence; ``{0}`` stands for the name of seat 0. It never names a card that is hidden from anybody."""
    seat: int | None = None
    """Who did it, where somebody did."""
    cards: tuple[str, ...] = ()
    """Tokens of the cards that move."""
    source: str = ""
    target: str = ""
    seen_by: tuple[int, ...] | None = None
    """The seats that see the faces; None means everybody."""
    facts: Mapping[str, Json] = {}
    """Facts that changed, with their new values."""
    step: bool = True
    """Whether a replay stops before this event; False joins it to the one before."""

    def for_seat(self, seat: int) -> dict[str, Json]:
        """This event as that seat may know it: JSON, with ``count`` in the place of cards that it does not see."""
        told: dict[str, Json] = {"kind": self.kind, "seat": self.seat, "text": self.text, "facts": dict(self.facts)}
        if self.cards:
            told |= {"source": self.source, "target": self.target, "count": len(self.cards)}
            if self.seen_by is None or seat in self.seen_by:
                told["cards"] = list(self.cards)
        return told

    def full(self) -> dict[str, Json]:
        """This event with everything in it, as JSON, for the replay of a finished match."""
        told = self._asdict()
        told["cards"] = list(self.cards)
        told["seen_by"] = None if self.seen_by is None else list(self.seen_by)
        told["facts"] = dict(self.facts)
        return told


class Fact(NamedTuple):
    """A fact that a game declares, and how to show it. The order of declaration is the order on the page."""

    key: str
    label: str
    kind: str = "text"
    """How its value is shown: ``suit`` (a suit's letter), ``seat`` (a seat's number), ``number`` or ``text``."""
    per_seat: bool = False
    """Whether its value is a list with one entry per seat."""
