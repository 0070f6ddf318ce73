"""Observations of Suit Yourself."""

from typing import Final

from arena.games.cards import INDEX
from arena.games.observations import Data, Entries, Part, Parts
from arena.games.suit_yourself.rules import PLAYERS

_CARDS: Final = 52


def parts() -> tuple[Part, ...]:
    """Return the parts of an observation."""
    make = Parts(PLAYERS, INDEX, _CARDS)
    return (
        make.one_of("phase", ("bid", "pass", "second_bid", "play"), "Phase: {}."),
        make.number("round", "Number of the round, 0-based."),
        make.by_seat("scores", "Totals of the finished rounds."),
        make.seat("passing_to", "The seat that receives the card you choose now."),
        make.cards_by_seat("bids", "Bids of this round that you can see.", _bids),
        make.cards_by_seat("passed", "Cards that you passed, by recipient.", lambda data: data["passed"]),
        make.cards_by_seat("received", "Cards that you took up, by giver.", lambda data: data["received"]),
        make.rows("two_of_clubs", 2, "The seat that showed the two of clubs: from its hand, or as a bid.", _opening),
        make.held("hand", "Your cards, without bids and passed cards."),
        make.trick(),
        make.played(),
        Part(
            "taken",
            (PLAYERS, 4),
            "Clubs, diamonds, hearts and spades taken in tricks of this round.",
            lambda data: (
                (4 * make.distance(data, seat) + suit, number)
                for seat, counts in enumerate(data["taken"])
                for suit, number in enumerate(counts)
            ),
            tally=(0, 4, 8, 12),
        ),
    )


def _bids(data: Data) -> list[tuple[int, str | None]]:
    return [(seat, card) for seat, cards in enumerate(data["bids"]) for card in cards]


def _opening(data: Data) -> Entries:
    shown = data["two_of_clubs"]
    return [(shown["seat"], int(shown["bid"]))] if shown else []
