"""A cage for untrusted bots.

    with Cage() as cage:
        player = cage.player(source)

See `cage` for how processes are started, `inside` for the layers, `player` for the clock, and `verdict` for who is at
fault.
"""

from arena.sandbox.cage import Cage
from arena.sandbox.limits import DEFAULT_LIMITS, Limits
from arena.sandbox.player import CagedPlayer

__all__ = ["DEFAULT_LIMITS", "Cage", "CagedPlayer", "Limits"]
