"""Sheets: tables of text that people exchange with spreadsheets, as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from arena.games.errors import Refused
from arena.words import _, number

BOM: Final = "\ufeff"
"""Mark at the start of a file without which Excel does not read UTF-8."""
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of cells that spreadsheets execute."""
LARGEST: Final = 2**20
"""Largest size of a CSV file that is read, in bytes."""
MOST_LINES: Final = 10_000
"""Largest number of its lines, blank ones included."""
DELIMITERS: Final = ",;\t"


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV that spreadsheets open without running formulas: such a text gets a leading apostrophe.

    Numbers, also negative ones, stay as they are, and None becomes an empty cell.
    """
    return "".join(csv_lines(rows))


def csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of `as_csv` one by one, for sheets that are too long to be held in memory."""
    start = BOM
    for row in rows:
        out = io.StringIO()
        csv.writer(out).writerow([_guarded(cell) for cell in row])
        yield start + out.getvalue()
        start = ""


def from_csv(data: bytes) -> list[tuple[int, list[str]]]:
    """Return the lines of a CSV file that are not blank: the number of the line, and its cells without outer spaces.

    Commas, semicolons and tabs separate cells, whichever occurs first in the first line. Raises `Refused`.
    """
    if len(data) > LARGEST:
        values = {"size": number(len(data)), "most": number(LARGEST)}
        raise Refused(_("The file has %(size)s bytes; at most %(most)s are allowed.", **values))
    text = _decoded(data)
    if max(text.count("\n"), text.count("\r")) > MOST_LINES:
        raise Refused(_("The file has too many lines; at most %(most)s are allowed.", most=number(MOST_LINES)))
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = next((character for character in first if character in DELIMITERS), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        lines = [(reader.line_num, [_plain(cell) for cell in cells]) for cells in reader]
    except csv.Error as error:
        raise Refused(_("Line %(line)s is not CSV: %(error)s.", line=reader.line_num, error=error)) from None
    return [(line, cells) for line, cells in lines if any(cells)]


def _guarded(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def _plain(cell: str) -> str:
    """Undo `_guarded`, so that an exported sheet can be imported again."""
    stripped = cell.strip()
    return stripped[1:] if stripped.startswith("'") and stripped[1:].startswith(FORMULAS) else stripped


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(_("The file is not in UTF-8. In Excel, save it as “CSV UTF-8 (comma delimited)”.")) from None
