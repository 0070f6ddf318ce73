"""How language models fare at live tables, from the results and the notes of finished matches."""

import math
from collections.abc import Mapping
from typing import Annotated, Any, Final

from sqlalchemy import Row, func, select

from arena.db.models import LiveBoards, LiveMove, LiveNote, LiveSeat, LiveTable
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live.standing import CONFIDENCE

SHOWN: Final = 500
"""Number of rows that are shown."""


class ModelRow(View, frozen=True):
    """A language model in a variant: its finished matches, whoever ran it, against whatever bots."""

    model: str
    variant: str
    matches: int
    deals: Annotated[int, says("Number of deals, hands or rounds.")]
    points: Annotated[float, says("Points per deal.")]
    error: Annotated[float | None, says("Half of the 95 % interval of the points; null for a single match.")]
    cost: Annotated[float | None, says("Cost per deal; null if no program knew its prices.")]
    tokens: Annotated[float | None, says("Tokens per deal, in and out; null if no server counted them.")]
    seconds: Annotated[float, says("Seconds per move.")]
    refused: Annotated[float | None, says("Share of answers that were refused, as illegal or unreadable.")]
    gave_up: Annotated[float, says("Share of moves for which the program played an action of its own.")]


def models(arena: Arena) -> tuple[ModelRow, ...]:
    """Return all models by variant, those with the most matches first."""
    with arena.reading() as session:
        return tuple(map(_row, session.execute(_FIGURES)))


_BY_TABLE: Final = (
    select(
        LiveNote.table_id,
        LiveMove.seat,
        func.min(LiveNote.model).label("model"),
        func.count().label("moves"),
        func.count().filter(LiveNote.gave_up).label("gave_up"),
        func.sum(LiveNote.answers).label("answers"),
        func.sum(LiveNote.refused).label("refused"),
        func.sum(LiveNote.seconds).label("seconds"),
        func.sum(LiveNote.tokens_in + LiveNote.tokens_out).label("tokens"),
        func.sum(LiveNote.cost).label("cost"),
    )
    .join(LiveMove, (LiveMove.table_id == LiveNote.table_id) & (LiveMove.number == LiveNote.number))
    .group_by(LiveNote.table_id, LiveMove.seat)
    .having(func.min(LiveNote.model) == func.max(LiveNote.model))
    .subquery()
)
"""Sums of the notes of each seat that one model had."""
_SUMS: Final = {
    **{one: _BY_TABLE.c[one] for one in ("moves", "gave_up", "answers", "refused", "seconds", "tokens", "cost")},
    "deals": LiveTable.deals,
    "score": LiveSeat.score,
    "deals_deals": LiveTable.deals * LiveTable.deals,
    "deals_score": LiveTable.deals * LiveSeat.score,
    "score_score": LiveSeat.score * LiveSeat.score,
}
_FIGURES: Final = (
    select(_BY_TABLE.c.model, LiveBoards.variant, func.count().label("matches"))
    .add_columns(*(func.sum(what).label(name) for name, what in _SUMS.items()))
    .join(LiveTable, LiveTable.id == _BY_TABLE.c.table_id)
    .join(LiveTable.boards)
    .join(LiveSeat, (LiveSeat.table_id == LiveTable.id) & (LiveSeat.seat == _BY_TABLE.c.seat))
    .where(LiveTable.state == LiveState.FINISHED, LiveTable.deals > 0)
    .group_by(_BY_TABLE.c.model, LiveBoards.variant)
    .order_by(func.count().desc(), _BY_TABLE.c.model, LiveBoards.variant)
    .limit(SHOWN)
)


def _row(row: Row[*tuple[Any, ...]]) -> ModelRow:
    sums = {name: None if value is None else float(value) for name, value in row._mapping.items() if name in _SUMS}
    deals, moves, answers = (sums[name] or 0.0 for name in ("deals", "moves", "answers"))
    return ModelRow(
        model=row.model,
        variant=row.variant,
        matches=row.matches,
        deals=int(deals),
        points=_per(sums["score"], deals) or 0.0,
        error=_error(sums, row.matches) if row.matches > 1 else None,
        cost=_per(sums["cost"], deals),
        tokens=_per(sums["tokens"], deals),
        seconds=_per(sums["seconds"], moves) or 0.0,
        refused=_per(sums["refused"], answers),
        gave_up=_per(sums["gave_up"], moves) or 0.0,
    )


def _per(what: float | None, count: float) -> float | None:
    return what / count if what is not None and count else None


def _error(sums: Mapping[str, Any], matches: int) -> float:
    """Return half of the interval of a ratio of sums, from the squares of what each match differs from it."""
    points = sums["score"] / sums["deals"]
    squares = sums["score_score"] - 2 * points * sums["deals_score"] + points**2 * sums["deals_deals"]
    return float(CONFIDENCE * math.sqrt(max(squares, 0.0) * matches / (matches - 1)) / sums["deals"])
