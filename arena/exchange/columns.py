"""Tables of the Parquet files: names, types and meanings of their columns. `docs/data.md` is written from them."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple


class Column(NamedTuple):
    """A column of a Parquet table."""

    name: str
    type: str
    """Type in Arrow's words; `text` is a string that is stored once per part."""
    meaning: str


MATCH: Final = Column("match", "int64", "ID of the match.")
TABLE: Final = Column("table", "int64", "ID of the table.")
VERSION: Final = Column("version", "int64", "ID of the version; `season.json` has its bot.")
VARIANT: Final = Column("variant", "text", "ID of the variant.")
SEAT: Final = Column("seat", "int8", "Number of the seat, from 0, clockwise.")

TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "matches": (
        MATCH,
        TABLE,
        Column("tournament", "int64", "ID of the tournament."),
        VARIANT,
        Column("seating", "int16", "Number of the match within its table, by set of boards, then by seating."),
        Column("finished", "float64", "Time of its end, in seconds since 1970."),
        Column("moves", "int32", "Number of its moves."),
    ),
    "cards": (
        MATCH,
        Column("board", "int16", "Number of the board within the match, from 0."),
        Column("card", "text", "The card, as in the record."),
        Column("place", "text", "Seat whose hand has the card, or the pile, `turn_up` or `tie_break` that it lies in."),
        Column("position", "int16", "Number in its pile, from 0 at the top, or seat of a tie-break; null in a hand."),
    ),
    "seats": (
        MATCH,
        SEAT,
        VERSION,
        Column("score", "int32", "Score by the rules."),
        Column("rank", "int8", "Rank after the fault policy; 1 is the best, and equal ranks are ties."),
        Column("fault", "text", "Kind of its fault; null if it did not fail."),
        Column("cpu", "float32", "CPU time of its answers in seconds."),
        Column("wall", "float32", "Real time of its answers in seconds; null if not measured."),
        Column("memory", "int64", "Peak memory in bytes."),
    ),
    "moves": (
        MATCH,
        Column("move", "int16", "Number of the move within the match, from 0."),
        SEAT,
        Column("action", "text", "The action, as in the record."),
    ),
    "results": (
        TABLE,
        Column("tournament", "int64", "ID of the tournament."),
        VARIANT,
        Column("place", "int16", "Number of the place at the table, from 0."),
        VERSION,
        Column("half_points", "int32", "Twice the match points."),
        Column("rank", "int16", "Rank at the table, by match points."),
        Column("faults", "int32", "Number of its matches with a fault."),
    ),
    "ratings": (
        TABLE,
        VARIANT,
        VERSION,
        Column("mu", "float64", "Mean of the rating after the table."),
        Column("sigma", "float64", "Standard deviation of the rating after the table."),
        Column("tables", "int32", "Number of the version's rated tables, with this one."),
        Column("matches", "int32", "Number of the matches of these tables."),
    ),
}
"""Columns by table, in the order of the files."""


def dictionary() -> str:
    """Return the data dictionary as Markdown."""
    return "\n".join(f"### `{name}`\n\n{listed(columns)}\n" for name, columns in TABLES.items())


def listed(columns: Iterable[Column]) -> str:
    """Return columns as a table in Markdown."""
    rows = (f"| `{column.name}` | {column.type} | {column.meaning} |" for column in columns)
    return "\n".join(["| column | type | meaning |", "|---|---|---|", *rows])
