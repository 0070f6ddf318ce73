"""Observations of Suitability."""

from typing import Final

from arena.games.cards import INDEX, SUITS
from arena.games.observations import Data, Entries, Part, Parts
from arena.games.suitability.rules import CLAIMS, ROLES

_ROLES: Final = (*ROLES, "plain")


def parts(players: int) -> tuple[Part, ...]:
    """Return the parts of an observation. The order of the nominations follows from the dealer, and is left out."""
    make = Parts(players, INDEX, len(INDEX))
    return (
        make.one_of("phase", ("nominate", "privilege", "play"), "Phase: {}."),
        make.number("deal", "Number of the deal, 0-based."),
        make.seat("dealer", "The dealer."),
        make.by_seat("scores", "Totals of the previous deals."),
        Part("roles", (4, 4), f"Suit ({', '.join(SUITS)}) of each role: {', '.join(_ROLES)}.", _roles),
        make.rows("claims", 4, f"Privilege claimed: {', '.join(CLAIMS)}.", _claims),
        *((_turn_up(make), _exchange(make)) if players == 3 else ()),
        make.held("hand", "Your cards."),
        make.trick(),
        make.played(),
        make.by_seat("taken", "Tricks won in this deal.", tally=(0,)),
        make.by_seat("penalties", "Penalty cards taken in this deal.", tally=(4,)),
    )


def _roles(data: Data) -> Entries:
    return (
        (4 * place + SUITS.index(data["roles"][role]), 1) for place, role in enumerate(_ROLES) if data["roles"][role]
    )


def _claims(data: Data) -> Entries:
    return ((seat, CLAIMS.index(claim)) for seat, claim in enumerate(data["claims"]) if claim)


def _turn_up(make: Parts) -> Part:
    doc = "The card turned up before the nominations."
    return Part("turn_up", (make.cards,), doc, lambda data: [(INDEX[data["turn_up"]], 1)])


def _exchange(make: Parts) -> Part:
    doc = "The card that left the play for the turn-up, by the seat that took the turn-up."
    return make.cards_by_seat("exchange", doc, lambda data: [data["exchange"]] if data["exchange"] else [])
