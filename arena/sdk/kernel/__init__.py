"""Random playouts of trick play, in C if the compiled module is there, otherwise in Python; both give the same sums.

`arena.games.playouts` describes the tables that drive them; `arena.sdk.search` is what bots use.
"""

from collections.abc import Callable
from typing import Final

from arena.sdk.kernel import compiled, twin
from arena.sdk.kernel.sums import Sums

__all__ = ["MISSING", "Sums", "play_outs"]


def _load() -> tuple[Callable[..., list[Sums]], str]:
    try:
        return compiled.Kernel().play_outs, ""
    except OSError as error:
        return twin.play_outs, str(error)


_LOADED: Final = _load()
play_outs: Final = _LOADED[0]
"""`twin.play_outs`, compiled if possible."""
MISSING: Final = _LOADED[1]
"""Reason why there is no compiled module; empty if it is used."""
