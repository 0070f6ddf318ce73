"""Analyses of matches, and what bots lost by phase, for pages, the API and files."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session, selectinload, undefer

from arena.db.models import Analysis, Bot, LostPoints, Match, Table, Tournament, User, Version
from arena.match.analysis import VERSION
from arena.services.analyses.views import AnalysisView, LostRow, unpacked
from arena.services.base.context import Arena
from arena.services.base.states import AnalysisState
from arena.services.base.views import View, says, view_of
from arena.services.people.rows import HOUSE

_WHOLE: Final = select(Analysis).options(undefer(Analysis.found), selectinload(Analysis.lost))
_HOUSE: Final = Bot.owner_id.in_(select(User.id).where(User.name_key == HOUSE))
LATEST: Final = 2000
"""Number of the latest analysed matches of a variant that count."""
TRICKS: Final = ("leading", "following", "discarding")
"""Phases of tricks, which come after the others of a deal."""


class PhaseRow(View, frozen=True):
    """Points that one version lost in one phase of a variant, over all its analysed matches that count."""

    version: Annotated[int, says("ID of the bot's version.")]
    number: Annotated[int, says("Number of the version.")]
    phase: str
    matches: Annotated[int, says("Number of matches.")]
    decisions: int
    best: Annotated[float, says("Share of the decisions for the action with the best estimate.")]
    lost: Annotated[float, says("Points lost a deal, by one seat.")]
    margin: Annotated[float, says("Half-width of the 95 % interval of `lost`, by the playouts only.")]
    mistakes: Annotated[int, says("Number of mistakes and blunders.")]
    house: Annotated[float | None, says("Points that house bots lost a deal in this phase; null if unknown.")]


def of_match(arena: Arena, match_id: int) -> AnalysisView | None:
    """Return the analysis of a match; None if nobody has asked for it."""
    with arena.reading() as session:
        return _view(session, Analysis.match_id == match_id)


def of_live(session: Session, live_id: int) -> AnalysisView | None:
    """Return the analysis of what people decided at a live table; None without one."""
    return _view(session, Analysis.live_id == live_id)


def _view(session: Session, which: ColumnElement[bool]) -> AnalysisView | None:
    row = session.scalars(_WHOLE.where(which)).one_or_none()
    if row is None:
        return None
    found, lost = unpacked(row.found), tuple(view_of(LostRow, each) for each in row.lost)
    more = {"teams": found.teams, "decisions": found.decisions, "lost": lost}
    return view_of(AnalysisView, row, state=AnalysisState(row.state), **more)


def lost_by(arena: Arena, versions: Sequence[int], variant: str, tournament_id: int | None = None) -> list[PhaseRow]:
    """Return what versions lost by phase in a variant, phase by phase, in each in the order of `versions`.

    Only the latest `LATEST` analyses count; with a tournament, all of its own.
    """
    latest = _latest(variant)
    own = latest if tournament_id is None else (Tournament.id == tournament_id,)
    with arena.reading() as session:
        rows = session.execute(_totals(*own, Version.id.in_(versions))).all()
        house = session.execute(_totals(_HOUSE, *latest)).all() if rows else []
    deals, usual, found = _deals(rows), sum(int(row.deals or 0) for row in house), Counter[str]()
    for row in house:
        found[row.phase] += row.lost / usual
    made = [_row(row, deals[row.id], found.get(row.phase)) for row in rows]
    return sorted(made, key=lambda row: (_order(row.phase), versions.index(row.version)))


def _latest(variant: str) -> tuple[ColumnElement[bool], ...]:
    """Conditions of the analyses of a variant that count."""
    own = select(Analysis.id).where(Analysis.variant == variant).order_by(Analysis.id.desc())
    before = own.offset(LATEST).limit(1).scalar_subquery()
    return Analysis.variant == variant, Analysis.id > func.coalesce(before, 0)


def _order(phase: str) -> tuple[int, str]:
    return TRICKS.index(phase) if phase in TRICKS else -1, phase


def _deals(rows: Sequence[Any]) -> Counter[int]:
    """Return the deals of all seats, by version."""
    deals = Counter[int]()
    for row in rows:
        deals[row.id] += int(row.deals or 0)
    return deals


def _totals(*which: ColumnElement[bool]) -> Select[Any]:
    """Select sums by version and phase, over matches that count.

    `deals` counts those of the seats whose first phase this is, so that the sum over the phases counts each seat once.
    """
    columns = (Version.id, Version.number, LostPoints.phase)
    return (
        select(*columns)
        .add_columns(func.count(Analysis.id.distinct()).label("matches"))
        .add_columns(func.sum(LostPoints.decisions).label("decisions"), func.sum(LostPoints.best).label("best"))
        .add_columns(func.sum(LostPoints.lost).label("lost"))
        .add_columns(func.sum(LostPoints.margin * LostPoints.margin).label("squares"))
        .add_columns(func.sum(LostPoints.mistakes + LostPoints.blunders).label("mistakes"))
        .add_columns(func.sum(Analysis.deals).filter(LostPoints.number == 0).label("deals"))
        .select_from(LostPoints)
        .join(Analysis, Analysis.id == LostPoints.analysis_id)
        .join(Match, Match.id == Analysis.match_id)
        .join(Table, Table.id == Match.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .join(Version, Version.id == LostPoints.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(~Match.superseded, Tournament.rated, Analysis.version == VERSION, *which)
        .group_by(*columns)
    )


def _row(row: Any, deals: int, house: float | None) -> PhaseRow:
    return PhaseRow(
        row.id, row.number, row.phase, row.matches, int(row.decisions),
        float(row.best / row.decisions), row.lost / deals, row.squares**0.5 / deals, int(row.mistakes), house,
    )  # fmt: skip
