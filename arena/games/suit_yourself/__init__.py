"""Suit Yourself, by Games Finkel; four players.

A round: 13 cards each. Each player lays a card face down as a first bid, passes one card to each other player, takes up
the three received, and lays down a second bid. The owner of the two of clubs shows it and leads. Eleven tricks, in
which suits gain power as they appear: first the suit led, then trump (the first suit of the other colour), supertrump
(the second suit of the led suit's colour, once there is a trump), alpha (the last suit, once there is a supertrump).

    legal    the first of the suit led, trump, supertrump that the hand has; else any card
    winner   of the cards whose suit has a level the highest rank; of equal ranks the higher level
    score    each bid whose suit no player took more cards of than the bidder: its rank (T J Q K 10, A 11)

First to 50 points. If the designer's text is silent, the rules page gives the ruling.

One board per round: four hands. Simultaneous `bid`, three simultaneous `pass` steps (left, opposite, right), a second
`bid`, then sequential `play`. Hidden bids and passed cards are events that only some seats see, and places ``bid:n``.
The owner of the two of clubs is a public event. The standing key is (total, last round, bids won).
"""

from arena.games.suit_yourself.game import SuitYourself
from arena.games.suit_yourself.rules import MAX_ROUNDS, bid_value, winner_of
from arena.games.suit_yourself.state import SuitYourselfState
from arena.games.suit_yourself.view import SuitYourselfView

__all__ = ["MAX_ROUNDS", "SuitYourself", "SuitYourselfState", "SuitYourselfView", "bid_value", "winner_of"]
