"""Analyses without playouts."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import select

from arena.db.models import Analysis
from arena.match.analysis import Assessment
from arena.match.estimate import Estimate
from arena.services.base.context import Arena
from arena.services.base.states import AnalysisState
from arena.services.work import analyses


def three(record: dict[str, Any], seed: int = 0, seats: Any = None) -> Iterator[Assessment]:
    """Stand in for `arena.match.analysis.analyse`: three decisions, of which the last is a mistake."""
    found = ((0, "nominate", 0.0), (1, "leading", 0.0), (1, "following", 9.0))
    for move, (seat, phase, lost) in enumerate(found):
        chosen = record["moves"][move][1]
        estimates = [Estimate(chosen, 3.0, 0.5, not lost), Estimate("8S", 3.0 + lost, 0.5, bool(lost))]
        if seats is None or seat in seats:
            yield Assessment(move, seat, 0, phase, chosen, estimates, lost, 1.0)


def make_all(arena: Arena) -> None:
    """Make the analyses that wait."""
    with arena.reading() as session:
        waiting = session.scalars(select(Analysis.id).where(Analysis.state == AnalysisState.WAITING)).all()
    for one in waiting:
        analyses.analyse(arena, one)
