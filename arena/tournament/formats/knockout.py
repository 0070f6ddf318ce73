"""Knockout: the best of every table advance, the others are eliminated, until a final decides first place.

All tables are full. A stage has as many tables as its entries fill, drawn by a snake over the seeds; those left over,
the best seeds, have a bye. Let n entries be in, p places at a table, and m the number that advance from each. The final
has p entries. If the m best of every table and the byes are fewer than p, the best of the others advance with them to
make p.

So the final is always full, and every table eliminates at least one entry. If none is added, each table eliminates
p - m >= 1. Otherwise n - p are eliminated by t = n // p tables. If t = 1, that is n - p >= 1, as the table would have
been the final otherwise. If t > 1, the other tables eliminate at most (t - 1)(p - m) < (t - 1) p <= n - p, so this one
eliminates at least one, too. Hence every stage leaves fewer entries, but never fewer than p. If all results follow the
seeding, the best seeds advance, and the best p meet in the final.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from arena.tournament.formats.base import Cost, StageSize, Table, snake
from arena.words import N_, _

NAME: Final = "knockout"
TITLE: Final = N_("Knockout")
SUMMARY: Final = N_(
    "The best of each table advance until one table is left. Seeded by rating; the best seeds may get a bye."
)


class Drawn(NamedTuple):
    """Draw of one stage."""

    tables: list[Table]
    byes: tuple[int, ...]
    """Entries that advance without a table, the best seed first."""


class NextStage(NamedTuple):
    """Step from one stage to the next."""

    tables: list[Table]
    """Tables of the next stage."""
    eliminated: list[frozenset[int]]
    """For each table of the last stage, the entries that it eliminates."""


class PastStage(NamedTuple):
    """Course of a stage that has been made."""

    byes: frozenset[int]
    """Entries that had a bye."""
    advanced: frozenset[int]
    """Entries that sat at a table and are known to have advanced."""
    final: bool
    """Whether it was the final."""


def stages(entries: int, places: int, advance: int) -> list[StageSize]:
    """Return the sizes of all stages, the final last; none with too few entries. `advance` is 1 to `places` - 1."""
    sizes: list[StageSize] = []
    alive = entries
    while alive > places:
        tables, byes = divmod(alive, places)
        sizes.append(StageSize(tables, byes))
        alive = max(places, tables * advance + byes)
    return [*sizes, StageSize(1)] if alive == places else sizes


def cost(entries: int, places: int, advance: int) -> Cost:
    """Return the cost of a knockout from which `advance` of each table go on to the next stage."""
    if advance >= places:
        return Cost(
            problem=_(
                "At most %(most)s of the %(places)s bots at a table can advance, not %(advance)s: "
                "every table must eliminate at least one.",
                most=places - 1,
                places=places,
                advance=advance,
            )
        )
    return Cost(tuple(stages(entries, places, advance)))


def next_stage(
    points: Sequence[Mapping[int, int]], alive: Sequence[int], places: int, advance: int
) -> NextStage | None:
    """Draw the stage that follows from the last one; None after the final, or if too few entries are left for a table.

    `points` holds for each table of the last stage the half points of its entries that are still in; it is empty before
    the first stage. `alive` holds all entries still in; those at no table had a bye.
    """
    byes = [entry for entry in alive if not any(entry in table for table in points)]
    if is_final(len(points), len(byes)):
        return None
    on = survivors(points, byes, places, advance)
    if len(on) < places:
        return None
    return NextStage(draw(on, places).tables, [frozenset(table.keys() - set(on)) for table in points])


def draw(alive: Sequence[int], places: int) -> Drawn:
    """Draw a stage from the entries still in, given in seeding order; no tables if they do not fill one."""
    byes = len(alive) % places
    return Drawn(snake(alive[byes:], places), tuple(alive[:byes]))


def survivors(tables: Sequence[Mapping[int, int]], byes: Sequence[int], places: int, advance: int) -> list[int]:
    """Return the entries still in after a stage, in seeding order, from the points at its tables.

    Ties go to the better seed. Withdrawn entries are left out of `tables` and `byes`, so the next one of their table
    advances.
    """
    points = {entry: own for table in tables for entry, own in table.items()}
    ranked = [sorted(table, key=lambda entry: (-points[entry], entry)) for table in tables]
    on = {*byes, *(entry for table in ranked for entry in table[:advance])}
    others = [(rank, -points[entry], entry) for table in ranked for rank, entry in enumerate(table[advance:])]
    added = sorted(others)[: max(0, places - len(on))]
    return sorted({*on, *(entry for _, _, entry in added)})


def is_final(tables: int, byes: int) -> bool:
    """Return whether a stage of this size is the final: one table with all entries that are in."""
    return tables == 1 and byes == 0


def stage_name(number: int, *, final: bool) -> str:
    """Return the name of a stage, numbered from 0, for users."""
    return _("Final") if final else _("Stage %(number)s", number=number + 1)


def history(seats: Sequence[Collection[int]], tables: Sequence[int], alive: Collection[int]) -> list[PastStage]:
    """Reconstruct the stages made so far, first to last.

    `seats` and `tables` hold for each stage the entries that sat and the number of tables; `alive` holds the entries
    that are not out.
    """
    past: list[PastStage] = []
    inside, on = frozenset(alive), frozenset[int]()
    for sat, count in zip(reversed(seats), reversed(tables), strict=True):
        here = frozenset(sat)
        byes = inside - here
        past.append(PastStage(byes, here & on, not past and is_final(count, len(byes))))
        on = inside = inside | here
    return past[::-1]


def reach(stages: int, last: int, half_points: int | None, *, alive: bool) -> tuple[int, int]:
    """Return how far an entry came: the number of its last stage and its half points there. More is better.

    `stages` is the number of stages made, `last` the number of the last one at which the entry sat (-1 if none), with
    its half points there. An entry that is still in has reached the latest stage, if only by a bye. Half points are -1
    if there are none.
    """
    stage = stages - 1 if alive else last
    return stage, -1 if last < stage or half_points is None else half_points
