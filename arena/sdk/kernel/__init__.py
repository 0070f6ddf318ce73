"""Random deals and playouts of trick play: in C if the compiled module is there, else in Python, with equal results.

`arena.games.playouts` describes the tables that drive them; `arena.sdk.search` is what bots use.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.games.playouts import World
from arena.sdk.kernel import compiled, twin
from arena.sdk.kernel.sums import Sums

__all__ = ["MISSING", "Sums", "deal", "load", "play_outs"]


class Loaded(NamedTuple):
    """The functions of `twin`, compiled if possible."""

    deal: Callable[..., Sequence[World]]
    play_outs: Callable[..., list[Sums]]
    missing: str
    """Reason why there is no compiled module; empty if it is used."""


def load(library: Path = compiled.LIBRARY) -> Loaded:
    """Load the compiled module, or the twin."""
    try:
        code = compiled.Kernel(library)
        return Loaded(code.deal, code.play_outs, "")
    except OSError as error:
        return Loaded(twin.deal, twin.play_outs, str(error))


deal, play_outs, MISSING = load()
