"""Suitability, by David Parlett (also spelt "Suitably"); two to five players, four also as partners.

A deal: the players in turn make one suit trump, one the penalty suit and one the reverse suit (its 2 high, its ace
low); the last suit is plain. A player who had no choice of suits may claim immunity, warranty or poverty. Then ordinary
trick play: follow suit if able, highest trump wins, else the highest card of the suit led.

    tricks t, penalty cards p      no claim                immunity   warranty   poverty (m = max(0, 5 - t))
    t = 0                          25                      25         25         50
    p = 0                          10 t + 10               5 t        25         10 m
    else                           10 t / p, down          5 t        25         10 m / p, down

If the designer's text is silent, the rules page gives the ruling.

One board per deal: the hands, and the turn-up for three players. Steps are sequential: `nominate` three times,
`privilege` (two, four, five players; the fifth seat only if the fourth declines), `play`. The exchange of the turn-up
and the naming of the plain suit are not moves but events of the last nomination. Jokers are cards 52 to 54.
Partnership sets `teams`; a seat's standing key is then its team's total.
"""

from arena.games.suitability.game import Suitability
from arena.games.suitability.rules import Deal, deal_score
from arena.games.suitability.state import SuitabilityState
from arena.games.suitability.view import SuitabilityView

__all__ = ["Deal", "Suitability", "SuitabilityState", "SuitabilityView", "deal_score"]
