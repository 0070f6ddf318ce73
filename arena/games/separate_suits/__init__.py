"""Separate Suits, by an unnamed author on HubPages (2015); two to eight players.

Everybody starts every hand with the same 13 ranks, two to ace; suits never matter. All choose a card at once. In the
first trick of a hand all copies of a rank that two or more seats show are turned down, and the highest card that is
left wins; where nothing is left all choose again, a card that they have not yet tried in this trick. In the other
tricks the highest card wins, of equal ones the first clockwise from the winner of the trick before, who counts. The
winner keeps the winning card, worth a point; the rest is discarded.

Three variations combine freely: a fixed number of ``hands`` instead of a target of ``points``; ``cancel_every_trick``
by the rule of the first; and ``split_hand``: six cards are set aside in secret for the first six tricks.

Where the author's text is silent the rules page gives the ruling.
"""

from arena.games.separate_suits.game import SeparateSuits
from arena.games.separate_suits.rules import MAX_HANDS, NOBODY, PACKET, cancelling_winner, ordinary_winner
from arena.games.separate_suits.state import SeparateSuitsState
from arena.games.separate_suits.view import SeparateSuitsView

__all__ = [
    "MAX_HANDS",
    "NOBODY",
    "PACKET",
    "SeparateSuits",
    "SeparateSuitsState",
    "SeparateSuitsView",
    "cancelling_winner",
    "ordinary_winner",
]
