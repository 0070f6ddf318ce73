"""Cards without suits, for games in which suits do not matter."""

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from arena.games.cards import RANK_LABELS, RANK_NAMES
from arena.games.cards import RANKS as ORDER
from web.drawing.cards.deck import Deck, Face
from web.drawing.cards.drawing import GOLD, back, glyph, number, star, symbol, twice

_INK: Final = "var(--card-ranks,#27416b)"


def _medal(rank: str) -> str:
    """Return the rank in large strokes inside a ring of beads."""
    angles = [pi * part / 14 for part in range(28)]
    beads = "".join(
        f'<circle cx="{number(50 + 28 * sin(a))}" cy="{number(70 - 28 * cos(a))}" r="1.3"/>' for a in angles
    )
    ring = '<circle cx="50" cy="70" r="32" fill-opacity=".06" stroke="currentColor" stroke-width="1.2"/>'
    return f'{ring}<g fill="{GOLD}">{beads}</g>{glyph(RANK_LABELS[rank], 50, 51, 38)}'


def _symbols() -> Iterator[str]:
    for rank in ORDER:
        yield symbol(rank, _INK, twice(glyph(RANK_LABELS[rank], 15, 10, 25)) + _medal(rank))
    yield back(
        "var(--card-back-ranks,#4a3a72)", "var(--card-back-ranks-line,#d3c9ec)", f'<path d="{star(50, 70, 12)}"/>'
    )


RANKS: Final = Deck("ranks", {rank: Face(RANK_NAMES[rank], RANK_LABELS[rank]) for rank in ORDER[::-1]}, {}, _symbols)
