"""Terms of the rules, which are in English, for readers of other languages."""

from collections.abc import Mapping
from typing import Final

from arena.words import N_

TERMS: Final[Mapping[str, str]] = {
    "deal": N_("Deal: to hand out the cards, and the cards as they lie after it."),
    "dealer": N_("Dealer: who deals."),
    "hand": N_("Hand: the cards that a player holds; in some games also one deal that is played to its end."),
    "suit": N_("Suit: one of the four kinds of cards, such as spades."),
    "rank": N_("Rank: the value of a card within its suit, such as the ace."),
    "trick": N_("Trick: one card from each player; one of them wins it."),
    "lead": N_("Lead: to play the first card of a trick."),
    "follow suit": N_("Follow suit: to play a card of the suit that was led."),
    "void": N_("Void: without a card of a suit."),
    "trump": N_("Trump: the suit that beats all others."),
    "discard": N_("Discard: to play a card of another suit that cannot win; also to put a card aside."),
    "bid": N_("Bid: to say what one undertakes to win, and the bid itself."),
    "pass": N_("Pass: to make no bid; in some games also to hand cards on to another player."),
    "auction": N_("Auction: the bids before play, in turn."),
    "contract": N_("Contract: the last bid, which must be fulfilled."),
    "declarer": N_("Declarer: who plays for the contract."),
    "partner": N_("Partner: who plays on the same side."),
    "capture": N_("Capture: to win cards and keep them."),
    "pile": N_("Pile: cards on the table, one above the other."),
    "draw": N_("Draw: to take a card from a pile or from the stock."),
    "face up, face down": N_("Face up, face down: visible to all, or hidden."),
    "score": N_("Score: to count points, and the points so far."),
}
"""Translation and explanation of each term."""
