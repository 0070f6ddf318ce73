"""Comparison: two versions at every table, in a field of others that take turns."""

from collections.abc import Sequence

from arena.tournament.formats.table import Table

A, B = 0, 1
"""The entries that are compared."""


def comparison(field: Sequence[int], places: int, start: int, wanted: int) -> list[Table]:
    """The tables number `start` and following, so many, between the entries 0 and 1 and entries of `field`.

    The order of places matters here: who sits at the left hand of whom is part of a table. So every company of others
    is met twice in a row, once with A before B and once with B before A. The companies go round the field, so that
    everybody in it comes equally often. `field` has at least `places` - 2 entries.
    """
    return [_table(field, places - 2, number) for number in range(start, start + wanted)]


def _table(field: Sequence[int], others: int, number: int) -> Table:
    first = number // 2 * others
    company = tuple(field[(first + index) % len(field)] for index in range(others))
    return (A, B, *company) if number % 2 == 0 else (B, A, *company)
