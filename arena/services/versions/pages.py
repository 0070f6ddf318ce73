"""Pages of two versions of a bot."""

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Match, MatchSeat, Table, TableSeat, Tournament, Version
from arena.games.divisions import CAGED
from arena.games.errors import NotFound, Refused
from arena.likeness.programs import Unreadable
from arena.match.record import unpack
from arena.match.views import SharedView, shared_views
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.states import PLAYABLE, TableState
from arena.services.base.uploads import python_files
from arena.services.bots.actions import source_of
from arena.services.bots.rows import find
from arena.services.numbers.crosstables import cell, named_versions
from arena.services.ratings import pages as ratings
from arena.services.ratings import tallies
from arena.services.ratings.views import RatingRow
from arena.services.versions.diffs import FileDiff, differences
from arena.services.versions.views import (
    DecisionOf,
    Decisions,
    Difference,
    DifferentDecision,
    Numbered,
    Ratings,
    SharedOpponent,
    VersionPair,
)
from arena.tournament.intervals import Interval
from arena.tournament.pairs import turned
from arena.words import _

MOST_TABLES: Final = 20
"""Maximum number of tables whose records are read for decisions."""
MOST_DECISIONS: Final = 50
MOST_OPPONENTS: Final = 30
NORMAL_95: Final = 1.96
CHUNK: Final = 50
"""Number of tables read in one transaction."""


class _Played(NamedTuple):
    """A match that counts."""

    id: int
    record: bytes
    seats: dict[int, int]
    """Version by seat."""


def pair(arena: Arena, bot_id: int, a: int | None, b: int | None, viewer: Account | None) -> VersionPair:
    """Return two versions of a bot by their numbers; without numbers, its latest and the one before.

    Raises `NotFound`.
    """
    with arena.reading() as session:
        bot = find(session, bot_id)
        valid = select(Version.id, Version.number).where(Version.bot_id == bot_id, Version.state.in_(PLAYABLE))
        versions = [Numbered(*row) for row in session.execute(valid.order_by(Version.number.desc()))]
        after = _numbered(versions, b) if b else next(iter(versions), None)
        before = _numbered(versions, a) if a else next((one for one in versions if one != after), None)
        if after is None or before is None or before == after:
            raise NotFound(
                _("%(name)s needs two different versions that passed the check, to compare them.", name=bot.name)
            )
        rated = ratings.current(session, (before.id, after.id)).values()
        variants = sorted({row.variant for rows in rated for row in rows})
        outside = bot.division != CAGED
        mine = may_see(bot.team, viewer) and not outside
        return VersionPair(bot.id, bot.name, mine, outside, before, after, versions, variants)


def results(arena: Arena, pair: VersionPair) -> list[Ratings]:
    """Return the ratings of both versions in each variant."""
    with arena.reading() as session:
        rated = ratings.current(session, (pair.a.id, pair.b.id))
        a, b = ({row.variant: row for row in rated.get(one.id, [])} for one in (pair.a, pair.b))
        return [_ratings(session, pair, variant, a.get(variant), b.get(variant)) for variant in pair.variants]


def opponents(arena: Arena, pair: VersionPair, variant: str) -> list[SharedOpponent]:
    """Return the opponents that both versions have met in a variant, the most often met first."""
    with arena.reading() as session:
        a, b = (tallies.opponents(session, variant, one.id) for one in (pair.a, pair.b))
        both = sorted(a.keys() & b.keys(), key=lambda one: -min(a[one].tables, b[one].tables))[:MOST_OPPONENTS]
        names = {one.version_id: one for one in named_versions(session, both)}
        return [SharedOpponent(names[one], cell(a[one]), cell(b[one])) for one in both]


def sources(arena: Arena, account: Account, pair: VersionPair) -> list[FileDiff]:
    """Return the Python files that differ. Raises `Refused` unless the account may read the bot's sources.

    Also raises `Refused` if they are too large to compare.
    """
    given = [source_of(arena, account, one.id) for one in (pair.a, pair.b)]
    if any(one.filename.endswith(".json") for one in given):
        raise Refused(_("Programs outside the arena have no sources here."))
    a, b = (one.data for one in given)
    try:
        return differences(python_files(a), python_files(b))
    except Unreadable as reason:
        raise Refused(_("The sources cannot be compared: %(reason)s.", reason=reason)) from None


def decisions(arena: Arena, pair: VersionPair, variant: str) -> Decisions:
    """Return the decisions of both versions on equal views, at the latest tables that both played at."""
    with arena.reading() as session:
        tables = _tables(session, pair, variant)
    views, found = 0, []
    for matches in _played(arena, tables):
        for shared in shared_views([unpack(match.record) for match in matches]):
            if (both := _both(pair, matches, shared)) is not None:
                views += 1
                found += [both] if both.a.action != both.b.action else []
    return Decisions(len(tables), views, found[:MOST_DECISIONS], len(found))


def _numbered(versions: Sequence[Numbered], number: int) -> Numbered:
    for one in versions:
        if one.number == number:
            return one
    raise NotFound(_("This bot has no version %(number)s that passed the check.", number=number))


def _ratings(session: Session, pair: VersionPair, variant: str, a: RatingRow | None, b: RatingRow | None) -> Ratings:
    low, high = sorted((pair.a.id, pair.b.id))
    met = tallies.pairs(session, variant, (low, high)).get((low, high))
    of_b = None if met is None else cell(met if pair.b.id == low else turned(met))
    return Ratings(variant, a, b, _difference(a, b) if a and b else None, of_b)


def _difference(a: RatingRow, b: RatingRow) -> Difference:
    mean, reach = b.mu - a.mu, NORMAL_95 * hypot(a.sigma, b.sigma)
    return Difference(mean, Interval(mean - reach, mean + reach))


def _tables(session: Session, pair: VersionPair, variant: str) -> Sequence[int]:
    """Return the latest finished tables at which both sat, latest first."""
    one, other = TableSeat.__table__.alias("one"), TableSeat.__table__.alias("other")
    return session.scalars(
        select(Table.id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .join(one, one.c.table_id == Table.id)
        .join(other, other.c.table_id == Table.id)
        .where(one.c.version_id == pair.a.id, other.c.version_id == pair.b.id)
        .where(Tournament.variant == variant, Table.state == TableState.DONE)
        .order_by(one.c.table_id.desc())
        .limit(MOST_TABLES)
    ).all()


def _both(pair: VersionPair, matches: Sequence[_Played], shared: SharedView) -> DifferentDecision | None:
    """Return what both versions chose on a view; None unless both had it."""
    first: dict[int, tuple[int, int]] = {}
    for number, seat, choice in shared.choices:
        first.setdefault(matches[number].seats[seat], (matches[number].id, choice))
    if pair.a.id not in first or pair.b.id not in first:
        return None
    view = msgspec.json.decode(shared.view)
    a, b = _choices(view["legal"], shared.move, first[pair.a.id], first[pair.b.id])
    return DifferentDecision(shared.phase, view, a, b)


def _choices(legal: Sequence[str], move: int, *chosen: tuple[int, int]) -> Iterator[DecisionOf]:
    return (DecisionOf(legal[choice], match_id, move) for match_id, choice in chosen)


def _played(arena: Arena, tables: Sequence[int]) -> Iterator[list[_Played]]:
    """Yield the matches of each of these tables that count, in the order of `tables`."""
    for at in range(0, len(tables), CHUNK):
        yield from _matches(arena, tables[at : at + CHUNK])


def _matches(arena: Arena, tables: Sequence[int]) -> list[list[_Played]]:
    columns = (Match.table_id, Match.id, Match.record, MatchSeat.seat, MatchSeat.version_id)
    query = select(*columns).join(Match.seats).where(Match.table_id.in_(tables), ~Match.superseded).order_by(Match.id)
    found: dict[int, dict[int, _Played]] = {table: {} for table in tables}
    with arena.reading() as session:
        for table, match, record, seat, version in session.execute(query):
            found[table].setdefault(match, _Played(match, record, {})).seats[seat] = version
    return [list(matches.values()) for matches in found.values()]
