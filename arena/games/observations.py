"""Views as arrays of whole numbers, for bots that learn.

Each game describes its observation as *parts*: named arrays whose entries follow from the view alone. Seats are counted
by distance: 0 is the seat that sees the view, 1 its left neighbour. A card is a place among the game's actions, so a
set of cards is an array of zeros and ones. `arena.sdk.encoder` puts the parts together.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.events import Json

Data = Mapping[str, Json]
Entries = Iterable[tuple[int, int]]
"""Places in the flattened array and their values; all others are 0."""


@dataclass(frozen=True)
class Part:
    """An array in an observation."""

    name: str
    shape: tuple[int, ...]
    doc: str
    entries: Callable[[Data], Entries]
    """Returns the entries that may differ from 0, given `View.data`."""
    tally: tuple[int, ...] = ()
    """Offset in bits of each entry of a seat in its kernel tally (`arena.games.playouts`), in which it has `bits` bits;
    empty if the part does not change during trick play, or is hand, trick or played."""
    bits: int = 4


@dataclass(frozen=True)
class Parts:
    """Maker of the parts of a game with this number of players and these cards, which are its first actions."""

    players: int
    index: Mapping[str, int]
    """Number of each card by token."""
    cards: int

    def distance(self, data: Data, seat: int) -> int:
        """Return how many seats to the left a seat is."""
        return (seat - int(data["seat"])) % self.players

    def one_of(self, name: str, values: Sequence[str], doc: str) -> Part:
        """Return a part with a 1 at the place of a value."""
        shown = doc.format(", ".join(values))
        places = {value: place for place, value in enumerate(values)}
        return Part(
            name, (len(values),), shown, lambda data: _ones([places[data[name]]] if data[name] in places else [])
        )

    def number(self, name: str, doc: str) -> Part:
        """Return a part with a single number, or a truth as 0 or 1."""
        return Part(name, (1,), doc, lambda data: [(0, int(data[name]))])

    def held(self, name: str, doc: str) -> Part:
        """Return a part with a 1 for each card of a list."""
        return Part(name, (self.cards,), doc, lambda data: _ones(self.index[card] for card in data[name]))

    def seat(self, name: str, doc: str) -> Part:
        """Return a part with a 1 at the distance of a seat, if it is set."""
        return self.rows(name, 1, doc, lambda data: [] if data[name] is None else [(data[name], 0)])

    def by_seat(self, name: str, doc: str, value: Callable[[Data], Sequence[int]] | None = None, **more: Any) -> Part:
        """Return a part with a number for each seat, from the view's entry of this name if no `value` is given."""
        read = value or (lambda data: data[name])
        return Part(
            name,
            (self.players,),
            doc,
            lambda data: ((self.distance(data, at), n) for at, n in enumerate(read(data))),
            **more,
        )

    def rows(self, name: str, width: int, doc: str, entries: Callable[[Data], Entries]) -> Part:
        """Return a part with a row for each seat. `entries` returns (seat, place) of each 1."""
        shape = (self.players, width) if width > 1 else (self.players,)
        return Part(
            name, shape, doc, lambda data: _ones(width * self.distance(data, at) + place for at, place in entries(data))
        )

    def cards_by_seat(self, name: str, doc: str, cards: Callable[[Data], Iterable[tuple[int, str | None]]]) -> Part:
        """Return a part with a row of cards for each seat, from (seat, card) pairs; None stands for no card."""
        return self.rows(
            name, self.cards, doc, lambda data: ((seat, self.index[card]) for seat, card in cards(data) if card)
        )

    def trick(self) -> Part:
        """Return the cards of the current trick."""
        return self.cards_by_seat(
            "trick", "Cards of the current trick.", lambda data: self._turns(data["leader"] or 0, data["trick"])
        )

    def played(self, *, from_leader: bool = False) -> Part:
        """Return the cards of finished tricks, which begin with their leaders' seats, or all with the same leader."""
        return self.cards_by_seat(
            "played",
            "Cards of the finished tricks of this deal, by the seat that played them.",
            lambda data: (
                turn
                for first, *cards in data["tricks"]
                for turn in self._turns(data["leader"] if from_leader else first, cards)
            ),
        )

    def _turns(self, leader: int, cards: Iterable[str]) -> Iterable[tuple[int, str]]:
        return ((leader + turn, card) for turn, card in enumerate(cards))


def _ones(places: Iterable[int]) -> Entries:
    return ((place, 1) for place in places)
