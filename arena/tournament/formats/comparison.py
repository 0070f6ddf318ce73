"""Comparison: two versions at every table, and a field of others that fill the remaining places in turn.

Tables are made a few at a time, until the sequential test (`arena.tournament.sequential`) ends.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.tournament.formats.base import Table
from arena.tournament.sequential import SequentialTest
from arena.words import N_

NAME: Final = "comparison"
TITLE: Final = N_("Comparison")
SUMMARY: Final = N_("Two versions in a mixed field, until it is clear which is better.")

A, B = 0, 1
"""The entries that are compared."""

DEFAULT_DELTA: Final = 0.05
"""Default lead that counts as better: 52.5 to 47.5 of 100 match points that two bots share."""
MIN_DELTA, MAX_DELTA = 0.01, 0.5
DEFAULT_TABLES: Final = 150
"""Default number of tables after which a comparison ends without an answer."""
MIN_TABLES, MAX_TABLES = 20, 2_000

WAITING: Final = 8
"""Number of tables created in advance, and the most that are wasted when the test ends. A table can have twice the
matches of other formats."""
LOOK_EVERY: Final = 2
"""Number of settled tables from one run of the test to the next, because a run takes a while."""


class TableLead(NamedTuple):
    """Lead of B over A at one table."""

    number: int
    """Number of the table."""
    ahead: int
    """Half points of B minus those of A."""
    most: int
    """Largest possible value of `ahead`."""


def fewest_tables(delta: float) -> int:
    """Return the least number of tables that a comparison may be limited to: with fewer there is rarely an answer."""
    return max(MIN_TABLES, SequentialTest(delta=delta, most_tables=MAX_TABLES).fewest_tables)


def tables(field: Sequence[int], places: int, start: int, wanted: int) -> list[Table]:
    """Return tables `start` to `start + wanted - 1`, each with entries 0 and 1 and company from `field`.

    Companies go round the field, so all entries in it sit equally often. `field` has at least `places` - 2 entries.
    Every table plays both orders of 0 and 1 (`arena.tournament.seatings.BOTH`).
    """
    return [_table(field, places - 2, number) for number in range(start, start + wanted)]


def is_due(settled: int, unsettled: int) -> bool:
    """Return whether to run the test now: after every `LOOK_EVERY` tables, or when few tables wait."""
    return unsettled <= WAITING // 2 or settled % LOOK_EVERY == 0


def wanted(made: int, unsettled: int, played: int, most: int) -> int:
    """Return the number of tables to create now.

    `most` is the number of tables after which the test ends. Up to `WAITING` tables wait at a time; no more are made
    than the test can still use, and at most twice `most` in all, which leaves room for tables that fail.
    """
    return max(0, min(WAITING - unsettled, most - played - unsettled, 2 * most - made))


def _table(field: Sequence[int], others: int, number: int) -> Table:
    first = number * others
    return (A, B, *(field[(first + index) % len(field)] for index in range(others)))
