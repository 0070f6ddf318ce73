"""A picture of a position as SVG: every seat with its cards, the table between them, and a line of words below.

The picture is as large as previews of links are: 1200 by 630.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from typing import Any, Final

from arena.games.events import Json
from arena.match.position import Placed, Position
from web.drawing.cards.deck import Deck

WIDTH: Final = 1200
HEIGHT: Final = 630
MARGIN: Final = 28
FOOT: Final = 92
"""Height of the lines of words at the bottom."""
HIGH: Final = 1.4
"""Height of a card whose width is 1."""
LETTER: Final = 0.56
"""Average width of a letter of the font whose size is 1."""
STEP: Final = 0.62
"""Distance between cards of a hand, if there is room, as a part of their width."""
FELT: Final = "#15523a"
SHADE: Final = "#0d3b29"
INK: Final = "#f3f7f4"
SOFT: Final = "#bcd3c6"
LIGHT: Final = "#f0c264"
BESIDE: Final = re.compile(r"(hand|table|won|bid|packet|stock):|(stock|discard)$")
"""Places that are not drawn as piles in the middle."""


@dataclass(frozen=True)
class Scene:
    """Contents of a picture."""

    deck: Deck
    names: Sequence[str]
    position: Position
    facts: Sequence[Mapping[str, Json]]
    """The facts that the game declares."""
    words: str
    """What happened, in a sentence."""
    title: str
    viewer: int | None = None
    """The seat whose knowledge is drawn, `arena.match.position.PUBLIC`, or None for all cards."""
    south: int = 0
    """The seat at the bottom."""
    turn: int | None = None
    """The seat that moves next."""


@dataclass
class Sheet:
    """A drawing in the making."""

    deck: Deck
    parts: list[str] = field(default_factory=list)
    used: dict[str, str] = field(default_factory=dict)
    """Symbols that it uses, by ID."""

    def card(self, symbol: str, x: float, y: float, width: float) -> None:
        """Draw a card with its upper left corner at x,y."""
        self._use(symbol, x, y, width, width * HIGH)

    def suit(self, letter: str, x: float, y: float, size: float) -> None:
        """Draw the symbol of a suit on a light disc, on which all its colours are legible."""
        ink = re.search(r'color="([^"]+)"', self.deck.drawn[self._token(letter)])
        colour = ink.group(1) if ink else "#17201b"
        middle = size / 2
        self.parts.append(f'<circle cx="{x + middle:.1f}" cy="{y + middle:.1f}" r="{size * 0.72:.1f}" fill="#fffefb"/>')
        self.parts.append(f'<g color="{colour}" fill="{colour}">')
        self._use(f"suit-{letter}", x, y, size, size)
        self.parts.append("</g>")

    def text(self, words: str, x: float, y: float, size: float, room: float = WIDTH, **more: str) -> float:
        """Write words with their base line at y, shortened to the room; return the width that they take, about."""
        most = max(int(room / (size * LETTER)), 1)
        shown = words if len(words) <= most else f"{words[: most - 1]}…"
        attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{attributes}>{escape(shown)}</text>')
        return len(shown) * size * LETTER

    def box(self, x: float, y: float, width: float, height: float, fill: str, radius: float = 10) -> None:
        """Draw a rounded rectangle."""
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}" fill="{fill}"/>'
        )

    def svg(self, title: str) -> str:
        """Return the file."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'font-family="Inter, system-ui, sans-serif" font-weight="500" fill="{INK}" role="img">'
            f"<title>{escape(title)}</title><defs>{''.join(self.used.values())}</defs>"
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{FELT}"/>{"".join(self.parts)}</svg>'
        )

    def _use(self, symbol: str, x: float, y: float, width: float, height: float) -> None:
        self.used[symbol] = self.deck.drawn[symbol]
        self.parts.append(f'<use href="#{symbol}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>')

    def _token(self, letter: str) -> str:
        return next(token for token, face in self.deck.faces.items() if face.suit == letter)


def draw(scene: Scene) -> str:
    """Return the picture of a scene as SVG."""
    sheet = Sheet(scene.deck)
    count = len(scene.names)
    around = [(scene.south + step) % count for step in range(1, count)]
    top = _others(sheet, scene, around)
    bottom = _south(sheet, scene)
    _middle(sheet, scene, top, bottom)
    _foot(sheet, scene)
    return sheet.svg(f"{scene.title}: {scene.words}")


def _others(sheet: Sheet, scene: Scene, around: Sequence[int]) -> float:
    """Draw the seats above the table, in at most two rows; return where the table begins."""
    if not around:
        return MARGIN
    half = (len(around) + 1) // 2
    rows = [around] if len(around) < 5 else [around[:half], around[half:]]
    width = 62 if len(rows) == 1 else 44
    for number, row in enumerate(rows):
        room = min((WIDTH - 2 * MARGIN) / len(row), 560)
        left = (WIDTH - room * len(row)) / 2
        y = 20 + number * (width * HIGH + 46)
        for place, seat in enumerate(row):
            _seat(sheet, scene, seat, (left + place * room + 8, y), (room - 16, width))
    return 20 + len(rows) * (width * HIGH + 46)


def _south(sheet: Sheet, scene: Scene) -> float:
    """Draw the seat at the bottom; return where the table ends."""
    width = 96 if len(scene.names) < 6 else 80
    y = HEIGHT - FOOT - width * HIGH - 52
    held = sum(len(scene.position.places.get(f"{kind}:{scene.south}", ())) for kind in ("hand", "packet", "bid"))
    room = min(max((held + 1) * width * STEP, 420), WIDTH - 2 * MARGIN)
    _seat(sheet, scene, scene.south, ((WIDTH - room) / 2, y), (room, width))
    return y


def _seat(sheet: Sheet, scene: Scene, seat: int, at: tuple[float, float], size: tuple[float, float]) -> None:
    """Draw a seat: name and score, below them the cards in hand and those that are set aside."""
    (x, y), (room, width) = at, size
    places = scene.position.places
    aside = places.get(f"packet:{seat}", []) + places.get(f"bid:{seat}", [])
    hand = _sorted(scene, places.get(f"hand:{seat}", []))
    plate = 34
    if scene.turn == seat:
        sheet.box(x - 6, y, room + 12, plate, SHADE)
        sheet.parts.append(f'<path d="M{x + 4:.1f} {y + 10:.1f}l11 7-11 7Z" fill="{LIGHT}"/>')
    score = _score(scene, seat)
    indent = 22 if scene.turn == seat else 0
    sheet.text(scene.names[seat], x + indent, y + 24, 21, room - indent - 12 - 14 * len(score))
    sheet.text(score, x + room, y + 24, 21, text_anchor="end", font_weight="700")
    gap = 18 if aside and hand else 0
    apart = min(width * (1 + 0.35 * (len(aside) - 1)), room / 2) if aside else 0
    used = _fan(sheet, scene, hand, (x, y + plate + 6), room - gap - apart, width)
    _fan(sheet, scene, aside, (x + used + gap, y + plate + 6), apart, width)


def _fan(
    sheet: Sheet, scene: Scene, cards: Sequence[Placed], at: tuple[float, float], room: float, width: float
) -> float:
    """Draw overlapping cards in a row; return its width."""
    if not cards:
        return 0.0
    step = min(width * STEP, (room - width) / max(len(cards) - 1, 1))
    for number, card in enumerate(cards):
        sheet.card(_face(scene, card), at[0] + number * step, at[1], width)
    return step * (len(cards) - 1) + width


def _middle(sheet: Sheet, scene: Scene, top: float, bottom: float) -> None:
    """Draw piles and played cards in a row, each with its name below it, and the facts at the left."""
    items = [*_piles(scene), *_trick(scene)]
    facts = _facts(scene)
    edge = MARGIN + 220 if facts else MARGIN
    room = WIDTH - MARGIN - edge
    high = bottom - top
    width = min((high - 44) / HIGH, room / max(len(items), 1) - 22, 130)
    left = max((WIDTH - len(items) * (width + 22)) / 2, edge)
    y = top + (high - width * HIGH - 30) / 2
    for number, (card, caption, count) in enumerate(items):
        x = left + number * (width + 22) + 11
        if card is None:
            sheet.box(x, y, width, width * HIGH, SHADE)
        else:
            sheet.card(card, x, y, width)
        words = f"{caption} {count}" if count else caption
        sheet.text(words, x + width / 2, y + width * HIGH + 24, 18, width + 20, text_anchor="middle", fill=SOFT)
    _list_facts(sheet, scene, facts, top + (high - 32 * len(facts)) / 2)


def _trick(scene: Scene) -> list[tuple[str | None, str, str]]:
    """Return the cards in front of the seats, clockwise from the seat left of South: (card, name, no count)."""
    count = len(scene.names)
    seats = [(scene.south + step) % count for step in range(1, count + 1)]
    return [
        (_face(scene, card), scene.names[seat], "") for seat in seats for card in scene.position.lying(f"table:{seat}")
    ]


def _piles(scene: Scene) -> list[tuple[str | None, str, str]]:
    """Return the piles in the middle as (card, name, count): a stack lies face down, others show their last card."""
    shown: list[tuple[str | None, str, str]] = []
    for place in scene.position.places:
        if BESIDE.match(place):
            continue
        kind, _, suit = place.partition(":")
        cards = scene.position.lying(place)
        title = scene.deck.suits.get(suit, kind).capitalize()
        top = ("back" if kind == "pile" else _face(scene, cards[-1])) if cards else None
        shown.append((top, title, str(len(cards)) if kind == "pile" else ""))
    return shown


def _facts(scene: Scene) -> list[tuple[str, str, Any]]:
    """Return the facts of the whole table that have a value: (label, kind, value)."""
    values = scene.position.facts
    found = [(fact["label"], fact["kind"], values.get(fact["key"])) for fact in scene.facts if not fact["per_seat"]]
    return [one for one in found if one[1] != "seat" and one[2] not in (None, "")][:6]


def _list_facts(sheet: Sheet, scene: Scene, facts: Sequence[tuple[str, str, Any]], y: float) -> None:
    """Draw facts as a table at the left."""
    for number, (label, kind, value) in enumerate(facts):
        line = y + number * 32 + 22
        sheet.text(label, MARGIN, line, 19, 130, fill=SOFT)
        if kind == "suit" and value in scene.deck.suits:
            sheet.suit(value, MARGIN + 134, line - 16, 18)
        else:
            sheet.text(str(value), MARGIN + 134, line, 19, 90)


def _foot(sheet: Sheet, scene: Scene) -> None:
    """Draw what happened and the name of the match below the table."""
    sheet.box(0, HEIGHT - FOOT, WIDTH, FOOT, SHADE, 0)
    sheet.text(scene.words, MARGIN, HEIGHT - 54, 24, WIDTH - 2 * MARGIN)
    taken = sheet.text("Suit Arena", WIDTH - MARGIN, HEIGHT - 20, 19, text_anchor="end", fill=SOFT)
    sheet.text(scene.title, MARGIN, HEIGHT - 20, 19, WIDTH - 3 * MARGIN - taken, fill=SOFT)


def _score(scene: Scene, seat: int) -> str:
    keys = [fact["key"] for fact in scene.facts if fact["per_seat"] and fact["kind"] == "number"]
    points = scene.position.facts.get(keys[-1]) if keys else None
    return "" if points is None else str(points[seat])


def _face(scene: Scene, card: Placed) -> str:
    known = card.known_to(scene.viewer) and card.token in scene.deck.drawn
    return card.token if known else "back"


def _sorted(scene: Scene, cards: Sequence[Placed]) -> list[Placed]:
    """Return a hand in the order of the deck, cards that are face down last."""
    order = {token: number for number, token in enumerate(chain(scene.deck.faces, ["back"]))}
    return sorted(cards, key=lambda card: order[_face(scene, card)])
