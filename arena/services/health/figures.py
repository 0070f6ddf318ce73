"""Figures of the whole arena, computed from the database. No query reads more as history grows."""

from collections.abc import Iterator

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import LiveTable, Table, Tournament, Version
from arena.db.size import size
from arena.services.base.states import LiveState, TableState, TournamentState, VersionState
from arena.services.health.views import LADDER, LIVE, PLACEMENT, TOURNAMENT, TRIAL, UPLOAD, Figures, Work
from arena.services.queue.leases import AWAITED

_KIND = case(
    (Tournament.rated.is_(False), TRIAL),
    (Tournament.priority > 0, PLACEMENT),
    (Tournament.priority < 0, LADDER),
    else_=TOURNAMENT,
).label("kind")


def figures(session: Session) -> Figures:
    """Return the figures at this moment. Sums of PostgreSQL may be decimals."""
    given_up = select(func.coalesce(func.sum(Tournament.tables_failed), 0)).where(Tournament.tables_failed > 0)
    lag = select(func.coalesce(func.sum(Tournament.tables_settled - Tournament.folded), 0)).where(
        Tournament.rated, Tournament.folded < Tournament.tables_total
    )
    return Figures(
        work=(_uploads(session), *_tables(session), _live(session)),
        given_up=int(session.scalars(given_up).one()),
        unrated=int(session.scalars(lag).one()),
        database=size(session),
    )


def _uploads(session: Session) -> Work:
    held = func.count(Version.lease_until)
    row = session.execute(
        select(func.count() - held, held, now() - func.min(Version.created)).where(
            Version.state == VersionState.PENDING
        )
    ).one()
    return Work(UPLOAD, *row)


def _tables(session: Session) -> Iterator[Work]:
    open_tables = func.sum(Tournament.tables_total - Tournament.tables_settled)
    found = session.execute(
        select(_KIND, open_tables, now() - func.min(Tournament.started))
        .where(Tournament.state == TournamentState.RUNNING, Tournament.tables_settled < Tournament.tables_total)
        .group_by("kind")
    )
    waiting = {kind: (int(tables), oldest) for kind, tables, oldest in found}
    playing = _playing(session)
    for kind in (PLACEMENT, TOURNAMENT, TRIAL, LADDER):
        tables, oldest = waiting.get(kind, (0, None))
        yield Work(kind, max(0, tables - playing.get(kind, 0)), playing.get(kind, 0), oldest)


def _live(session: Session) -> Work:
    """Return the tables of people that a host holds, and those that wait for one."""
    held = func.count(case((LiveTable.lease_until >= now(), 1)))
    oldest = func.min(case((func.coalesce(LiveTable.lease_until, 0) < now(), LiveTable.touched)))
    wanted = select(func.count() - held, held, now() - oldest).where(LiveTable.state == LiveState.PLAYING, AWAITED)
    return Work(LIVE, *session.execute(wanted).one())


def _playing(session: Session) -> dict[str, int]:
    running = select(_KIND, func.count()).select_from(Table).join(Table.tournament)
    found = session.execute(running.where(Table.state == TableState.RUNNING).group_by("kind"))
    return dict(tuple(row) for row in found)
