"""Suits, by Aaron Barnhart (version 1 of his two); four players, or the solitaire against three dummies.

Every suit is a shuffled pile of its own. Four hands of thirteen tricks; in hand 1 the seats South, West, North, East
(0 to 3) have hearts, diamonds, clubs, spades, and after every hand each suit passes to the left.

    a trick    draw 2 hearts, 3 diamonds, 4 clubs, 5 spades, or what is left; play one card each, hearts first
    winner     the highest card, ace high; of equal ranks hearts, then diamonds, clubs, spades
    points     for the winner's own card: 5 for 2 to 4, 2 for 5 to 8, 1 for 9 to A
    after it   put the cards that you did not play under your pile, in any order

Four players: the highest total wins. Solitaire: South alone draws and chooses, and the others flip their top cards.
South wins with 25 points and loses as soon as a dummy has 20; after four hands the highest total decides.

One board per hand: four ordered piles. Sequential `play`, then `return` steps, simultaneous for every seat that chooses
the order of two or more unplayed cards; a return packs its cards, in order, into one integer action. The order of a
pile is visible to its owner as far as the owner made it. The solitaire has one seat; dummies flip as events. `extras`
adds ``result`` and ``dummy_scores`` to the record.
"""

from arena.games.suits_barnhart.game import SuitsBarnhart
from arena.games.suits_barnhart.rules import Piles, points_of, solitaire_result
from arena.games.suits_barnhart.state import SuitsBarnhartState
from arena.games.suits_barnhart.view import SuitsBarnhartView

__all__ = ["Piles", "SuitsBarnhart", "SuitsBarnhartState", "SuitsBarnhartView", "points_of", "solitaire_result"]
