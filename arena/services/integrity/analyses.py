"""Integrity of analyses: their claims, and their decisions, which are compared with the record of the match."""

import zlib
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Analysis, LostPoints
from arena.match.analysis import MARKS, VERSION, deals_of
from arena.match.record import game_of
from arena.match.views import failed_from, positions
from arena.services.analyses.views import AnalysedDecision, unpacked
from arena.services.base.states import AnalysisState
from arena.services.integrity.findings import Wrong, check_rows, correct
from arena.services.integrity.leases import leased
from arena.services.queue.leases import ANALYSES, Claim
from arena.services.work.analyses import Work, load

UNMADE: Final = dict.fromkeys(("found", "version", "lease_until", "rung_at")) | {
    "state": AnalysisState.WAITING,
    "attempts": 0,
}
"""Columns of an analysis that is to be made again."""


def analysis(session: Session, analysis_id: int) -> Iterator[Wrong]:
    """Check the claims of an analysis, and that it has a version once it is done."""
    row = session.get_one(Analysis, analysis_id)
    abandon = partial(ANALYSES.release, claim=Claim(row.id, row.fence), given_up={"state": AnalysisState.FAILED})
    yield from leased(session, row, row.state == AnalysisState.WAITING, abandon)
    if not 0 <= row.attempts <= row.fence:
        yield Wrong(f"{row.attempts} attempts are counted, but its fence is {row.fence}")
    known = row.version in range(1, VERSION + 1) if row.state == AnalysisState.DONE else row.version is None
    if not known:
        yield Wrong(f"it is {row.state}, but its version is {row.version}", correct(Analysis, UNMADE, id=row.id))


def result(session: Session, analysis_id: int) -> Iterator[Wrong]:
    """Check that an analysis that is done is of its match. Whatever is wrong, it can be made again."""
    row = session.get_one(Analysis, analysis_id)
    if row.state == AnalysisState.DONE:
        work = load(session, analysis_id)
        yield from (Wrong(what, correct(Analysis, UNMADE, id=row.id)) for what in _flaws(session, row, work))


def _flaws(session: Session, row: Analysis, work: Work) -> Iterator[str]:
    try:
        found = unpacked(row.found)
    except (zlib.error, msgspec.DecodeError) as error:
        yield f"its decisions cannot be read: {error}"
        return
    if found.teams != tuple(map(tuple, game_of(work.record).teams)):
        yield f"its sides are {found.teams}, which are not those of the match"
    if row.deals != deals_of(work.record):
        yield f"it has {row.deals} deals, but the match has {deals_of(work.record)}"
    if [(one.move, one.seat, one.action) for one in found.decisions] != list(_decided(work)):
        yield "its decisions are not those of the match"
    stored = _stored(session, row.id)
    if (right := _added(found.decisions, work)) != stored:
        yield f"its lost points (seat, phase, version, decisions, marks) are {stored}, but its decisions give {right}"


def _decided(work: Work) -> Iterator[tuple[int, int, str]]:
    """Yield move, seat and action of all decisions that are analysed."""
    failed = failed_from(work.record)
    for move, seat, action, state in positions(work.record):
        if seat in work.seats and move < failed.get(seat, move + 1) and len(state.legal(seat)) > 1:
            yield move, seat, action


def _stored(session: Session, analysis_id: int) -> list[tuple[Any, ...]]:
    columns = (LostPoints.seat, LostPoints.phase, LostPoints.version_id, LostPoints.decisions)
    marks = (LostPoints.best, LostPoints.inaccuracies, LostPoints.mistakes, LostPoints.blunders)
    own = select(*columns, *marks).where(LostPoints.analysis_id == analysis_id)
    return [tuple(one) for one in session.execute(own.order_by(LostPoints.seat, LostPoints.number))]


def _added(decisions: tuple[AnalysedDecision, ...], work: Work) -> list[tuple[Any, ...]]:
    parts = dict[tuple[int, str], list[str]]()
    for one in sorted(decisions, key=lambda each: each.seat):
        parts.setdefault((one.seat, one.phase), []).append(one.mark)
    names = (MARKS[0], *MARKS[2:])
    return [
        (seat, phase, work.seats.get(seat), len(marks), *map(marks.count, names))
        for (seat, phase), marks in parts.items()
    ]


CHECKS = (
    check_rows("analysis", Analysis, analysis),
    check_rows("analysis", Analysis, result, reads_records=True),
)
