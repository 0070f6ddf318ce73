"""Crosstables of a tournament or variant, with the points of each bot against each other, and head-to-heads."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.hints import unindexed
from arena.db.models import Bot, Table, TableSeat, Tournament, User, Version
from arena.games.errors import NotFound
from arena.games.registry import rules_of
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.base.views import View, says
from arena.services.formats.views import StandingRow
from arena.services.ratings import tallies
from arena.services.ratings.pages import leaders, ranked
from arena.services.ratings.tallies import Scope
from arena.services.ratings.views import LeaderRow
from arena.services.tournaments.standings import standings
from arena.services.tournaments.starts import find
from arena.tournament.intervals import Sums
from arena.tournament.pairs import turned
from arena.words import _

MOST: Final = 100
"""Maximum number of bots in a crosstable; of more, the best are shown."""
DETAILED: Final = 40
"""Maximum number of bots in a crosstable with intervals, which take too long to compute for more."""
LATEST: Final = 20
"""Number of tables that a head-to-head lists."""


class Cell(NamedTuple):
    """Points of one version against another, or against all others."""

    tables: int
    """Number of tables that both played at."""
    share: float
    """Share of the match points between the two, 0 to 1."""
    interval: tuple[float, float] | None = None
    """95 % confidence interval of the share, clustered by table; None below two tables and in large crosstables."""
    superiority: float | None = None
    """Likelihood that the true share is above 0.5; None without an interval."""


class Contender(View, frozen=True):
    """A version in a crosstable."""

    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    owner: str
    version_id: int
    version: Annotated[int, says("Number of the version.")]


@dataclass(frozen=True)
class Crosstable:
    """Cells for the pairs of a list of bots."""

    bots: tuple[Contender, ...]
    """Versions in the order of standings or the leaderboard, best first."""
    cells: Mapping[tuple[int, int], Cell]
    """Points of the first version against the second, by version IDs, for each pair that has met."""
    omitted: int
    """Number of bots that are not shown."""


class Meeting(NamedTuple):
    """A table at which two versions met."""

    id: int
    tournament: str
    number: int
    """Number of the table in its tournament, from 0."""
    points: float
    """Match points of the first version at the table."""
    other_points: float


@dataclass(frozen=True)
class HeadToHead:
    """Two versions against each other in a variant."""

    variant: str
    a: Contender
    b: Contender
    cell: Cell | None
    """Points of a against b; None if they have not met."""
    tables: tuple[Meeting, ...]
    """Latest tables of both, newest first."""


class _Field(NamedTuple):
    """Bots of a crosstable."""

    bots: tuple[Contender, ...]
    """Those that it shows, best first."""
    total: int


def of_tournament(arena: Arena, tournament_id: int) -> Crosstable:
    """Return the crosstable of a tournament, in the order of its standings. Raises `NotFound`."""
    with arena.reading() as session:
        return _crosstable(session, tournament_id, _field(session, tournament_id))


def of_variant(arena: Arena, variant: str) -> Crosstable:
    """Return the crosstable of all tables of a variant, for active bots in the order of the leaderboard.

    Raises `OptionError` if there is no such variant.
    """
    rules_of(variant)
    with arena.reading() as session:
        return _crosstable(session, variant, _field(session, variant))


def edition(arena: Arena, scope: Scope) -> Hashable:
    """Return a value that differs whenever the crosstable of a tournament or variant does; much quicker than that.

    Raises `NotFound` if there is no such tournament.
    """
    with arena.reading() as session:
        return tallies.edition(session, scope), _field(session, scope)


def head_to_head(arena: Arena, variant: str, a: int, b: int) -> HeadToHead:
    """Return two versions, by ID, against each other.

    Raises `OptionError` if there is no such variant, and `NotFound` unless both versions exist and differ.
    """
    rules_of(variant)
    with arena.reading() as session:
        names = {one.version_id: one for one in named_versions(session, (a, b))}
        if a == b or len(names) < 2:
            raise NotFound(_("A head-to-head needs two different versions that exist."))
        met = tallies.pairs(session, variant, (a, b)).get((min(a, b), max(a, b)))
        both = None if met is None else cell(met if a < b else turned(met))
        return HeadToHead(variant, names[a], names[b], both, _latest(session, variant, a, b))


def _crosstable(session: Session, scope: Scope, field: _Field) -> Crosstable:
    bots, total = field
    detailed = len(bots) <= DETAILED
    cells: dict[tuple[int, int], Cell] = {}
    versions = {bot.version_id for bot in bots}
    # Listing 100 IDs twice in the query costs more than reading some extra rows, but less than all pairs of 1,000 bots.
    listed = versions if total > 2 * MOST else None
    for (a, b), sums in tallies.pairs(session, scope, listed).items():
        if a in versions and b in versions:
            cells[a, b] = cell(sums) if detailed else Cell(sums.tables, sums.share())
            cells[b, a] = cell(turned(sums)) if detailed else Cell(sums.tables, (sums.n - sums.h) / sums.n)
    return Crosstable(bots, cells, total - len(bots))


def _field(session: Session, scope: Scope) -> _Field:
    if isinstance(scope, int):
        entries = standings(session, find(session, scope))
        return _Field(tuple(map(_named, entries[:MOST])), len(entries))
    return _Field(tuple(map(_named, leaders(session, scope, MOST))), ranked(session, scope))


def _named(row: StandingRow | LeaderRow) -> Contender:
    return Contender(row.bot_id, row.bot, row.owner, row.version_id, row.version)


def cell(sums: Sums) -> Cell:
    """Convert sums to a cell with its interval and superiority."""
    return Cell(sums.tables, sums.share(), sums.interval(), sums.superiority())


def named_versions(session: Session, versions: Sequence[int]) -> list[Contender]:
    """Return these versions with their names, in no order and without IDs that do not exist."""
    columns = (Bot.id, Bot.name, User.name, Version.id, Version.number)
    named = select(*columns).select_from(Version).join(Version.bot).join(Bot.owner)
    found = session.execute(named.where(Version.id.in_(versions)))
    return [Contender(*row) for row in found]


def _latest(session: Session, variant: str, a: int, b: int) -> tuple[Meeting, ...]:
    mine, other = TableSeat.__table__.alias("mine"), TableSeat.__table__.alias("other")
    found = session.execute(
        select(Table.id, Tournament.name, Table.number, mine.c.half_points, other.c.half_points)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .join(mine, mine.c.table_id == Table.id)
        .join(other, other.c.table_id == Table.id)
        .where(mine.c.version_id == a, other.c.version_id == b)
        .where(Tournament.variant == variant, Tournament.rated, unindexed(Table.state) == TableState.DONE)
        .order_by(mine.c.table_id.desc())
        .limit(LATEST)
    )
    return tuple(Meeting(table, name, number, own / 2, others / 2) for table, name, number, own, others in found)
