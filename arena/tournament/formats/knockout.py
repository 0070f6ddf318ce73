"""Knockout: at every table of a stage the best go on, the others are out, until a final says who is first.

All tables are full. A stage has as many as the bots fill, drawn by a snake over the seeds; those who are over, the best
seeds, have a bye. Let n bots be in, p places at a table, and m the number that go on from each. The final has p bots.
Where the m best of every table and the byes are fewer than p, the best of the others go on with them, until they are p.

So the final is always full, and every table sends somebody home. Where nobody is added, each sends p - m >= 1. Where
some are, n - p go home from t = n // p tables. If t = 1, that is n - p >= 1, since else the table was the final. If
t > 1, the other tables send at most (t - 1)(p - m) < (t - 1) p <= n - p home, so this one sends somebody, too. Hence
every stage leaves fewer, and never fewer than p. If all goes by seeding, the best seeds go on, and the best p meet in
the final.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.tournament.formats.swiss import snake
from arena.tournament.formats.table import Table


class Drawn(NamedTuple):
    """One stage."""

    tables: list[Table]
    byes: tuple[int, ...]
    """Who goes on without a table, the best seed first."""


class StagePlan(NamedTuple):
    """One stage, before it is known who plays in it."""

    tables: int
    byes: int


def stages(entries: int, places: int, advance: int) -> list[StagePlan]:
    """All stages, the final last; none where there are too few entries. `advance` is 1 to `places` - 1."""
    plans: list[StagePlan] = []
    alive = entries
    while alive > places:
        tables, byes = divmod(alive, places)
        plans.append(StagePlan(tables, byes))
        alive = max(places, tables * advance + byes)
    return [*plans, StagePlan(1, 0)] if alive == places else plans


def draw(alive: Sequence[int], places: int) -> Drawn:
    """The next stage of those who are in, given in seeding order; no tables where they do not fill one."""
    byes = len(alive) % places
    return Drawn(snake(alive[byes:], places), tuple(alive[:byes]))


def going_on(tables: Sequence[Mapping[int, int]], byes: Sequence[int], places: int, advance: int) -> list[int]:
    """Who is in after a stage, in seeding order, from the points at its tables. Of equals, the better seed goes on.

    Whoever was withdrawn is left out of `tables` and `byes`: then the next one of its table goes on.
    """
    points = {entry: own for table in tables for entry, own in table.items()}
    ranked = [sorted(table, key=lambda entry: (-points[entry], entry)) for table in tables]
    on = {*byes, *(entry for table in ranked for entry in table[:advance])}
    others = [(rank, -points[entry], entry) for table in ranked for rank, entry in enumerate(table[advance:])]
    added = sorted(others)[: max(0, places - len(on))]
    return sorted({*on, *(entry for _, _, entry in added)})


def is_final(tables: int, byes: int) -> bool:
    """Whether a stage was the last: one table with everybody who is in."""
    return tables == 1 and byes == 0
