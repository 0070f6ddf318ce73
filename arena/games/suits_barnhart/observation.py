"""Observations of Suits."""

from typing import Final

from arena.games.cards import INDEX, SUITS
from arena.games.observations import Data, Entries, Part, Parts
from arena.games.suits_barnhart.rules import TRICKS

_SEATS: Final = 4
_CARDS: Final = 52


def parts() -> tuple[Part, ...]:
    """Return the parts of an observation. The solitaire has four seats too: three are dummies."""
    make = Parts(_SEATS, INDEX, _CARDS)
    return (
        make.one_of("phase", ("play", "return"), "Phase: {}."),
        make.number("deal", "Number of the hand, 0-based."),
        make.by_seat("scores", "Total points, including this hand."),
        make.rows("suits", 4, f"Suit ({', '.join(SUITS)}) in this hand.", _suits),
        make.by_seat("piles", "Number of cards in the pile."),
        Part("pile", (TRICKS, _CARDS), "Your pile from the top: the cards that you put back.", _pile),
        make.held("drawn", "Your drawn and unplayed cards."),
        make.trick(),
        make.played(from_leader=True),
        make.by_seat("points", "Points in this hand."),
    )


def _suits(data: Data) -> Entries:
    return ((seat, SUITS.index(suit)) for seat, suit in enumerate(data["suits"]))


def _pile(data: Data) -> Entries:
    return ((_CARDS * place + INDEX[card], 1) for place, card in enumerate(data["pile"]) if card)
