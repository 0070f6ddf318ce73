"""Events of a match, shared by bots, replays and logs.

An event moves cards between places and changes facts. Places are names such as ``hand:2``, ``table:2``, ``won:1``,
``bid:0``, ``pile:H``, ``centre``, ``stock`` and ``discard``; a number after the colon is a seat. Each game declares its
facts (`Game.facts`), so a page can draw any game from its events.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from arena.words import _, ngettext, pgettext

Json = Any
"""A JSON value: None, bool, int, str, or a list or dict of them."""


class Event(NamedTuple):
    """A single event of a match."""

    kind: str
    """Kind of event: ``deal``, ``nominate``, ``play``, ``trick``, ``score``, ``bid``, ``pass`` …"""
    text: str
    """One public sentence; ``{0}`` stands for the name of seat 0. Never names a card that is hidden from any seat.

    It is in the language of the reader: bots, records and the API have it in English."""
    seat: int | None = None
    """The acting seat, if any."""
    cards: tuple[str, ...] = ()
    """Tokens of the moved cards."""
    source: str = ""
    target: str = ""
    seen_by: tuple[int, ...] | None = None
    """Seats that see the faces; None means every seat."""
    facts: Mapping[str, Json] = {}
    """Changed facts with their new values."""
    step: bool = True
    """Whether a replay stops before this event; False joins it to the previous one."""

    def for_seat(self, seat: int) -> dict[str, Json]:
        """Return this event as JSON, as the seat may know it: ``count`` replaces cards that the seat does not see."""
        data: dict[str, Json] = {"kind": self.kind, "seat": self.seat, "text": self.text, "facts": dict(self.facts)}
        if self.cards:
            data |= {"source": self.source, "target": self.target, "count": len(self.cards)}
            if self.seen_by is None or seat in self.seen_by:
                data["cards"] = list(self.cards)
        return data

    def full(self) -> dict[str, Json]:
        """Return this event in full, as JSON, for the replay of a finished match."""
        data = self._asdict()
        data["cards"] = list(self.cards)
        data["seen_by"] = None if self.seen_by is None else list(self.seen_by)
        data["facts"] = dict(self.facts)
        return data


class Fact(NamedTuple):
    """A fact that a game declares, and how to show it. Pages show facts in order of declaration.

    Its label, and its value if that is a text, are texts to be translated.
    """

    key: str
    label: str
    kind: str = "text"
    """Display of its value: ``suit`` (a suit's letter), ``seat`` (a seat's number), ``number`` or ``text``."""
    per_seat: bool = False
    """Whether its value is a list with one entry per seat."""

    def shown(self) -> dict[str, Json]:
        """Return this fact as JSON, with its label in the reader's language."""
        return {**self._asdict(), "label": _(self.label)}


def dealt(seat: int, cards: tuple[str, ...]) -> Event:
    """Return the event of a hand that is dealt; only its owner sees the cards."""
    text = ngettext("%(seat)s is dealt %(num)s card.", "%(seat)s is dealt %(num)s cards.", len(cards), seat=named(seat))
    return Event("deal", text, seat, cards, "stock", f"hand:{seat}", (seat,), step=False)


def played(seat: int, card: str, facts: Mapping[str, Json] = {}, text: str = "") -> Event:
    """Return the event of a card that is played from the hand, with a text if more than that happened."""
    text = text or _("%(seat)s plays %(card)s.", seat=named(seat), card=card)
    return Event("play", text, seat, (card,), f"hand:{seat}", f"table:{seat}", facts=facts)


def trick_won(seat: int, cards: tuple[str, ...], facts: Mapping[str, Json], text: str = "") -> Event:
    """Return the event of a trick that a seat takes, with a text if more than that happened."""
    text = text or _("%(seat)s wins the trick.", seat=named(seat))
    return Event("trick", text, seat, cards, "table", f"won:{seat}", facts=facts)


def taken_up(seat: int, count: int) -> str:
    """Return the sentence about cards that a seat takes up."""
    return ngettext("%(seat)s takes up %(num)s card.", "%(seat)s takes up %(num)s cards.", count, seat=named(seat))


def ended(totals: Iterable[int]) -> Event:
    """Return the event of the end of the match."""
    return Event("end", _("The match ends: %(totals)s.", totals=by_seat(totals)))


def by_seat(numbers: Iterable[int]) -> str:
    """Return numbers with the names of their seats, for a sentence."""
    return listed(f"{named(seat)} {number}" for seat, number in enumerate(numbers))


def listed(words: Iterable[str]) -> str:
    """Return words with commas between them."""
    return pgettext("between the words of a list", ", ").join(words)


def named(seat: int) -> str:
    """Return what stands for the name of a seat in a sentence."""
    return f"{{{seat}}}"
