"""Suitability, by David Parlett (also spelt "Suitably"); two to five players, four also as partners.

A deal: the players in turn make one suit trump, one the penalty suit and one the reverse suit (its 2 high, its ace
low); the last suit is plain. Whoever had no choice of suits may claim immunity, warranty or poverty. Then ordinary
trick play: follow suit if able, highest trump wins, else the highest card of the suit led.

    tricks t, penalty cards p      no claim                immunity   warranty   poverty (m = max(0, 5 - t))
    t = 0                          25                      25         25         50
    p = 0                          10 t + 10               5 t        25         10 m
    else                           10 t / p, down          5 t        25         10 m / p, down

Where the designer's text is silent the rules page gives the ruling.
"""

from arena.games.suitability.game import Suitability
from arena.games.suitability.rules import Deal, deal_score
from arena.games.suitability.state import SuitabilityState
from arena.games.suitability.view import SuitabilityView

__all__ = ["Deal", "Suitability", "SuitabilityState", "SuitabilityView", "deal_score"]
