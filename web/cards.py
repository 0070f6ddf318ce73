"""The cards that the pages show: one SVG file of our own drawing, with a symbol for every card.

A page uses it as ``<svg class="card" viewBox="0 0 100 140"><use href="/cards.svg#AS"/></svg>``. Ids are the tokens of
the match record, ``back``, and ``suit-S`` and so on for the bare suits. There is no text in it and no font: ranks are
drawn as strokes, so that a card looks the same everywhere. Colours are custom properties of the page, with defaults.
"""

import gzip
import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Final

from flask import Flask, Response, request, url_for

from arena.games.cards import CARDS, SUIT_NAMES, Card
from web.security import YEAR

RANK_NAMES: Final = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
    "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip

Outline = tuple[tuple[float, float], ...]
"""A start point and then triples (two control points, an end point), clockwise, in a box of ±10 around 0,0.

A straight side is a curve whose control points are its ends: one kind of segment is all there is to scale and to turn.
"""


def _mirrored(*half: tuple[float, float]) -> Outline:
    """An outline from its right half, which runs from the top of the axis to the bottom of it."""
    return half + tuple((-x, y) for x, y in half[-2::-1])


def _circle(x: float, y: float, r: float) -> Outline:
    k = 0.5523 * r
    ring = _mirrored((0.0, -r), (k, -r), (r, -k), (r, 0.0), (r, k), (k, r), (0.0, r))
    return tuple((x + dx, y + dy) for dx, dy in ring)


_HEART: Final = _mirrored(
    (0, -5.4), (0.9, -7.5), (2.6, -8.8), (4.8, -8.8), (7.4, -8.8), (9.6, -6.7), (9.6, -3.5),
    (9.6, 2.3), (2.2, 5.6), (0, 9.4),
)  # fmt: skip
_DIAMOND: Final = _mirrored((0, -10), (1.9, -6.1), (4.7, -2.5), (7.8, 0), (4.7, 2.5), (1.9, 6.1), (0, 10))
_SPADE: Final = _mirrored(
    (0, -9.8), (1.8, -5.6), (9.3, -2.6), (9.3, 3), (9.3, 5.7), (7.3, 7.3), (5.1, 7.3),
    (3.4, 7.3), (1.9, 6.5), (1, 5), (1.2, 7.2), (2, 8.7), (3.6, 9.7), (3.6, 9.7), (0, 9.7), (0, 9.7),
)  # fmt: skip
_STEM: Final = _mirrored(
    (0, -4), (0, -4), (1.3, -4), (1.3, -4), (0.9, 4.5), (1.7, 8.3), (3.8, 9.7), (3.8, 9.7), (0, 9.7), (0, 9.7)
)
_CLUB: Final = (_circle(0, -5.2, 4.5), _circle(5.2, 2.3, 4.5), _circle(-5.2, 2.3, 4.5), _STEM)
SUIT_SHAPES: Final[dict[str, tuple[Outline, ...]]] = {"C": _CLUB, "D": (_DIAMOND,), "H": (_HEART,), "S": (_SPADE,)}

GLYPHS: Final = {
    "A": "M0 14 5 0l5 14M1.8 9.3h6.4",
    "K": "M.4 0v14M9.4 0 .4 8.6M3.7 5.6 9.8 14",
    "Q": "M5 0c3.2 0 5 2.7 5 7s-1.8 7-5 7-5-2.7-5-7 1.8-7 5-7ZM6 10.2l4.3 4.6",
    "J": "M4.2 0h5.2M7.4 0v9.6c0 3-1.4 4.4-3.6 4.4S.4 12.6.1 10.4",
    "T": "M-1.2 2.6 1.4 0v14M8.4 0c2.4 0 3.6 2.6 3.6 7s-1.2 7-3.6 7-3.6-2.6-3.6-7S6 0 8.4 0Z",
    "9": "M1.4 13.3C5.2 14.6 9.8 12 9.8 4.9 9.8 1.8 7.9 0 5 0S.2 1.9.2 4.6 2.2 9.2 5 9.2s4.7-1.8 4.8-4.3",
    "8": "M5 6.5C2.5 6.5.9 5.2.9 3.2S2.5 0 5 0s4.1 1.2 4.1 3.2S7.5 6.5 5 6.5ZM5 6.5C2 6.5.2 8 .2 10.2S2 14 5 14"
    "s4.8-1.6 4.8-3.8S8 6.5 5 6.5Z",
    "7": "M.2 0h9.6L3.7 14",
    "6": "M8.6.7C4.8-.6.2 2 .2 9.1.2 12.2 2.1 14 5 14s4.8-1.9 4.8-4.6S7.8 4.8 5 4.8.3 6.6.2 9.1",
    "5": "M9 0H2L1.2 6.3C2.2 5.4 3.5 5 4.9 5c2.9 0 4.9 1.8 4.9 4.4S7.8 14 4.9 14C2.7 14 .9 13.1 0 11.5",
    "4": "M7.3 14V0L0 10h10",
    "3": "M.5 1.8C1.4.6 3 0 4.8 0c2.6 0 4.4 1.3 4.4 3.4S7.4 6.6 4.4 6.6c3.3 0 5.4 1.4 5.4 3.7S7.7 14 4.8 14"
    "C2.5 14 .8 13.1 0 11.5",
    "2": "M.4 3.7C.6 1.4 2.3 0 4.9 0c2.7 0 4.5 1.5 4.5 3.8 0 1.8-1 3.2-3.1 5L.3 14h9.5",
}
"""Ranks as strokes: centre lines in a box of 10 by 14."""

# Where the pips stand: column and row of each, in the upper half; those below the middle are turned upside down.
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


_GOLD: Final = "var(--card-gold,#a77a1e)"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0").replace("-0.", "-.").removeprefix("0") or "0"


def _outline(shape: Outline, x: float, y: float, scale: float) -> str:
    """The path of one outline around x,y; a negative scale turns it upside down."""
    points = [f"{_number(x + scale * px)} {_number(y + scale * py)}" for px, py in shape]
    return f"M{points[0]}C{' '.join(points[1:])}Z"


def _suit_path(suit: str, x: float, y: float, size: float) -> str:
    return "".join(_outline(shape, x, y, size / 20) for shape in SUIT_SHAPES[suit])


def _fill(name: str, default: str) -> str:
    return f'fill="var(--card-{name},{default})"'


def _ink(suit: str) -> str:
    return f"var(--card-{suit},{'#c01f2d' if suit in 'DH' else '#1a211d'})"


def _twice(drawing: str) -> str:
    """A drawing, and the same turned by half around the middle of the card."""
    return f'{drawing}<g transform="rotate(180 50 70)">{drawing}</g>'


def _glyph(rank: str, x: float, y: float, height: float, weight: float = 2.2) -> str:
    """A rank around x, with its top at y. Slightly condensed, ten more so, to leave room for the pips."""
    tall = height / 14
    wide = tall * (0.74 if rank == "T" else 0.86)
    matrix = f"translate({_number(x - 5 * wide)} {_number(y)}) scale({wide:.2f} {tall:.2f})"
    return (
        f'<path transform="{matrix}" d="{GLYPHS[rank]}" fill="none" '
        f'stroke="currentColor" stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _paper() -> str:
    return (
        f'<rect x=".75" y=".75" width="98.5" height="138.5" rx="8" {_fill("paper", "#fffefb")} '
        'stroke="var(--card-edge,#b9bfb9)" stroke-width="1.5"/>'
    )


def _symbol(name: str, ink: str, body: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 100 140">{_paper()}<g color="{ink}" fill="{ink}">{body}</g></symbol>'


def _index(card: Card) -> str:
    return _twice(_glyph(card.rank, 15, 10, 25) + f'<path d="{_suit_path(card.suit, 15, 50, 17)}"/>')


def _pips(card: Card) -> str:
    paths = (_suit_path(card.suit, x, y, 18 if y <= 70 else -18) for x, y in PIPS[card.rank])
    return f'<path d="{"".join(paths)}"/>'


def _ace(card: Card) -> str:
    ring = f'<circle cx="50" cy="70" r="25" fill="none" stroke="{_GOLD}" stroke-width="1" opacity=".7"/>'
    return f'{ring}<path d="{_suit_path(card.suit, 50, 70, 36)}"/>'


def _court(card: Card) -> str:
    """A framed panel, halved by a slanted band, with a crown, the letter and the suit in each half."""
    frame = (
        '<rect x="28" y="12" width="44" height="116" rx="4" fill-opacity=".07" stroke="currentColor" stroke-width="1"/>'
        f'<rect x="30.5" y="14.5" width="39" height="111" rx="2.5" fill="none" stroke="{_GOLD}" stroke-width=".8"/>'
        f'<path d="M30.5 79 69.5 61M30.5 82 69.5 64M30.5 76 69.5 58" stroke="{_GOLD}" stroke-width=".8"/>'
    )
    crown = (
        f'<path transform="translate(50 28) scale(1.1)" d="{_CROWNS[card.rank]}" fill="{_GOLD}" fill-opacity=".35" '
        'stroke="currentColor" stroke-width="1.2" stroke-linejoin="round"/>'
    )
    return frame + _twice(crown + _glyph(card.rank, 50, 43, 19, 2.8))


def _star(x: float, y: float, r: float) -> str:
    ring = [(0, -1), (0.24, -0.33), (0.95, -0.31), (0.38, 0.13), (0.59, 0.81), (0, 0.41)]
    points = ring + [(-px, py) for px, py in ring[-2:0:-1]]
    return "M" + "L".join(f"{_number(x + r * px)} {_number(y + r * py)}" for px, py in points) + "Z"


def _joker(card: Card) -> str:
    """A star in the corners, with a dot for each joker's number, and a fool's cap."""
    number = int(card.rank)
    dots = "".join(f'<circle cx="15" cy="{41 + 9 * i}" r="3.2"/>' for i in range(number))
    cap = (
        '<g transform="translate(-10 -8) scale(1.2)">'
        '<path d="M50 46C40 38 30 44 27 60c5-3 8-2 11 2l3 20h18l3-20c3-4 6-5 11-2C70 44 60 38 50 46Z" '
        'fill-opacity=".14" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>'
        '<path d="M50 46V82M41 88h18" fill="none" '
        'stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>'
        f'<g fill="{_GOLD}"><circle cx="27" cy="63" r="3.5"/><circle cx="73" cy="63" r="3.5"/>'
        '<circle cx="50" cy="43" r="3.5"/></g></g>'
    )
    return _twice(f'<path d="{_star(15, 22, 10.5)}"/>{dots}') + cap


_JOKER_INKS: Final = {"1": "var(--card-red,#c01f2d)", "2": "var(--card-black,#1a211d)", "3": "var(--card-back,#1f4f78)"}


def _face(card: Card) -> str:
    if card.is_joker:
        return _symbol(card, _JOKER_INKS[card.rank], _joker(card))
    middle = _court if card.rank in "JQK" else _ace if card.rank == "A" else _pips
    return _symbol(card, _ink(card.suit), _index(card) + middle(card))


def _back() -> str:
    lines = "".join(f"M8 {y}l84 84M92 {y}l-84 84" for y in range(-76, 132, 12))
    line = "var(--card-back-line,#bcd2e6)"
    return (
        f'<symbol id="back" viewBox="0 0 100 140">{_paper()}'
        '<svg x="8" y="8" width="84" height="124" viewBox="8 8 84 124">'
        f'<rect x="8" y="8" width="84" height="124" {_fill("back", "#1f4f78")}/>'
        f'<path d="{lines}" stroke="{line}" stroke-width="1" opacity=".45"/></svg>'
        f'<rect x="8" y="8" width="84" height="124" rx="4" fill="none" stroke="{line}" stroke-width="1.5"/>'
        f'<circle cx="50" cy="70" r="17" {_fill("back", "#1f4f78")} stroke="{line}" stroke-width="1.5"/>'
        f'<path fill="{line}" d="{_suit_path("S", 50, 70, 20)}"/></symbol>'
    )


def _suit(suit: str) -> str:
    """The bare suit, in the colour of the text around it."""
    path = f'<path fill="currentColor" d="{_suit_path(suit, 10, 10, 20)}"/>'
    return f'<symbol id="suit-{suit}" viewBox="0 0 20 20">{path}</symbol>'


def _symbols() -> Iterator[str]:
    yield from map(_suit, SUIT_SHAPES)
    yield from map(_face, CARDS)
    yield _back()


@cache
def sprite() -> str:
    """The whole file, as SVG text."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(_symbols())}</svg>'


@cache
def _packed() -> bytes:
    return gzip.compress(sprite().encode(), mtime=0)


@cache
def fingerprint() -> str:
    """A short hash of the file: it goes into the address, so that browsers may keep it for good."""
    return hashlib.sha256(sprite().encode()).hexdigest()[:12]


def name(symbol: str) -> str:
    """What a screen reader says: ``ace of spades``, ``joker 2``, ``hearts``, ``card face down``."""
    if symbol == "back":
        return "card face down"
    if symbol in SUIT_NAMES:
        return SUIT_NAMES[symbol]
    card = Card(symbol)
    return f"joker {card.rank}" if card.is_joker else f"{RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}"


def init_app(app: Flask) -> None:
    """Serve ``/cards.svg`` and give templates `cards_url` and `card_name`."""

    @app.get("/cards.svg", endpoint="cards")
    def serve() -> Response:
        if request.accept_encodings.quality("gzip"):
            response = Response(_packed(), mimetype="image/svg+xml", headers={"Content-Encoding": "gzip"})
        else:
            response = Response(sprite(), mimetype="image/svg+xml")
        response.vary.add("Accept-Encoding")
        response.cache_control.public = True
        response.cache_control.max_age = YEAR
        response.cache_control.immutable = True
        return response

    app.jinja_env.globals.update(cards_url=lambda: url_for("cards", v=fingerprint()), card_name=name)
