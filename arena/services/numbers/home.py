"""The home page."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Annotated, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.base import Base
from arena.db.models import Bot, Schedule, Table, Tournament, User
from arena.services.base.context import Arena
from arena.services.base.states import UNSETTLED, TableState, TournamentState
from arena.services.base.times import moment
from arena.services.base.views import Time, View, says
from arena.services.formats.registry import FORMATS
from arena.services.ratings import pages as ratings
from arena.services.ratings import tallies
from arena.services.ratings.views import LeaderRow
from arena.services.tables import matches
from arena.services.tables.rows import in_state, table_rows
from arena.services.tables.views import MatchRow, TableRow
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.views import TournamentRow

SHOWN_TOURNAMENTS, SHOWN_MATCHES, SHOWN_VARIANTS = 6, 8, 3
SHOWN_RUNNING, SHOWN_PLAYING, SHOWN_NEXT = 5, 4, 4
FEW: Final = 3
"""Number of running tournaments up to which placements fill the list."""
SHOWN_LEADERS: Final = {0: 0, 1: 10, 2: 5, 3: 3}
"""Number of leaders shown for each variant, by the number of variants shown."""


class Counts(View, frozen=True):
    """Totals of the whole arena."""

    bots: int
    users: int
    matches: int
    waiting: Annotated[int, says("Number of tables that are queued or running.")]


class Playing(View, frozen=True):
    """A table that is being played."""

    table: TableRow
    tournament_id: int
    tournament: str
    variant: str


class Upcoming(View, frozen=True):
    """A tournament that starts by itself, or the next one of a schedule."""

    at: Time
    name: str
    variant: str
    tournament_id: Annotated[int | None, says("Null if its schedule has not created it yet.")]
    schedule_id: Annotated[int | None, says("Null if the tournament exists.")]


class HomeFacts(View, frozen=True):
    """Present state of the arena, without ratings."""

    counts: Counts
    running: Annotated[tuple[TournamentRow, ...], says("Latest running tournaments except ladders, newest first.")]
    playing: Annotated[tuple[Playing, ...], says("Tables that are being played.")]
    coming: Annotated[tuple[Upcoming, ...], says("Next tournaments, the soonest first.")]
    tournaments: Annotated[tuple[TournamentRow, ...], says("Latest tournaments that are not running, newest first.")]
    matches: Annotated[tuple[MatchRow, ...], says("Latest matches, newest first.")]


class HomePage(HomeFacts, frozen=True):
    """The home page."""

    leaders: Mapping[str, tuple[LeaderRow, ...]]
    """Leaders of the variants played most recently, by variant."""

    @property
    def changes(self) -> bool:
        """Whether results are to be expected: a ladder may run for ever and rest."""
        return self.counts.waiting > 0 or any(not FORMATS[row.format].ongoing for row in self.running)


def home(arena: Arena) -> HomePage:
    """Return the home page: latest tournaments and matches, and the leaders of the variants that they played."""
    with arena.reading() as session:
        is_running = Tournament.state == TournamentState.RUNNING
        running = _running(session)
        others = tournament_pages.rows(session, SHOWN_TOURNAMENTS, Tournament.rated, ~is_running)
        latest = matches.latest(session, SHOWN_MATCHES)
        played = [match.variant for match in latest] + [row.variant for row in (*running, *others)]
        return HomePage(
            counts=_counts(session),
            running=running,
            playing=_playing(session),
            coming=_coming(session),
            tournaments=tuple(others),
            leaders=_leaders(session, played),
            matches=latest,
        )


def _running(session: Session) -> tuple[TournamentRow, ...]:
    """Return running tournaments that end; placements follow, so that many uploads do not hide a cup."""
    which = (Tournament.state == TournamentState.RUNNING, Tournament.rated)  # ladders have a priority below 0
    cups = tournament_pages.rows(session, SHOWN_RUNNING, *which, Tournament.priority == 0)
    placements = tournament_pages.rows(session, FEW, *which, Tournament.priority > 0)
    return (*cups, *placements)[: max(len(cups), FEW)]


def _playing(session: Session) -> tuple[Playing, ...]:
    found = session.execute(
        select(Table.id, Tournament.id, Tournament.name, Tournament.variant)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(in_state(TableState.RUNNING), Tournament.rated)
        .order_by(Table.id)
        .limit(SHOWN_PLAYING)
    ).all()
    rows = table_rows(session, [row[0] for row in found])
    return tuple(Playing(table, *row[1:]) for table, row in zip(rows, found, strict=True))


def _coming(session: Session) -> tuple[Upcoming, ...]:
    planned = session.execute(
        select(Tournament.starts_at, Tournament.name, Tournament.variant, Tournament.id)
        .where(Tournament.state == TournamentState.SCHEDULED)
        .order_by(Tournament.starts_at)
        .limit(SHOWN_NEXT)
    )
    scheduled = session.execute(
        select(Schedule.due_at, Schedule.name, Schedule.plan, Schedule.id)
        .where(Schedule.paused.is_(False), Schedule.due_at > 0)
        .order_by(Schedule.due_at)
        .limit(SHOWN_NEXT)
    )
    rows = [Upcoming(moment(at), name, variant, id, None) for at, name, variant, id in planned if at]
    rows += [Upcoming(moment(at), name, plan["variant"], None, id) for at, name, plan, id in scheduled]
    return tuple(sorted(rows, key=lambda row: row.at)[:SHOWN_NEXT])


def _leaders(session: Session, variants: Iterable[str]) -> dict[str, tuple[LeaderRow, ...]]:
    """Return the leaders of the first of these variants that have rated bots."""
    most = max(SHOWN_LEADERS.values())
    rated = ((variant, ratings.leaders(session, variant, most)) for variant in dict.fromkeys(variants))
    found = list(islice(((variant, rows) for variant, rows in rated if rows), SHOWN_VARIANTS))
    return {variant: tuple(rows[: SHOWN_LEADERS[len(found)]]) for variant, rows in found}


def _counts(session: Session) -> Counts:
    waiting = select(func.count()).select_from(Table).join(Table.tournament).where(Tournament.rated)
    return Counts(
        bots=_count(session, Bot),
        users=_count(session, User),
        matches=tallies.matches(session),
        waiting=session.scalars(waiting.where(Table.state.in_(UNSETTLED))).one(),
    )


def _count(session: Session, model: type[Base]) -> int:
    return session.scalars(select(func.count()).select_from(model)).one()
