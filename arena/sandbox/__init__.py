"""Untrusted bots in a cage.

    with Cage() as cage:
        player = cage.player(source)

See `cage` for who starts what, `inside` for the layers, `player` for the clock, `verdict` for whose fault it is.
"""

from arena.sandbox.cage import Cage
from arena.sandbox.limits import DEFAULT_LIMITS, Limits
from arena.sandbox.player import CagedPlayer

__all__ = ["DEFAULT_LIMITS", "Cage", "CagedPlayer", "Limits"]
