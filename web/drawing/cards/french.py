"""The French deck: 52 cards and three jokers."""

from collections.abc import Iterator
from typing import Final

from arena.games.cards import CARDS, RANK_LABELS, RANK_NAMES, RANKS, SUIT_NAMES, Card
from web.drawing.cards.deck import Deck, Face
from web.drawing.cards.drawing import GOLD, Outline, back, bare_suit, circle, glyph, mirrored, path, star, symbol, twice

_HEART: Final = mirrored(
    (0, -5.4), (0.9, -7.5), (2.6, -8.8), (4.8, -8.8), (7.4, -8.8), (9.6, -6.7), (9.6, -3.5),
    (9.6, 2.3), (2.2, 5.6), (0, 9.4),
)  # fmt: skip
_DIAMOND: Final = mirrored((0, -10), (1.9, -6.1), (4.7, -2.5), (7.8, 0), (4.7, 2.5), (1.9, 6.1), (0, 10))
_SPADE: Final = mirrored(
    (0, -9.8), (1.8, -5.6), (9.3, -2.6), (9.3, 3), (9.3, 5.7), (7.3, 7.3), (5.1, 7.3),
    (3.4, 7.3), (1.9, 6.5), (1, 5), (1.2, 7.2), (2, 8.7), (3.6, 9.7), (3.6, 9.7), (0, 9.7), (0, 9.7),
)  # fmt: skip
_STEM: Final = mirrored(
    (0, -4), (0, -4), (1.3, -4), (1.3, -4), (0.9, 4.5), (1.7, 8.3), (3.8, 9.7), (3.8, 9.7), (0, 9.7), (0, 9.7)
)
_CLUB: Final = (circle(0, -5.2, 4.5), circle(5.2, 2.3, 4.5), circle(-5.2, 2.3, 4.5), _STEM)
SUIT_SHAPES: Final[dict[str, tuple[Outline, ...]]] = {"C": _CLUB, "D": (_DIAMOND,), "H": (_HEART,), "S": (_SPADE,)}

# Positions of the pips as x and y; pips below the middle are drawn upside down.
Places = list[tuple[float, float]]
_LEFT, _MID, _RIGHT = 37, 50, 63
_ROWS: Final = (25, 55, 85, 115)
_FOUR: Final[Places] = [(x, y) for y in (25, 115) for x in (_LEFT, _RIGHT)]
_PAIRS3: Final[Places] = [(x, y) for y in (25, 70, 115) for x in (_LEFT, _RIGHT)]
_PAIRS4: Final[Places] = [(x, y) for y in _ROWS for x in (_LEFT, _RIGHT)]
_TWO: Final[Places] = [(_MID, 25), (_MID, 115)]
PIPS: Final[dict[str, Places]] = {
    "2": _TWO,
    "3": [*_TWO, (_MID, 70)],
    "4": _FOUR,
    "5": [*_FOUR, (_MID, 70)],
    "6": _PAIRS3,
    "7": [*_PAIRS3, (_MID, 47.5)],
    "8": [*_PAIRS3, (_MID, 47.5), (_MID, 92.5)],
    "9": [*_PAIRS4, (_MID, 70)],
    "T": [*_PAIRS4, (_MID, 40), (_MID, 100)],
}

_CROWNS: Final = {
    "K": "M-10 6-11-5-5.5 0 0-9 5.5 0 11-5 10 6ZM-10 9.5h20",
    "Q": "M-10 6-12-4-6.5 1-4.5-7 0 0 4.5-7 6.5 1 12-4 10 6ZM-10 9.5h20",
    "J": "M-10 6C-10-2-6-6 0-6s10 4 10 12ZM-10 9.5h20M1-6C2-10 6-12 11-11 10-7 6-4.5 1-6Z",
}
_JOKER_INKS: Final = {"1": "var(--card-red,#c01f2d)", "2": "var(--card-black,#1a211d)", "3": "var(--card-back,#1f4f78)"}


def _suit_path(suit: str, x: float, y: float, size: float) -> str:
    return "".join(path(shape, x, y, size / 20) for shape in SUIT_SHAPES[suit])


def _suit(suit: str, x: float, y: float, size: float) -> str:
    return f'<path d="{_suit_path(suit, x, y, size)}"/>'


def _ink(suit: str) -> str:
    return f"var(--card-{suit},{'#c01f2d' if suit in 'DH' else '#1a211d'})"


def _index(card: Card) -> str:
    return twice(glyph(RANK_LABELS[card.rank], 15, 10, 25) + _suit(card.suit, 15, 50, 17))


def _pips(card: Card) -> str:
    paths = (_suit_path(card.suit, x, y, 18 if y <= 70 else -18) for x, y in PIPS[card.rank])
    return f'<path d="{"".join(paths)}"/>'


def _ace(card: Card) -> str:
    ring = f'<circle cx="50" cy="70" r="25" fill="none" stroke="{GOLD}" stroke-width="1" opacity=".7"/>'
    return ring + _suit(card.suit, 50, 70, 36)


def _court(card: Card) -> str:
    """Return a framed panel, halved by a slanted band, with a crown, the letter and the suit in each half."""
    frame = (
        '<rect x="28" y="12" width="44" height="116" rx="4" fill-opacity=".07" stroke="currentColor" stroke-width="1"/>'
        f'<rect x="30.5" y="14.5" width="39" height="111" rx="2.5" fill="none" stroke="{GOLD}" stroke-width=".8"/>'
        f'<path d="M30.5 79 69.5 61M30.5 82 69.5 64M30.5 76 69.5 58" stroke="{GOLD}" stroke-width=".8"/>'
    )
    crown = (
        f'<path transform="translate(50 28) scale(1.1)" d="{_CROWNS[card.rank]}" fill="{GOLD}" fill-opacity=".35" '
        'stroke="currentColor" stroke-width="1.2" stroke-linejoin="round"/>'
    )
    return frame + twice(crown + glyph(card.rank, 50, 43, 19, 2.8))


def _joker(card: Card) -> str:
    """Return a star and the joker's number of dots in the corners, and a fool's cap in the middle."""
    dots = "".join(f'<circle cx="15" cy="{41 + 9 * i}" r="3.2"/>' for i in range(int(card.rank)))
    cap = (
        '<g transform="translate(-10 -8) scale(1.2)">'
        '<path d="M50 46C40 38 30 44 27 60c5-3 8-2 11 2l3 20h18l3-20c3-4 6-5 11-2C70 44 60 38 50 46Z" '
        'fill-opacity=".14" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>'
        '<path d="M50 46V82M41 88h18" fill="none" '
        'stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>'
        f'<g fill="{GOLD}"><circle cx="27" cy="63" r="3.5"/><circle cx="73" cy="63" r="3.5"/>'
        '<circle cx="50" cy="43" r="3.5"/></g></g>'
    )
    return twice(f'<path d="{star(15, 22, 10.5)}"/>{dots}') + cap


def _card(card: Card) -> str:
    if card.is_joker:
        return symbol(card, _JOKER_INKS[card.rank], _joker(card))
    middle = _court if card.rank in "JQK" else _ace if card.rank == "A" else _pips
    return symbol(card, _ink(card.suit), _index(card) + middle(card))


def _symbols() -> Iterator[str]:
    yield from (bare_suit(suit, _suit(suit, 10, 10, 20)) for suit in SUIT_SHAPES)
    yield from map(_card, CARDS)
    yield back("var(--card-back,#1f4f78)", "var(--card-back-line,#bcd2e6)", _suit("S", 50, 70, 20))


def _face(card: Card) -> Face:
    if card.is_joker:
        return Face(f"joker {card.rank}", f"★{card.rank}")
    return Face(f"{RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}", RANK_LABELS[card.rank], card.suit)


_IN_HAND: Final = (*(card for card in CARDS if card.is_joker), *(Card(r + s) for s in "SHCD" for r in RANKS[::-1]))
"""Order of a sorted hand: jokers, then suits in alternating colours, each from high to low."""

FRENCH: Final = Deck("french", {card: _face(card) for card in _IN_HAND}, SUIT_NAMES, _symbols)
