"""Parquet files of a part of an export: one for each table of `columns`. Needs pyarrow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.exchange import files
from arena.exchange.columns import TABLES, Column
from arena.exchange.lines import Cut, File, Match
from arena.games.errors import ArenaError

LEVEL: Final = 3
"""Level of zstd. Of 8,000 deals, level 19 saves 2 % and takes three times as long."""

GROUP: Final = 100_000
"""Number of rows that a row group has at least, unless it is the last. Small groups cost space for their heads."""
ENCODINGS: Final[Mapping[str, str]] = {
    "match": "DELTA_BINARY_PACKED",
    "table": "DELTA_BINARY_PACKED",
    "move": "DELTA_BINARY_PACKED",
    "cpu": "BYTE_STREAM_SPLIT",
    "wall": "BYTE_STREAM_SPLIT",
}
"""Encodings by column. All others have a dictionary, which takes the least space for few distinct values."""

Rows = dict[str, list[Sequence[Any]]]


def check_available() -> None:
    """Raise `ArenaError` if pyarrow is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401 -- an optional dependency
    except ImportError:
        raise ArenaError(
            "Parquet files need pyarrow. Install it: pip install 'suit-arena[parquet]', or leave them out: --no-parquet"
        ) from None


class Writer:
    """Writes the Parquet files of one part, batch by batch: one for each table of `tables`."""

    def __init__(
        self, paths: Mapping[str, Path], stack: ExitStack, tables: Mapping[str, Sequence[Column]] = TABLES
    ) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._pa = pa
        self._schemas = {name: pa.schema([_field(pa, column) for column in tables[name]]) for name in tables}
        self._writers = {
            name: stack.enter_context(pq.ParquetWriter(paths[name], self._schemas[name], **_options(tables[name])))
            for name in tables
        }
        self._waiting: dict[str, list[Any]] = {name: [] for name in tables}
        stack.callback(self._write_groups, 1)  # before the writers are closed
        self.rows = dict.fromkeys(tables, 0)

    def write(self, batch: Iterable[tuple[Cut, Sequence[Match]]]) -> None:
        """Write a batch of tables with their matches."""
        rows: Rows = {name: [] for name in TABLES}
        for cut, matches in batch:
            _add(rows, cut, matches)
        self.write_rows(rows)

    def write_rows(self, rows: Rows) -> None:
        """Write rows by table, in the order of the columns."""
        for name, found in rows.items():
            self.rows[name] += len(found)
            values = zip(*found, strict=True) if found else [()] * len(self._schemas[name])
            arrays = [
                self._pa.array(column, field.type) for column, field in zip(values, self._schemas[name], strict=True)
            ]
            self._waiting[name].append(self._pa.Table.from_arrays(arrays, schema=self._schemas[name]))
        self._write_groups(GROUP)

    def _write_groups(self, least: int) -> None:
        """Write the rows that wait, of each table with at least this number of them."""
        for name, waiting in self._waiting.items():
            if sum(map(len, waiting)) >= least:
                self._writers[name].write_table(self._pa.concat_tables(waiting).unify_dictionaries())
                waiting.clear()


@contextmanager
def writer(
    folder: Path, root: Path, part: int, tables: Mapping[str, Sequence[Column]] = TABLES
) -> Iterator[tuple[Writer, list[File]]]:
    """Yield the writer of a part, and a list that has its files, relative to `root`, afterwards."""
    made: list[File] = []
    targets = {name: path_of(folder, name, part) for name in tables}
    with ExitStack() as outer:
        parts = {name: outer.enter_context(files.written(path)) for name, path in targets.items()}
        with ExitStack() as inner:
            one = Writer(parts, inner, tables)
            yield one, made
    made += [files.described(root, path, one.rows[name]) for name, path in targets.items()]


def path_of(folder: Path, table: str, part: int) -> Path:
    """Return the path of a table's file of a part."""
    return folder / table / f"{part:06}.parquet"


def _options(columns: Sequence[Column]) -> dict[str, Any]:
    names = [column.name for column in columns]
    return {
        "compression": "zstd",
        "compression_level": LEVEL,
        "use_dictionary": [name for name in names if name not in ENCODINGS],
        "column_encoding": {name: ENCODINGS[name] for name in names if name in ENCODINGS},
    }


def _field(pa: Any, column: Column) -> Any:
    kind = pa.dictionary(pa.int16(), pa.string()) if column.type == "text" else pa.type_for_alias(column.type)
    return pa.field(column.name, kind, metadata={"meaning": column.meaning})


def _add(rows: Rows, cut: Cut, matches: Sequence[Match]) -> None:
    """Add the rows of a table, in the order of the columns."""
    table = cut.table
    rows["ratings"] += [
        (table.id, cut.variant, one.version, one.mu, one.sigma, one.tables, one.matches) for one in cut.ratings
    ]
    rows["results"] += [
        (table.id, table.tournament, cut.variant, number, one.version, one.half_points, one.rank, one.faults)
        for number, one in enumerate(table.places if matches else ())
    ]
    for match in matches:
        record = msgspec.json.decode(match.record)
        moves, faults = record["moves"], {fault["seat"]: fault["kind"] for fault in record["faults"]}
        head = (match.id, table.id, table.tournament, cut.variant, match.seating, match.finished)
        rows["matches"].append((*head, len(moves)))
        rows["cards"] += [
            (match.id, number, *card) for number, board in enumerate(record["boards"]) for card in cards(board)
        ]
        rows["moves"] += [(match.id, number, seat, action) for number, (seat, action) in enumerate(moves)]
        rows["seats"] += [
            (match.id, seat, one.version, score, rank, faults.get(seat), one.cpu, one.wall, one.memory)
            for seat, (one, score, rank) in enumerate(zip(match.seats, record["scores"], record["ranks"], strict=True))
        ]


def cards(board: Mapping[str, Any]) -> Iterator[tuple[str, str, int | None]]:
    """Yield the cards of a board with their places and positions. Hands have no order, so their cards are sorted."""
    yield from ((card, seat, None) for card, seat in sorted(
        (card, str(seat)) for seat, hand in enumerate(board.get("hands", ())) for card in hand
    ))  # fmt: skip
    for pile, cards in board.get("piles", {}).items():
        yield from ((card, pile, position) for position, card in enumerate(cards))
    if "turn_up" in board:
        yield board["turn_up"], "turn_up", 0
    yield from ((card, "tie_break", seat) for seat, card in enumerate(board.get("tie_break", ())))
