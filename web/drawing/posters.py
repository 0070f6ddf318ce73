"""Pictures of bots and tournaments for previews of links: a title, rows with values, and a curve; 1200 by 630."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from web.drawing.cards import DECKS
from web.drawing.cards.picture import FOOT, HEIGHT, LIGHT, MARGIN, SHADE, SOFT, WIDTH, Sheet
from web.drawing.charts import Chart

ROWS: Final = 7
"""Largest number of rows."""
TOP: Final = 186
"""Where the rows and the curve begin."""
ROW: Final = 48
"""Height of a row."""
MIDDLE: Final = 620
"""Right end of the rows beside a curve."""
FAN: Final = {"french": ("AS", "KH", "QD", "JC"), "spanish": ("AO", "KC", "NE", "JB"), "ranks": ("A", "K", "Q", "J")}
"""Cards in the upper right corner, by deck."""
STYLES: Final = {
    "band": f'fill="{LIGHT}" fill-opacity="0.25"',
    "line": f'fill="none" stroke="{LIGHT}" stroke-width="4" stroke-linejoin="round"',
    "dot": f'stroke="{LIGHT}" stroke-width="14" stroke-linecap="round"',
    "whisker": f'stroke="{LIGHT}" stroke-width="3"',
    "mark": f'stroke="{SOFT}" stroke-width="2" stroke-dasharray="6 8"',
}
"""Attributes of the shapes of a curve, by kind."""


class Row(NamedTuple):
    """A row: a place, which may be empty, a name and a value."""

    place: str
    name: str
    value: str


class Poster(NamedTuple):
    """Contents of a picture."""

    title: str
    says: str
    """What it is, in a line below the title."""
    rows: Sequence[Row]
    empty: str
    """Words instead of rows if there are none."""
    deck: str = "french"
    """ID of the deck of its cards."""
    curve: Chart | None = None


def draw(poster: Poster) -> str:
    """Return a picture as SVG."""
    sheet = Sheet(DECKS[poster.deck])
    for number, card in enumerate(FAN[poster.deck]):
        sheet.card(card, 900 + 62 * number, 26, 86)
    sheet.text(poster.title, MARGIN, 84, 58, 860, font_weight="700")
    sheet.text(poster.says, MARGIN, 132, 26, 860, fill=SOFT)
    _list(sheet, poster)
    if poster.curve and poster.curve.rows:
        _curve(sheet, poster.curve)
    sheet.box(0, HEIGHT - FOOT + 40, WIDTH, FOOT - 40, SHADE, 0)
    sheet.text("Suit Arena", WIDTH - MARGIN, HEIGHT - 17, 22, text_anchor="end", fill=SOFT)
    return sheet.svg(f"{poster.title}: {poster.says}")


def _list(sheet: Sheet, poster: Poster) -> None:
    right = MIDDLE if poster.curve and poster.curve.rows else WIDTH - MARGIN
    places = 64 if any(row.place for row in poster.rows) else 0
    for number, row in enumerate(poster.rows[:ROWS]):
        y = TOP + number * ROW
        sheet.box(MARGIN, y, right - MARGIN, ROW - 6, SHADE, 8)
        sheet.text(row.place, MARGIN + 16, y + 30, 26, fill=SOFT)
        sheet.text(row.name, MARGIN + 16 + places, y + 30, 26, right - MARGIN - places - 32 - 16 * len(row.value))
        sheet.text(row.value, right - 16, y + 30, 26, text_anchor="end", font_weight="700")
    if not poster.rows:
        sheet.text(poster.empty, MARGIN, TOP + 36, 30, fill=SOFT)


def _curve(sheet: Sheet, chart: Chart) -> None:
    """Draw a curve at the right of the rows, with the values at the ends of its axes."""
    left, right, top, bottom = MIDDLE + 110, WIDTH - MARGIN - 12, TOP + 40, TOP + ROWS * ROW - 50
    sheet.text(chart.y.label, MIDDLE + 40, TOP + 22, 20, right - MIDDLE, fill=SOFT)
    for tick in chart.y.ticks:
        y = bottom - tick.at / 100 * (bottom - top)
        sheet.parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="{SOFT}" stroke-opacity="0.25"/>')
        sheet.text(tick.text, left - 14, y + 7, 20, text_anchor="end", fill=SOFT)
    for shape in chart.shapes:
        path = _placed(shape.path, (left, right), (top, bottom))
        sheet.parts.append(f'<path d="{path}" {STYLES[shape.kind]}/>')
    sheet.text(chart.x.label, right, bottom + 34, 20, text_anchor="end", fill=SOFT)


def _placed(path: str, across: tuple[float, float], down: tuple[float, float]) -> str:
    """Return a path of a chart, which is 100 by 100, between these ends. Scaling it would distort its strokes."""

    def at(values: tuple[float, float], part: str) -> str:
        return f"{values[0] + float(part) / 100 * (values[1] - values[0]):.1f}"

    moved = re.sub(r"([\d.]+) ([\d.]+)", lambda pair: f"{at(across, pair[1])} {at(down, pair[2])}", path)
    return moved.replace("V100", f"V{down[1]}")
