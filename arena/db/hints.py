"""Hints for query planners that would otherwise choose an index which reads more rows as history grows."""

from typing import Any

from sqlalchemy import ColumnElement, func


def unindexed(column: Any) -> ColumnElement[Any]:
    """Return the value of a text column that is never NULL, as an expression that no index serves.

    SQLite assumes that an equation selects fewer rows than a range of IDs, and most rows may equal one value.
    """
    return func.coalesce(column, "")
