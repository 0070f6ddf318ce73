"""The Spanish deck of 48 cards: ace (1) to nine, sota (10), caballo (11), rey (12) of cups, coins, swords and clubs.

The suits differ in shape, in colour and, as on printed cards, in the frame: the line above and below is unbroken for
coins and broken once for cups, twice for swords, three times for clubs.
"""

from collections.abc import Iterator
from typing import Final

from arena.games.spanish import CARDS, RANK_NAMES, RANKS, SUIT_NAMES, SUITS, SpanishCard
from web.drawing.cards.deck import Deck, Face
from web.drawing.cards.drawing import GOLD, back, bare_suit, glyph, number, placed, symbol, twice

LABELS: Final = {rank: str(number) for number, rank in enumerate(RANKS, 1)}

_INKS: Final = {"C": "#b3202c", "O": "#8a5f0c", "E": "#1d4f91", "B": "#2b6a2f"}
_TINTS: Final = {"C": "#f0b7a6", "O": "#efc14a", "E": "#b4d3f2", "B": "#a9d08a"}


def _ink(suit: str) -> str:
    return f"var(--card-{SUIT_NAMES[suit]},{_INKS[suit]})"


def _tint(suit: str) -> str:
    return f"var(--card-{SUIT_NAMES[suit]}-tint,{_TINTS[suit]})"


# Small shapes for corners and running text, and the pips. Cups and coins fit a box of ±10 around 0,0; swords and
# clubs ±7 by ±25.

_LINE: Final = 'stroke="currentColor" stroke-width="1" stroke-linejoin="round" stroke-linecap="round"'
_SMALL: Final = {
    "C": '<path d="M-8-9.5H8C8-2 5 2 1.7 3.2V6C4 6.4 5.6 7.4 6 9.7H-6C-5.6 7.4-4 6.4-1.7 6V3.2C-5 2-8-2-8-9.5Z"/>',
    "O": '<path d="M0-9.4A9.4 9.4 0 1 1 0 9.4 9.4 9.4 0 1 1 0-9.4ZM0-6.4A6.4 6.4 0 1 0 0 6.4 6.4 6.4 0 1 0 0-6.4Z'
    'M0-4.4 1.5-1.5 4.4 0 1.5 1.5 0 4.4-1.5 1.5-4.4 0-1.5-1.5Z"/>',
    "E": '<path d="M0-10 2.3-7V2.6H6.6V5.4H1.7V7.2A1.9 1.9 0 1 1-1.7 7.2V5.4H-6.6V2.6H-2.3V-7Z"/>',
    "B": '<path transform="rotate(38) scale(.94)" d="M-1.6 12-2.4 4-4.6 2.2-2.9.6-3.4-4-5.6-6.6-3.6-7.4'
    'C-3.8-10.6-2.4-12 0-12S4-10.6 3.8-7.4L3.4-2.6 5.4-.4 3.2.8 1.7 12Z"/>',
}
_CUP: Final = (
    f'<path {_LINE} d="M-7.6-8.4C-7.6-1-4.5 2.4-1.4 3.2V5.8C-3.8 6.2-5.5 7.2-5.9 9.6H5.9C5.5 7.2 3.8 6.2 1.4 5.8V3.2'
    'C4.5 2.4 7.6-1 7.6-8.4Z"/>'
    f'<ellipse cy="-8.3" rx="7.6" ry="1.8" fill="TINT" {_LINE}/>'
    '<path d="M-6.3-2.8C-3-1.2 3-1.2 6.3-2.8M-1.4 4.5H1.4M-4.9 8H4.9" fill="none" stroke="TINT" stroke-width="1.2"/>'
)
_COIN: Final = (
    f'<circle r="9.3" fill="TINT" {_LINE}/>'
    '<circle r="6.6" fill="none" stroke="currentColor" stroke-width=".9"/>'
    '<path d="M0-5.2 1.2-2 4.5-2.6 2.4 0 4.5 2.6 1.2 2 0 5.2-1.2 2-4.5 2.6-2.4 0-4.5-2.6-1.2-2Z"/>'
)
_SWORD: Final = (
    f'<path fill="TINT" {_LINE} d="M0-25 2.4-20V9.5H-2.4V-20Z"/><path {_LINE} d="M0-18V6"/>'
    '<path d="M-6.4 8.8H6.4A1.6 1.6 0 0 1 6.4 12H1.5V19H-1.5V12H-6.4A1.6 1.6 0 0 1-6.4 8.8Z"/>'
    f'<circle cy="21.6" r="2.9" fill="{GOLD}" {_LINE}/>'
)
_BATON: Final = (
    f'<path {_LINE} d="M-1.8 25-2.8 9-5.8 6-3.4 4-4.1-8-6.8-12-4.5-13.4V-20C-4.5-23.6-2.6-25 0-25S4.7-23.6 4.7-20'
    'L4.4-5.5 6.8-2 4.1 0 3.5 11 5.6 14.2 3.1 15.6 2.2 25Z"/>'
    '<path d="M-1.6-20.5C0-21.6 1.6-21.6 2.6-20.4M-1.5-16.5V-5M1.6-9V3M-.9 1.5V14M1 8V21" fill="none" stroke="TINT" '
    'stroke-width="1.1" stroke-linecap="round"/>'
)


def _pip(suit: str, x: float, y: float, height: float) -> str:
    drawing = {"C": _CUP, "O": _COIN, "E": _SWORD, "B": _BATON}[suit]
    return placed(drawing.replace("TINT", _tint(suit)), x, y, height / (20 if suit in "CO" else 50))


# Height of the pips of a number, and their positions.
Layout = tuple[float, list[tuple[float, float]]]


def _grid(height: float, *rows: tuple[float, tuple[float, ...]]) -> Layout:
    return height, [(x, y) for y, columns in rows for x in columns]


_ONE, _TWO, _THREE = (50.0,), (38.0, 62.0), (33.0, 50.0, 67.0)
ROUND: Final[dict[str, Layout]] = {
    "A": _grid(44, (70, _ONE)),
    "2": _grid(34, (42, _ONE), (98, _ONE)),
    "3": _grid(30, (31, _ONE), (70, _ONE), (109, _ONE)),
    "4": _grid(23, (44, _TWO), (96, _TWO)),
    "5": _grid(22, (37, _TWO), (70, _ONE), (103, _TWO)),
    "6": _grid(22, (34, _TWO), (70, _TWO), (106, _TWO)),
    "7": _grid(20, (28, _TWO), (49, _ONE), (70, _TWO), (112, _TWO)),
    "8": _grid(20, (28, _TWO), (49, _ONE), (70, _TWO), (91, _ONE), (112, _TWO)),
    "9": _grid(20, (24, _TWO), (51, _TWO), (70, _ONE), (89, _TWO), (116, _TWO)),
}
LONG: Final[dict[str, Layout]] = {
    "A": _grid(104, (70, _ONE)),
    "2": _grid(64, (70, _TWO)),
    "3": _grid(48, (42, _ONE), (98, _TWO)),
    "4": _grid(48, (42, _TWO), (98, _TWO)),
    "5": _grid(43, (38, _TWO), (70, _ONE), (102, _TWO)),
    "6": _grid(46, (42, _THREE), (98, _THREE)),
    "7": _grid(35, (31, _THREE), (70, _ONE), (109, _THREE)),
    "8": _grid(35, (31, _THREE), (70, _TWO), (109, _THREE)),
    "9": _grid(35, (31, _THREE), (70, _THREE), (109, _THREE)),
}


def _pips(suit: str, rank: str) -> str:
    height, places = (ROUND if suit in "CO" else LONG)[rank]
    return "".join(_pip(suit, x, y, height) for x, y in places)


# Courts: figures in a box of ±16 by ±36 around 0,0.

_PAPER: Final = 'fill="var(--card-paper,#fffefb)"'
_FIGURES: Final = {
    "J": f'<path fill="TINT" {_LINE} d="M-5-15H5L9.5-10 13 5 9 7 6.5 0 9.5 15H-9.5L-6.5 0-9 7-13 5-9.5-10Z"/>'
    f'<path {_LINE} d="M-7.5 15H-1V32H-7C-9 32-10 33-10 35.5H-.7L0 15 .7 35.5H10C10 33 9 32 7 32H1V15H7.5Z"/>'
    f'<circle cy="-21" r="6.2" {_PAPER} stroke="currentColor"/>'
    '<path d="M-8.5-24.5C-9-31-3-33 2-32.4S9.5-28 8.5-24.5Z"/>'
    f'<path d="M6-31C10-37 15-37 15.5-31 12-32.5 9-31 8-28.5ZM-7.2 2.5H7.2V5.5H-7.2Z" fill="{GOLD}"/>'
    f'<path d="M-5-15 0-9.5 5-15" {_PAPER} stroke="currentColor"/>',
    "N": f'<path fill="TINT" {_LINE} d="M-12 34C-13 20-1 13-2.5 2.5L-9 6.5C-11.5 8-14 7-15 4.5'
    '-16 2.5-15.5.5-14.5-1L-8.5-13.5C-6.5-19-3-21.5.5-22L1-30 6-23.5C14.5-20 18-6 15.5 34Z"/>'
    '<path d="M6-23.5C14.5-20 18-6 15.5 34H9C12 12 10-10 1.5-20Z"/><circle cx="-4" cy="-12.5" r="1.7"/>'
    '<circle cx="-12.3" cy="2" r="1"/>'
    f'<path d="M-9-13-4.5 3M-11-8.5C-4-7 3-9 8.5-14M-13.5 35H17" fill="none" stroke="{GOLD}" stroke-width="2"/>',
    "K": f'<path fill="TINT" {_LINE} d="M-6-13H6C11-10 15 20 16 35H-16C-15 20-11-10-6-13Z"/>'
    f'<path d="M-3.5-10H3.5V35H-3.5Z" {_PAPER}/>'
    '<path d="M0-3.5v3M-1.5-2h3M0 6.5v3M-1.5 8h3M0 16.5v3M-1.5 18h3M0 26.5v3M-1.5 28h3" stroke="currentColor"/>'
    f'<path d="M-11.5 3C-6-1-4-6-5-12M11.5 3C6-1 4-6 5-12" fill="none" stroke="currentColor"/>'
    f'<circle cy="-18" r="6.2" {_PAPER} stroke="currentColor"/>'
    '<path d="M-6.2-18C-5-15.5 5-15.5 6.2-18 6.5-10 3-7 0-6-3-7-6.5-10-6.2-18Z"/>'
    f'<path fill="{GOLD}" {_LINE} d="M-8-23.5-9.5-33-4.5-29 0-35.5 4.5-29 9.5-33 8-23.5Z"/>'
    f'<path d="M-15.5 31.5H-3.5M3.5 31.5H15.5" stroke="{GOLD}" stroke-width="2"/>',
}


def _court(suit: str, rank: str) -> str:
    """Return a framed panel with the figure; cups and coins above it, swords and clubs beside it."""
    frame = (
        '<rect x="28" y="12" width="44" height="116" rx="4" fill-opacity=".07" stroke="currentColor" stroke-width="1"/>'
        f'<rect x="30.5" y="14.5" width="39" height="111" rx="2.5" fill="none" stroke="{GOLD}" stroke-width=".8"/>'
    )
    figure = _FIGURES[rank].replace("TINT", _tint(suit))
    if suit in "CO":
        return frame + _pip(suit, 50, 30, 25) + placed(figure, 50, 85, 1.08)
    return frame + _pip(suit, 60.5, 54, 62) + placed(figure, 44, 87, 0.8)


_BREAKS: Final = {"C": (50,), "O": (), "E": (39.5, 60.5), "B": (34, 50, 66)}


def _frame(suit: str) -> str:
    """Return a thin line around the card, broken above and below according to the suit."""
    ends = [27.0, *(edge for at in _BREAKS[suit] for edge in (at - 3, at + 3)), 73.0]
    pieces = "".join(f"M{number(a)} 6H{number(b)}" for a, b in zip(ends[::2], ends[1::2], strict=True))
    return f'<path d="{pieces}" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>'


def _card(card: SpanishCard) -> str:
    suit, rank = card.suit, card.rank
    index = glyph(LABELS[rank], 15, 10, 25) + placed(_SMALL[suit], 15, 50, 0.85)
    middle = _court(suit, rank) if rank in _FIGURES else _pips(suit, rank)
    return symbol(card, _ink(suit), twice(index + _frame(suit)) + middle)


def _symbols() -> Iterator[str]:
    yield from (bare_suit(suit, small, "-10 -10") for suit, small in _SMALL.items())
    yield from map(_card, CARDS)
    coin = placed(_SMALL["O"], 50, 70, 1.2)
    yield back("var(--card-back-spanish,#7a2b2b)", "var(--card-back-spanish-line,#f0d3a8)", coin)


def _face(card: SpanishCard) -> Face:
    return Face(f"{RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}", LABELS[card.rank], card.suit)


_IN_HAND: Final = tuple(SpanishCard(rank + suit) for suit in SUITS for rank in reversed(RANKS))
"""Order of a sorted hand: by suit, each from high to low."""

SPANISH: Final = Deck("spanish", {card: _face(card) for card in _IN_HAND}, SUIT_NAMES, _symbols)
