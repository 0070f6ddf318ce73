"""Matches worth a look: the latest, closest, strangest and best of a bot, a tournament or the last week.

A page chooses from the latest `WINDOW` matches of its scope, so that it takes the same time however many there are.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from arena.db.clock import now
from arena.db.models import Bot, Match, MatchSeat, RatingEvent, Table, TableSeat, Tournament, Version
from arena.games.errors import NotFound
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.base.times import moment
from arena.services.tables import matches
from arena.services.tables.views import MatchRow, SeatRow
from arena.tournament import standouts
from arena.tournament.standouts import Mark, Played, Seat
from arena.words import _

WINDOW: Final = 1000
"""Number of matches to choose from."""
AROUND: Final = 4000
"""Number of matches at the tables of these that they are compared with."""
SHOWN: Final = 25
"""Number of matches on a page."""
WEEK: Final = 7 * 86400.0
"""Seconds of a week."""


class Scope(NamedTuple):
    """Matches to choose from: of a bot, of a tournament, of a bot in a tournament, or else of the last week."""

    bot: int | None = None
    """ID of the bot."""
    tournament: int | None = None
    """ID of the tournament."""


@dataclass(frozen=True)
class Highlight:
    """A match in the list, with the reason for listing it."""

    row: MatchRow
    seat: SeatRow | None = None
    """Seat of the bot that stands out; None in the lists of the latest matches and of faults."""
    other: SeatRow | None = None
    """Seat of the bot that it is compared with; None if that is all others with the same cards."""
    value: float = 0.0
    """Points by which it won, rating that it lacked, or points more than the others."""


@dataclass(frozen=True)
class HighlightsPage:
    """Matches worth a look."""

    name: str | None
    """Name of the bot or tournament, or both; None for the last week."""
    highlights: tuple[Highlight, ...]
    considered: int
    """Number of matches that these were chosen from."""
    since: datetime | None
    """When the first of them ended; None if there are none."""
    variants: tuple[str, ...]
    """IDs of the variants of the scope's matches, the most frequent first."""


def highlights(arena: Arena, kind: str, scope: Scope, variant: str | None = None) -> HighlightsPage:
    """Return the first matches of a kind in `KINDS`, of one variant or all. Raises `NotFound`."""
    with arena.reading() as session:
        name = _name(session, scope)
        mine = None if scope.bot is None else _versions(session, scope.bot)
        found = _found(session, _latest(session, scope, mine), recent=scope == Scope())
        variants = Counter(row.variant for row in found).most_common()
        chosen = [row for row in found if variant in (None, row.variant)]
        marks = KINDS[kind](_Window(session, chosen, mine))[:SHOWN]
        rows = matches.rows(session, [mark.match for mark in marks])
        listed = tuple(_highlight(row, mark) for row, mark in zip(rows, marks, strict=True))
        since = min((moment(row.finished) for row in chosen), default=None)
        return HighlightsPage(name, listed, len(chosen), since, tuple(id for id, _ in variants))


@dataclass
class _Window:
    """Matches to choose from."""

    session: Session
    found: Sequence[Any]
    """Their columns, the latest first."""
    mine: Collection[int] | None
    """IDs of the bot's versions; None without a bot."""

    @cached_property
    def faultless(self) -> list[Played]:
        """Matches in which no bot failed, and those with the same cards."""
        return _faultless(self.session, {row.table_id: row for row in self.found})

    @property
    def own(self) -> list[Played]:
        """Faultless matches of the bot, or all of them."""
        return [match for match in self.faultless if any(map(self.counts, match.seats))]

    def counts(self, seat: Seat) -> bool:
        """Return whether the bot sat there; true without a bot."""
        return self.mine is None or seat.version in self.mine


def _latest_matches(window: _Window) -> list[Mark]:
    return [Mark(row.id, None, None, 0.0) for row in window.found]


def _best(window: _Window) -> list[Mark]:
    return [mark for mark in standouts.best(window.faultless) if mark.seat and window.counts(mark.seat)]


def _faults(window: _Window) -> list[Mark]:
    query = select(MatchSeat.match_id).where(MatchSeat.match_id.in_([row.id for row in window.found]))
    if window.mine is not None:
        query = query.where(MatchSeat.version_id.in_(window.mine))
    failed = set(window.session.scalars(query.where(MatchSeat.fault.is_not(None))))
    return [Mark(row.id, None, None, 0.0) for row in window.found if row.id in failed]


KINDS: Final[Mapping[str, Callable[[_Window], list[Mark]]]] = MappingProxyType(
    {
        "latest": _latest_matches,
        "closest": lambda window: standouts.closest(window.own),
        "upsets": lambda window: standouts.upsets(window.own, _ratings_before(window)),
        "best": _best,
        "faults": _faults,
    }
)
"""Kinds of lists."""


def _name(session: Session, scope: Scope) -> str | None:
    names = []
    if scope.bot is not None:
        missing = _("There is no bot %(id)s.", id=scope.bot)
        names.append(_named(session.scalar(select(Bot.name).where(Bot.id == scope.bot)), missing))
    if scope.tournament is not None:
        which = select(Tournament.name).where(Tournament.id == scope.tournament, Tournament.rated)
        names.append(_named(session.scalar(which), _("There is no tournament %(id)s.", id=scope.tournament)))
    if len(names) == 2:
        return _("%(bot)s in %(tournament)s", bot=names[0], tournament=names[1])
    return names[0] if names else None


def _named(name: str | None, missing: str) -> str:
    if name is None:
        raise NotFound(missing)
    return name


def _versions(session: Session, bot_id: int) -> Sequence[int]:
    """Return the IDs of a bot's versions, the newest first."""
    return session.scalars(select(Version.id).where(Version.bot_id == bot_id).order_by(Version.number.desc())).all()


def _latest(session: Session, scope: Scope, mine: Sequence[int] | None) -> Sequence[int]:
    """Return the IDs of the latest matches of a scope, at most `WINDOW`."""
    latest = select(Match.id).where(Match.superseded.is_(False)).limit(WINDOW)
    if scope.tournament is not None:
        here = [Table.tournament_id == scope.tournament, Table.state == TableState.DONE]
        if mine is not None:
            here.append(Table.id.in_(select(TableSeat.table_id).where(TableSeat.version_id.in_(mine))))
        return session.scalars(
            latest.join(Match.table).where(*here).order_by(Table.number.desc(), Match.id.desc())
        ).all()
    if mine is not None:
        return _latest_of(session, mine)
    rated = select(Tournament.rated).join(Table, Table.tournament_id == Tournament.id)
    counts = rated.where(Table.id == Match.table_id).scalar_subquery()
    return session.scalars(latest.where(counts.is_(True)).order_by(Match.id.desc())).all()


def _latest_of(session: Session, version_ids: Sequence[int]) -> Sequence[int]:
    """Return the IDs of the latest matches of a bot, those of newer versions first."""
    found: dict[int, None] = {}
    for version_id in version_ids:
        found |= dict.fromkeys(matches.latest_of_one(session, version_id, WINDOW - len(found)))
    return list(found)


def _found(session: Session, ids: Sequence[int], recent: bool) -> Sequence[Any]:
    """Return these matches with their seats, the latest first; if `recent`, only those of the last week."""
    query = (
        select(Match.id, Match.table_id, Match.finished, Tournament.variant, Tournament.boards)
        .join(Match.table)
        .join(Table.tournament)
        .where(Match.id.in_(ids), Tournament.rated)
        .order_by(Match.id.desc())
    )
    return session.execute(query.where(Match.finished >= now() - WEEK) if recent else query).all()


def _faultless(session: Session, tables: Mapping[int, Any]) -> list[Played]:
    """Return the matches at these tables in which no bot failed, at most `AROUND`."""
    played = session.execute(
        select(Match.id, Match.table_id, Match.seating)
        .where(Match.table_id.in_(tables), Match.superseded.is_(False))
        .order_by(Match.table_id.desc(), Match.seating)
        .limit(AROUND)
    ).all()
    counts = Counter(row.table_id for row in played)
    seats = _seats(session, [row.id for row in played])
    return [
        Played(
            row.id, row.table_id, row.seating // max(1, counts[row.table_id] // tables[row.table_id].boards),
            tables[row.table_id].variant, seats[row.id],
        )
        for row in played
        if row.id in seats
    ]  # fmt: skip


def _seats(session: Session, match_ids: Sequence[int]) -> dict[int, list[Seat]]:
    """Return the seats of those matches in which no bot failed, by match."""
    columns = (MatchSeat.match_id, MatchSeat.seat, MatchSeat.version_id, MatchSeat.score, MatchSeat.rank)
    query = select(*columns, MatchSeat.fault).where(MatchSeat.match_id.in_(match_ids)).order_by(*columns[:2])
    # Straight from the driver's cursor, because SQLAlchemy's row objects would take half of the time.
    found: Any = session.connection().execute(query).cursor
    groups = ((match_id, list(rows)) for match_id, rows in groupby(found, key=itemgetter(0)))
    return {
        match_id: [Seat(*row[1:5]) for row in rows] for match_id, rows in groups if all(row[5] is None for row in rows)
    }


def _ratings_before(window: _Window) -> dict[tuple[int, int], float]:
    """Return the mu of each version before each table of the bot's matches, without versions that had none."""
    tables = {match.table for match in window.own}
    earlier = aliased(RatingEvent)
    last = select(func.max(earlier.table_id)).where(
        earlier.variant == Tournament.variant,
        earlier.version_id == TableSeat.version_id,
        earlier.table_id < TableSeat.table_id,
    )
    found = window.session.execute(
        select(TableSeat.table_id, TableSeat.version_id, RatingEvent.mu)
        .join(Table, Table.id == TableSeat.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .join(RatingEvent, RatingEvent.version_id == TableSeat.version_id)
        .where(
            TableSeat.table_id.in_(tables),
            RatingEvent.table_id == last.correlate(TableSeat, Tournament).scalar_subquery(),
        )
    )
    return {(table, version): mu for table, version, mu in found}


def _highlight(row: MatchRow, mark: Mark) -> Highlight:
    seats = {seat.seat: seat for seat in row.seats}
    seat, other = (None if one is None else seats[one.seat] for one in (mark.seat, mark.other))
    return Highlight(row, seat, other, mark.value)
