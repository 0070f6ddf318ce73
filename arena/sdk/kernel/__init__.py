"""Random playouts of trick play, in C if the compiled module is there, otherwise in Python; both give the same sums.

`arena.games.playouts` describes the tables that drive them; `arena.sdk.search` is what bots use.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.sdk.kernel import compiled, twin
from arena.sdk.kernel.sums import Sums

__all__ = ["MISSING", "Sums", "load", "play_outs"]


def load(library: Path = compiled.LIBRARY) -> tuple[Callable[..., list[Sums]], str]:
    """Return `play_outs`, and the reason if it is the twin's."""
    try:
        return compiled.Kernel(library).play_outs, ""
    except OSError as error:
        return twin.play_outs, str(error)


_LOADED: Final = load()
play_outs: Final = _LOADED[0]
"""`twin.play_outs`, compiled if possible."""
MISSING: Final = _LOADED[1]
"""Reason why there is no compiled module; empty if it is used."""
