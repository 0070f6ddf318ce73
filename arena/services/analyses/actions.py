"""Requests for analyses, and the doorbells for those that wait."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Analysis, Match, MatchSeat, Table, Tournament, Version
from arena.db.upsert import insert_missing
from arena.games.errors import NotFound
from arena.match.analysis import VERSION
from arena.services.base.context import ANALYSE, Arena, Doorbell, ring
from arena.services.base.states import AnalysisState
from arena.services.queue.announcements import RING_AGAIN, living_workers
from arena.services.queue.leases import ANALYSES
from arena.words import _

SHARE: Final = 4
"""One worker of this number makes analyses at a time, and at least one."""
LATEST: Final = 10
"""Largest number of matches that a request for several covers."""


def request(arena: Arena, match_id: int) -> None:
    """Ask for the analysis of a match. Asks again if it failed or is outdated. Raises `NotFound`."""
    with arena.transaction() as session:
        if session.get(Match, match_id) is None:
            raise NotFound(_("There is no match %(id)s.", id=match_id))
        want(session, [match_id], asked=True)


def request_latest(arena: Arena, version_id: int, variant: str) -> int:
    """Ask for the analyses of the latest rated matches of a version in a variant. Returns their number.

    Raises `NotFound`.
    """
    latest = (
        select(Match.id)
        .join(Match.seats)
        .join(Match.table)
        .join(Table.tournament)
        .where(MatchSeat.version_id == version_id, Tournament.variant == variant, Tournament.rated, ~Match.superseded)
        .group_by(Match.id)
        .order_by(Match.id.desc())
        .limit(LATEST)
    )
    with arena.transaction() as session:
        if session.get(Version, version_id) is None:
            raise NotFound(_("There is no version %(id)s.", id=version_id))
        found = session.scalars(latest).all()
        want(session, found, asked=True)
        return len(found)


def request_tables(arena: Arena, table_ids: Sequence[int]) -> int:
    """Ask for the analyses of the first `LATEST` matches that count of these tables. Returns their number."""
    of = select(Match.id).where(Match.table_id.in_(table_ids), ~Match.superseded).order_by(Match.id).limit(LATEST)
    with arena.transaction() as session:
        found = session.scalars(of).all()
        want(session, found, asked=True)
        return len(found)


def want(session: Session, match_ids: Sequence[int], *, asked: bool) -> None:
    """Want the analyses of these matches; `asked` is whether somebody waits for them."""
    for match_id in match_ids:
        _add(session, asked, match_id=match_id, variant=_variant(session, match_id))
    wanted = Analysis.match_id.in_(match_ids)
    again = {"state": AnalysisState.WAITING, "attempts": 0, "found": None, "version": None, "rung_at": None}
    stale = or_(Analysis.state == AnalysisState.FAILED, Analysis.version < VERSION)
    session.execute(update(Analysis).where(wanted, stale).values(**again))
    session.execute(update(Analysis).where(wanted).values(wanted=now(), **{"asked": True} if asked else {}))
    announce(session)


def want_live(session: Session, live_id: int, variant: str) -> None:
    """Want the analysis of what people decided at a live table that is finished."""
    _add(session, asked=False, live_id=live_id, variant=variant)
    announce(session)


def _add(session: Session, asked: bool, **which: Any) -> None:
    waiting = {"state": AnalysisState.WAITING, "asked": asked, "wanted": now(), "attempts": 0, "fence": 0}
    insert_missing(session, Analysis, {**waiting, **which})


def _variant(session: Session, match_id: int) -> str:
    of = select(Tournament.variant).join(Table).join(Match).where(Match.id == match_id)
    return session.scalars(of).one()


def announce(session: Session) -> int:
    """Ring for waiting analyses when the session commits: as many as may be made at a time. Returns their number."""
    waiting = Analysis.state == AnalysisState.WAITING
    rung = func.coalesce(Analysis.rung_at, 0) > now() - RING_AGAIN
    at_work = select(func.count()).select_from(Analysis).where(waiting, rung | Analysis.lease_until.is_not(None))
    room = max(1, living_workers(session) // SHARE) - session.scalars(at_work).one()
    if room <= 0:
        return 0
    order = (Analysis.asked.desc(), Analysis.wanted, Analysis.id)
    chosen = session.scalars(select(Analysis.id).where(*ANALYSES.available(), ~rung).order_by(*order).limit(room)).all()
    session.execute(update(Analysis).where(Analysis.id.in_(chosen)).values(rung_at=now()))
    ring(session, *(Doorbell(ANALYSE, one) for one in chosen))
    return len(chosen)
