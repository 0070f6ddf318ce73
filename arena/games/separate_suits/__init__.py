"""Separate Suits, by an unnamed author on HubPages (2015); two to eight players.

Every player starts each hand with the same 13 ranks, two to ace; suits do not matter. All choose a card simultaneously.
In the first trick of a hand all copies of a rank shown by two or more seats are turned down, and the highest remaining
card wins; if none remains all choose again, a card that they have not yet tried in this trick. In the other tricks the
highest card wins; among equal cards the first clockwise from the winner of the previous trick, who is counted first.
The winner keeps the winning card, worth a point; the rest is discarded.

Three variations combine freely: a fixed number of ``hands`` instead of a target of ``points``; ``cancel_every_trick``
by the rule of the first; and ``split_hand``: six cards are set aside in secret for the first six tricks.

If the author's text is silent, the rules page gives the ruling.

There are no boards. With a split hand six simultaneous `packet` steps come first, then simultaneous `play`; a replay
after all cards have cancelled is one more simultaneous step whose legal actions exclude the ranks already tried.
Actions are ranks.
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
