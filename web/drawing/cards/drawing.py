"""Drawing shared by all decks: outlines, ranks as strokes, the face and back of a card. A card is 100 by 140."""

from typing import Final

Outline = tuple[tuple[float, float], ...]
"""A start point and triples (two control points, an end point), clockwise, in a box of ±10 around 0,0.

A straight side is a curve whose control points are its ends, so that there is only one kind of segment.
"""

GLYPHS: Final = {
    "A": "M0 14 5 0l5 14M1.8 9.3h6.4",
    "K": "M.4 0v14M9.4 0 .4 8.6M3.7 5.6 9.8 14",
    "Q": "M5 0c3.2 0 5 2.7 5 7s-1.8 7-5 7-5-2.7-5-7 1.8-7 5-7ZM6 10.2l4.3 4.6",
    "J": "M4.2 0h5.2M7.4 0v9.6c0 3-1.4 4.4-3.6 4.4S.4 12.6.1 10.4",
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
    "1": "M1.8 3 6 0v14M1.8 14h8.4",
    "10": "M-1.2 2.6 1.4 0v14M8.4 0c2.4 0 3.6 2.6 3.6 7s-1.2 7-3.6 7-3.6-2.6-3.6-7S6 0 8.4 0Z",
    "11": "M-.8 2.6 1.8 0v14M6.4 2.6 9 0v14",
    "12": "M-2 2.6.6 0v14M4.3 3.7C4.5 1.4 5.9 0 8.1 0c2.3 0 3.8 1.5 3.8 3.8 0 1.8-.8 3.2-2.6 5L4.2 14h8",
}
"""Labels of ranks as strokes: centre lines in a box of 10 by 14, slightly wider for two digits."""

GOLD: Final = "var(--card-gold,#a77a1e)"

STAR: Final = ((0, -1), (0.24, -0.33), (0.95, -0.31), (0.38, 0.13), (0.59, 0.81), (0, 0.41))
"""Right half of a star around 0,0 with radius 1."""


def mirrored(*half: tuple[float, float]) -> Outline:
    """Return an outline from its right half, given from top to bottom."""
    return half + tuple((-x, y) for x, y in half[-2::-1])


def circle(x: float, y: float, r: float) -> Outline:
    """Return a circle as an outline."""
    k = 0.5523 * r
    ring = mirrored((0.0, -r), (k, -r), (r, -k), (r, 0.0), (r, k), (k, r), (0.0, r))
    return tuple((x + dx, y + dy) for dx, dy in ring)


def number(value: float) -> str:
    """Format a coordinate with at most one decimal, as short as SVG allows."""
    return f"{value:.1f}".removesuffix(".0").replace("-0.", "-.").removeprefix("0") or "0"


def path(shape: Outline, x: float, y: float, scale: float) -> str:
    """Return the path of an outline around x,y; a negative scale turns it upside down."""
    points = [f"{number(x + scale * px)} {number(y + scale * py)}" for px, py in shape]
    return f"M{points[0]}C{' '.join(points[1:])}Z"


def star(x: float, y: float, r: float) -> str:
    """Return the path of a star around x,y."""
    points = [*STAR, *((-px, py) for px, py in STAR[-2:0:-1])]
    return "M" + "L".join(f"{number(x + r * px)} {number(y + r * py)}" for px, py in points) + "Z"


def fill(name: str, default: str) -> str:
    """Return a fill attribute with a colour of the page."""
    return f'fill="var(--card-{name},{default})"'


def placed(drawing: str, x: float, y: float, scale: float) -> str:
    """Return a drawing around 0,0 moved to x,y. Repetitions compress to almost nothing."""
    return f'<g transform="translate({number(x)} {number(y)}) scale({scale:.2f})">{drawing}</g>'


def twice(drawing: str) -> str:
    """Return a drawing and its copy rotated by 180 degrees around the middle of the card."""
    return f'{drawing}<g transform="rotate(180 50 70)">{drawing}</g>'


def glyph(label: str, x: float, y: float, height: float, weight: float = 2.2) -> str:
    """Return the label of a rank around x with its top at y, condensed (two digits more so) to leave room for pips."""
    tall = height / 14
    wide = tall * (0.74 if len(label) > 1 else 0.86)
    matrix = f"translate({number(x - 5 * wide)} {number(y)}) scale({wide:.2f} {tall:.2f})"
    return (
        f'<path transform="{matrix}" d="{GLYPHS[label]}" fill="none" '
        f'stroke="currentColor" stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def symbol(name: str, ink: str, body: str) -> str:
    """Return the symbol of a card: `body` in the colour `ink` on paper."""
    return f'{opened(name)}{paper()}<g color="{ink}" fill="{ink}">{body}</g></symbol>'


def opened(name: str) -> str:
    """Return the start of the symbol of a card, which is not clipped: a clip takes a layer as large as the picture."""
    return f'<symbol id="{name}" viewBox="0 0 100 140" overflow="visible">'


def paper() -> str:
    """Return an empty card."""
    return (
        f'<rect x=".75" y=".75" width="98.5" height="138.5" rx="8" {fill("paper", "#fffefb")} '
        'stroke="var(--card-edge,#b9bfb9)" stroke-width="1.5"/>'
    )


def back(ink: str, line: str, emblem: str) -> str:
    """Return the symbol of a deck's back: a lattice in two colours around an emblem."""
    lattice = "".join(f"M8 {y}l84 84M92 {y}l-84 84" for y in range(-76, 132, 12))
    return (
        f"{opened('back')}{paper()}"
        '<svg x="8" y="8" width="84" height="124" viewBox="8 8 84 124">'
        f'<rect x="8" y="8" width="84" height="124" fill="{ink}"/>'
        f'<path d="{lattice}" stroke="{line}" stroke-width="1" opacity=".45"/></svg>'
        f'<rect x="8" y="8" width="84" height="124" rx="4" fill="none" stroke="{line}" stroke-width="1.5"/>'
        f'<circle cx="50" cy="70" r="17" fill="{ink}" stroke="{line}" stroke-width="1.5"/>'
        f'<g fill="{line}">{emblem}</g></symbol>'
    )


def bare_suit(letter: str, drawing: str, corner: str = "0 0") -> str:
    """Return the symbol of a suit in the colour of the surrounding text: 20 by 20 from `corner` of the drawing."""
    return f'<symbol id="suit-{letter}" viewBox="{corner} 20 20"><g fill="currentColor">{drawing}</g></symbol>'
