"""Archives hold every value that the databases hold."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import JSON, Table

from arena.db.archive import Archive, write
from arena.db.base import Base
from arena.db.rows import Counter, Row, Snapshot, Tally

SEATS = Base.metadata.tables["match_seats"]
"""Table with columns of all types."""
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**63), 2**63 - 1),
    float: NUMBERS,
    str: TEXTS,
    bytes: st.binary(),
}
"""Values by the Python type of the column."""
JSON_TEXTS = st.dictionaries(TEXTS, NUMBERS).map(json.dumps)


def value_of(column: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a column."""
    values = JSON_TEXTS if isinstance(column.type, JSON) else VALUES[column.type.python_type]
    return st.none() | values if column.nullable else values


def tally(rows: list[Row]) -> Tally:
    """Return the tally of these rows."""
    counter = Counter(SEATS, list(SEATS.columns.keys()))
    assert list(counter.through(rows)) == rows
    return counter.tally


@settings(max_examples=40)
@given(st.lists(st.tuples(*map(value_of, SEATS.columns))))
def test_rows_read_are_the_rows_written(rows: list[Row]) -> None:
    """Every number, text, byte string and JSON text comes back unchanged, with the same tally."""

    def stored(table: Table) -> Iterator[Row]:
        return iter(rows)

    columns = {SEATS.name: list(SEATS.columns.keys())}
    snapshot = SimpleNamespace(revision="0001", tables={SEATS.name: SEATS}, columns=columns, rows=stored)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arena.zip"
        with path.open("wb") as file:
            write(file, cast(Snapshot, snapshot), 0.0)
        with Archive(path) as archive:
            assert repr(list(archive.rows(SEATS))) == repr(rows)  # repr: 0.0 and -0.0 are equal
            assert archive.tallies == {SEATS.name: tally(rows)}


def test_tally_ignores_order_and_the_writing_of_json() -> None:
    """PostgreSQL returns rows in any order, sorts the keys of jsonb, and writes large floats in digits."""
    names = list(SEATS.columns.keys())
    row = dict.fromkeys(names) | {"match_id": 1, "view": '{"b": 1e22, "a": 0.10}'}
    other, same = row | {"match_id": 2}, row | {"view": '{"a": 0.1, "b": 10000000000000000000000}'}
    first, second, again = (tuple(each.values()) for each in (row, other, same))

    assert tally([first, second]) == tally([second, again])
    assert tally([first, second]) != tally([first, first])
    assert tally([first, first, second]) != tally([second])
