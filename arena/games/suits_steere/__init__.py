"""Suits, designed by Mark Steere (marksteeregames.com), 2022; three players, Spanish pack of 48 cards.

Each hand: 16 cards each; the dealer's left leads, and anybody may play any card. The value of the three cards of a
trick does not depend on the order of play:

    three suits    the suits decide, not the ranks: cups beat coins beat swords beat clubs beat cups, and the chain
                   starts after the suit that is missing
    two suits      the higher of the pair, the lower of the pair, the odd card
    one suit       by rank, rey high and ace low

The best card wins the trick and leads. The winner of a hand's last trick leads the next hand, whose dealer is the
player to the right. After a fixed number of hands the most tricks win; a tie for first is decided by a card dealt face
up to each of the three, valued like a trick. The author asks that neither the name nor the rules be changed.

One board per hand. If the first place is tied after the last hand, `seat` is CHANCE once more and the board of that
index is the tie-break board, without moves. The standing key is (tricks, tie-break).
"""

from arena.games.suits_steere.game import SuitsSteere
from arena.games.suits_steere.rules import Deal, TieBreak, best, order, values
from arena.games.suits_steere.state import SuitsSteereState
from arena.games.suits_steere.view import SuitsSteereView

__all__ = ["Deal", "SuitsSteere", "SuitsSteereState", "SuitsSteereView", "TieBreak", "best", "order", "values"]
