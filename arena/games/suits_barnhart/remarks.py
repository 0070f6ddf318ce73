"""Remarks about legal cards of Suits."""

from collections.abc import Iterator, Mapping

from arena.games.cards import INDEX, RANKS
from arena.games.events import Json
from arena.games.remarks import outlook
from arena.games.suits_barnhart.rules import POWER, points_of


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card; empty for the order in which cards are put back."""
    if view["phase"] != "play":
        return ""
    before = [POWER[INDEX[card]] for card in view["trick"]]
    after = [*_after(view)] if len(before) < 3 else None
    return outlook(POWER[INDEX[token]], before, after, points_of(token))


def _after(view: Mapping[str, Json]) -> Iterator[int]:
    """Yield the powers of the cards that the seats after this one in the trick have not played yet."""
    gone = {card for _, *cards in view["tricks"] for card in cards}
    for turn in range(len(view["trick"]) + 1, 4):
        suit = view["suits"][(view["leader"] + turn) % 4]
        yield from (POWER[INDEX[rank + suit]] for rank in RANKS if rank + suit not in gone)
