"""Types and helpers that formats share."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

Table: TypeAlias = tuple[int, ...]
"""The entries that meet."""

Met: TypeAlias = Mapping[tuple[int, int], int]
"""Number of meetings of each pair of entries, the smaller entry first; missing pairs have not met."""


class StageSize(NamedTuple):
    """Size of a stage, known before its players are."""

    tables: int
    """Number of tables."""
    byes: int = 0
    """Number of entries that sit out."""


class Cost(NamedTuple):
    """Number of tables that a tournament will have."""

    stages: tuple[StageSize, ...] = ()
    """All stages in order; a format that makes its tables in one go has one."""
    per_bot: int | None = None
    """Tables per bot; None if it differs between bots or is not known in advance."""
    meetings: int | None = None
    """Meetings of each pair of bots; None if it differs between pairs or is not known in advance."""
    fewest: int | None = None
    """Lower bound on the number of tables, for formats that search for few."""
    problem: str | None = None
    """Why the tournament is not possible, for users; None if it is."""

    @property
    def tables(self) -> int:
        """Number of tables in all stages."""
        return sum(stage.tables for stage in self.stages)


def snake(entries: Sequence[int], places: int) -> list[Table]:
    """Make full tables of about equal strength from entries in order of strength.

    Entries are dealt to the tables in turn, forwards and backwards alternately. Those left over at the end have no
    table.
    """
    tables = len(entries) // places
    rows = [entries[place * tables : (place + 1) * tables] for place in range(places)]
    columns = zip(*(row[::-1] if turn % 2 else row for turn, row in enumerate(rows)), strict=True)
    return [tuple(sorted(column)) for column in columns]
