"""Make analyses of matches, with a worker's lowest precedence: urgent work goes on between two decisions."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import structlog
from msgspec import to_builtins
from sqlalchemy import Select, delete, func, insert, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Analysis, LiveSeat, LiveTable, LostPoints, Match, MatchSeat
from arena.match import analysis
from arena.match.analysis import Assessment
from arena.match.record import game_of, unpack
from arena.match.views import positions
from arena.services.analyses import actions
from arena.services.analyses.views import Found, decision, lost_rows, packed
from arena.services.base.context import Arena
from arena.services.base.states import AnalysisState
from arena.services.base.texts import log_fields
from arena.services.numbers.featured import featured
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import ANALYSES, Claim, LeaseLost
from arena.services.work.outcomes import Outcome

FEATURE_EVERY: Final = 600.0
"""Seconds between two analyses that nobody has asked for."""

log: Final = structlog.get_logger()


class Work(NamedTuple):
    """A match to analyse."""

    record: Mapping[str, Any]
    seats: Mapping[int, int | None]
    """Version by seat, of the seats whose decisions are wanted; None for a person or a program outside."""


def analyse(arena: Arena, analysis_id: int, between_moves: Callable[[Keeper], None] = lambda _: None) -> Outcome:
    """Make an analysis if it can be claimed. `between_moves` is called between two decisions.

    A failure is logged, and the analysis is tried again later.
    """
    with arena.transaction() as session:
        claim = ANALYSES.claim(session, analysis_id)
    if claim is None:
        return Outcome.NOTHING
    try:
        with Keeper(lambda: ANALYSES.renew(arena, claim), arena.settings.lease) as keeper:
            _make(arena, claim, keeper, between_moves)
    except LeaseLost:
        return Outcome.LOST
    except Exception as error:
        log.warning("match not analysed", analysis=claim.id, attempt=claim.fence, **log_fields(error))
        _give_back(arena, claim)
        return Outcome.FAULT
    return Outcome.DONE


def _make(arena: Arena, claim: Claim, keeper: Keeper, between_moves: Callable[[Keeper], None]) -> None:
    with arena.reading() as session:
        work = load(session, claim.id)
    found = []
    for one in analysis.analyse(work.record, seats=work.seats):
        keeper.heartbeat()
        between_moves(keeper)
        found.append(one)
    _store(arena, claim, work, found)


def _store(arena: Arena, claim: Claim, work: Work, found: Sequence[Assessment]) -> None:
    name, teams = analysis.variant_of(work.record), game_of(work.record).teams
    scores = _scores(work.record, teams)
    decisions = tuple(decision(one, scores[one.move], name) for one in found)
    lost = [
        {**to_builtins(row), "number": number, "analysis_id": claim.id, "version_id": work.seats[seat]}
        for seat, own in lost_rows(found, name).items()
        for number, row in enumerate(own)
    ]
    done = {"state": AnalysisState.DONE, "version": analysis.VERSION, "deals": analysis.deals_of(work.record)}
    with arena.transaction() as session:
        ANALYSES.change(
            session, claim, found=packed(Found(tuple(map(tuple, teams)), decisions)), lease_until=None, **done
        )
        session.execute(delete(LostPoints).where(LostPoints.analysis_id == claim.id))
        if lost:
            session.execute(insert(LostPoints), lost)
        actions.announce(session)


def _scores(record: Mapping[str, Any], teams: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the points of the side to move before each move, by its index."""
    sides = {seat: team for team in teams for seat in team}
    return {move: sum(state.scores()[each] for each in sides[seat]) for move, seat, _, state in positions(record)}


def load(session: Session, analysis_id: int) -> Work:
    """Load the record of a match to analyse, and whose decisions are wanted."""
    one = session.get_one(Analysis, analysis_id)
    seats: Select[Any, Any]
    if one.live_id is None:
        record = session.scalar(select(Match.record).where(Match.id == one.match_id))
        seats = select(MatchSeat.seat, MatchSeat.version_id).where(MatchSeat.match_id == one.match_id)
    else:
        record = session.scalar(select(LiveTable.record).where(LiveTable.id == one.live_id))
        own = (LiveSeat.table_id == one.live_id, LiveSeat.version_id.is_(None), ~LiveSeat.program)
        seats = select(LiveSeat.seat, LiveSeat.version_id).where(*own)
    return Work(unpack(record or b""), {row.seat: row.version_id for row in session.execute(seats)})


def _give_back(arena: Arena, claim: Claim) -> None:
    with suppress(LeaseLost), arena.transaction() as session:
        ANALYSES.release(session, claim, {"state": AnalysisState.FAILED})
        actions.announce(session)


def tend(arena: Arena) -> None:
    """Queue analyses again whose workers disappeared, choose the featured match now and then, and ring."""
    with arena.reading() as session:
        expired, due = ANALYSES.expired(session), _feature_due(session)
    chosen = featured(arena) if due else None
    if not (expired or chosen or _waiting(arena)):
        return
    with arena.transaction() as session:
        for claim in expired:
            with suppress(LeaseLost):
                ANALYSES.release(session, claim, {"state": AnalysisState.FAILED}, Analysis.lease_until < now())
        actions.want(session, [chosen.match.id] if chosen else [], asked=False)


def _waiting(arena: Arena) -> bool:
    with arena.reading() as session:
        return session.scalar(select(Analysis.id).where(Analysis.state == AnalysisState.WAITING).limit(1)) is not None


def _feature_due(session: Session) -> bool:
    """Return whether a match has finished since the arena last chose one, long enough ago."""
    chosen = session.scalar(select(func.max(Analysis.wanted)).where(Analysis.match_id.is_not(None))) or 0.0
    newest = select(Match.finished, now()).order_by(Match.id.desc()).limit(1)
    finished, moment = session.execute(newest).one_or_none() or (0.0, 0.0)
    return finished > chosen and moment - chosen > FEATURE_EVERY
