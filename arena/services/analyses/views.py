"""Views of analyses, and the form in which the database keeps decisions."""

import math
import zlib
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Final

import msgspec

from arena.match import analysis
from arena.match.analysis import Assessment, phases
from arena.services.base.states import AnalysisState
from arena.services.base.views import View, says

DIGITS: Final = 3
"""Decimal places of points: intervals are wider than a thousandth."""
WORST: Final = 10
"""Number of decisions in the list of the worst."""


class AnalysedAction(View, frozen=True):
    """A legal action and what it was worth."""

    token: str
    points: Annotated[float, says("Expected points of the seat's side from here to the end of the deal.")]
    margin: Annotated[float, says("Half-width of their 95 % interval, without the luck that all actions share.")]


class AnalysedDecision(View, frozen=True):
    """A decision and what it was worth."""

    move: Annotated[int, says("Index of the move in the record.")]
    seat: int
    deal: Annotated[int, says("Number of the deal, hand or round, from 0.")]
    phase: Annotated[str, says("Phase of the deal; in tricks `leading`, `following` or another word for how.")]
    score: Annotated[int, says("Points of the seat's side before the move, in the whole match.")]
    action: Annotated[str, says("The action that was chosen.")]
    best: Annotated[str, says("The action with the best estimate.")]
    lost: Annotated[float, says("Points by which the best action is better. Below 0 by chance only.")]
    margin: Annotated[float, says("Half-width of the 95 % interval of `lost`.")]
    mark: Annotated[str, says("`best`, `good`, `inaccuracy`, `mistake` or `blunder`.")]
    actions: Annotated[tuple[AnalysedAction, ...], says("All legal actions, in order.")]


class LostRow(View, frozen=True):
    """Decisions of a seat in a phase, and the points that they lost."""

    seat: int
    phase: str
    decisions: int
    best: Annotated[int, says("Number of decisions for the action with the best estimate.")]
    lost: Annotated[float, says("Points that all these decisions lost.")]
    margin: Annotated[float, says("Half-width of the 95 % interval of `lost`.")]
    inaccuracies: int
    mistakes: int
    blunders: int


class AnalysisView(View, frozen=True):
    """The analysis of a match."""

    state: Annotated[AnalysisState, says("`waiting`, `done` or `failed`.")]
    version: Annotated[int | None, says("Number of the way in which it was made; others cannot be compared with it.")]
    deals: Annotated[int | None, says("Number of deals, hands or rounds.")]
    teams: Annotated[tuple[tuple[int, ...], ...], says("The seats of each side.")]
    lost: Annotated[tuple[LostRow, ...], says("Points lost by seat and phase.")]
    decisions: Annotated[
        tuple[AnalysedDecision, ...], says("All decisions, in order; moves without a choice are left out.")
    ]

    @property
    def worst(self) -> list[AnalysedDecision]:
        """The decisions that lost the most, among those that certainly lost something."""
        lost = [one for one in self.decisions if one.mark in analysis.MARKS[2:]]
        return sorted(lost, key=lambda one: -one.lost)[:WORST]

    @property
    def seats(self) -> list[LostRow]:
        """Points lost by each seat in all phases together."""
        return [_together(list(rows)) for _, rows in groupby(self.lost, key=attrgetter("seat"))]

    @property
    def outdated(self) -> bool:
        """Whether it was made in a way that is no longer the arena's."""
        return self.version is not None and self.version < analysis.VERSION


def _together(rows: Sequence[LostRow]) -> LostRow:
    counts = ("decisions", "best", "lost", "inaccuracies", "mistakes", "blunders")
    sums = {name: sum(getattr(row, name) for row in rows) for name in counts}
    return LostRow(seat=rows[0].seat, phase="", margin=math.hypot(*(row.margin for row in rows)), **sums)


def decision(one: Assessment, score: int, variant: str) -> AnalysedDecision:
    """Return the view of an assessment, with the points of the seat's side before it."""
    actions = (AnalysedAction(each.token, _short(each.points), _short(each.margin)) for each in one.estimates)
    return AnalysedDecision(
        one.move, one.seat, one.deal, one.phase, score, one.action, one.best.token, _short(one.lost),
        _short(one.margin), analysis.mark(one, variant), tuple(actions),
    )  # fmt: skip


def _short(points: float) -> float:
    return round(points, DIGITS)


class Found(View, frozen=True):
    """The decisions of a match as the database stores them."""

    teams: tuple[tuple[int, ...], ...]
    """The seats of each side: the variant may not be offered any more."""
    decisions: tuple[AnalysedDecision, ...]


def packed(found: Found) -> bytes:
    """Return decisions in the form that the database stores."""
    return zlib.compress(msgspec.json.encode(found))


def unpacked(data: bytes | None) -> Found:
    """Return the decisions that the database stores; none if there is nothing."""
    return msgspec.json.decode(zlib.decompress(data), type=Found) if data else Found((), ())


def lost_rows(found: Iterable[Assessment], variant: str) -> dict[int, list[LostRow]]:
    """Return what each seat lost by phase, in the order in which its phases begin."""
    seats = dict[int, list[Assessment]]()
    for one in found:
        seats.setdefault(one.seat, []).append(one)
    return {
        seat: [_lost(seat, phase, part, variant) for phase, part in phases(own).items()] for seat, own in seats.items()
    }


def _lost(seat: int, phase: str, own: Sequence[Assessment], variant: str) -> LostRow:
    marks = [analysis.mark(one, variant) for one in own]
    return LostRow(seat, phase, *analysis.part_of(own), *map(marks.count, analysis.MARKS[2:]))
