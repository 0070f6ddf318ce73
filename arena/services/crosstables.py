"""Crosstables: what every bot took from every other, in a tournament or in a variant, and two of them head to head."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Table, TableSeat, Tournament, User, Version
from arena.games.errors import NotFound
from arena.services import tallies
from arena.services.context import Arena
from arena.services.plans import rules_of
from arena.services.ratings import leaders
from arena.services.shapes import DONE
from arena.services.starting import find
from arena.services.tallies import Scope
from arena.services.tournament_standings import standings
from arena.tournament.intervals import Sums
from arena.tournament.pairs import turned

MOST: Final = 200
"""Bots in a crosstable; of more the best are shown."""
DETAILED: Final = 40
"""With more bots than this there are no intervals: they take longer to compute than a page may."""
LATEST: Final = 20
"""Tables that a head to head lists."""


@dataclass(frozen=True)
class Cell:
    """What one bot took from another."""

    tables: int
    """At which both sat."""
    share: float
    """Match points taken of those that the two played for, 0 to 1."""
    interval: tuple[float, float] | None = None
    """Of the share, 95 %, clustered by table; None below two tables, and in large crosstables."""
    superiority: float | None = None
    """The likelihood that the true share is above a half; None where there is no interval."""


@dataclass(frozen=True)
class Crossed:
    """A bot of a crosstable."""

    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int
    """Its number."""


@dataclass(frozen=True)
class Crosstable:
    """Every pair of some bots."""

    bots: tuple[Crossed, ...]
    """The best first."""
    cells: Mapping[tuple[int, int], Cell]
    """By versions: what the first took from the second. Pairs that have not met are left out."""
    omitted: int
    """How many bots there are besides."""


@dataclass(frozen=True)
class HeadToHead:
    """Two versions against each other in a variant."""

    variant: str
    a: Crossed
    b: Crossed
    cell: Cell | None
    """What a took from b; None where they have not met."""
    tables: tuple[tuple[int, str, float, float], ...]
    """The latest at which both sat, latest first: id, tournament, match points of a and of b at the whole table."""


def of_tournament(arena: Arena, tournament_id: int) -> Crosstable:
    """The crosstable of a tournament, in the order of its standings. Raises NotFound."""
    with arena.reading() as session:
        rows = standings(session, find(session, tournament_id))
        bots = [Crossed(row.bot_id, row.bot, row.owner, row.version_id, row.version) for row in rows]
        return _crosstable(session, tournament_id, bots)


def of_variant(arena: Arena, variant: str) -> Crosstable:
    """The crosstable of all that was played in a variant, of active bots in the order of the leaderboard.

    Raises OptionError.
    """
    rules_of(variant)
    with arena.reading() as session:
        rows = leaders(session, variant)
        bots = [Crossed(row.bot_id, row.bot, row.owner, row.version_id, row.version) for row in rows]
        return _crosstable(session, variant, bots)


def head_to_head(arena: Arena, variant: str, a: int, b: int) -> HeadToHead:
    """Two versions against each other. Raises NotFound and OptionError."""
    rules_of(variant)
    with arena.reading() as session:
        names = {one.version_id: one for one in named(session, (a, b))}
        if a == b or len(names) < 2:
            raise NotFound("A head to head is of two different versions that exist.")
        met = tallies.pairs(session, variant, (a, b)).get((min(a, b), max(a, b)))
        both = None if met is None else cell(met if a < b else turned(met))
        return HeadToHead(variant, names[a], names[b], both, _latest(session, variant, a, b))


def _crosstable(session: Session, scope: Scope, bots: Sequence[Crossed]) -> Crosstable:
    shown = bots[:MOST]
    detailed = len(shown) <= DETAILED
    cells: dict[tuple[int, int], Cell] = {}
    versions = {bot.version_id for bot in shown}
    # All pairs and not those of these bots alone: naming two hundred twice costs more than reading some in vain.
    for (a, b), sums in tallies.pairs(session, scope).items():
        if a in versions and b in versions:
            cells[a, b] = cell(sums, detailed)
            cells[b, a] = cell(turned(sums), detailed)
    return Crosstable(tuple(shown), cells, len(bots) - len(shown))


def cell(sums: Sums, detailed: bool = True) -> Cell:
    """What these sums come to."""
    if not detailed:
        return Cell(sums.tables, sums.share())
    return Cell(sums.tables, sums.share(), sums.interval(), sums.superiority())


def named(session: Session, versions: Sequence[int]) -> list[Crossed]:
    """Versions by name, in no order; those that do not exist are left out."""
    found = session.execute(
        select(Bot.id, Bot.name, User.name, Version.id, Version.number)
        .select_from(Version)
        .join(Bot, Bot.id == Version.bot_id)
        .join(User, User.id == Bot.owner_id)
        .where(Version.id.in_(versions))
    )
    return [Crossed(*row) for row in found]


def _latest(session: Session, variant: str, a: int, b: int) -> tuple[tuple[int, str, float, float], ...]:
    mine, other = TableSeat.__table__.alias("mine"), TableSeat.__table__.alias("other")
    found = session.execute(
        select(Table.id, Tournament.name, mine.c.half_points, other.c.half_points)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .join(mine, mine.c.table_id == Table.id)
        .join(other, other.c.table_id == Table.id)
        .where(mine.c.version_id == a, other.c.version_id == b)
        .where(Tournament.variant == variant, Table.state == DONE)
        .order_by(mine.c.table_id.desc())
        .limit(LATEST)
    )
    return tuple((table, name, own / 2, others / 2) for table, name, own, others in found)
