"""Standings: who is where in a tournament, from the tallies of its results."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Bot, Entry, Table, TableSeat, Tournament, Version
from arena.services import tallies
from arena.services.plans import KNOCKOUT, SWISS
from arena.services.shapes import CANCELLED, INFRA_FAILED, StandingRow
from arena.tournament.standings import ranks


class Seated(NamedTuple):
    """How often a version has sat at a table that counts or may yet count, and how the last of them went."""

    times: int
    stage: int
    half_points: int | None


def standings(session: Session, tournament: Tournament) -> tuple[StandingRow, ...]:
    """All entries, the best first: by share of match points; in a knockout by how far they came, and how it went there.

    By share, not by sum, because some have played more tables than others.
    """
    entries = session.scalars(
        select(Entry)
        .where(Entry.tournament_id == tournament.id)
        .order_by(Entry.number)
        .options(joinedload(Entry.version).joinedload(Version.bot).joinedload(Bot.owner))
    ).all()
    scores = tallies.scores(session, tournament.id)
    rows = [_row(entry, scores.get(entry.version_id)) for entry in entries]
    if tournament.format == KNOCKOUT:
        return _by_reach(tournament, rows, seated(session, tournament))
    if tournament.format == SWISS:
        sat = seated(session, tournament)
        rows = [replace(row, sat_out=tournament.stage - _count(sat, row.version_id)) for row in rows]
    return _ranked(rows, [-1.0 if row.share is None else row.share for row in rows])


def seated(session: Session, tournament: Tournament) -> dict[int, Seated]:
    """By version, where stages are few: how often it sat, and the last time."""
    found = session.execute(
        select(TableSeat.version_id, Table.stage, TableSeat.half_points)
        .join(Table, Table.id == TableSeat.table_id)
        .where(Table.tournament_id == tournament.id, Table.state.not_in((CANCELLED, INFRA_FAILED)))
        .order_by(Table.number)
    )
    sat: dict[int, Seated] = {}
    for version, stage, half_points in found:
        sat[version] = Seated(_count(sat, version) + 1, stage, half_points)
    return sat


def _count(sat: Mapping[int, Seated], version: int) -> int:
    return sat[version].times if version in sat else 0


def _by_reach(
    tournament: Tournament, rows: Sequence[StandingRow], sat: Mapping[int, Seated]
) -> tuple[StandingRow, ...]:
    keys = [_reach(tournament, row, sat.get(row.version_id, Seated(0, -1, None))) for row in rows]
    return _ranked([replace(row, reached=max(0, stage)) for row, (stage, _) in zip(rows, keys, strict=True)], keys)


def _reach(tournament: Tournament, row: StandingRow, last: Seated) -> tuple[int, int]:
    """How far an entry came, and the half points that it took there; -1 where there is nothing of the kind."""
    # Whoever is not out has come to the latest stage, if only by a bye.
    stage = tournament.stage - 1 if row.out is None else last.stage
    return stage, -1 if last.stage < stage or last.half_points is None else last.half_points


def _ranked(rows: Sequence[StandingRow], keys: Sequence[Any]) -> tuple[StandingRow, ...]:
    placed = [replace(row, rank=rank) for row, rank in zip(rows, ranks(keys), strict=True)]
    return tuple(sorted(placed, key=lambda row: row.rank))


def _row(entry: Entry, score: tallies.Score | None) -> StandingRow:
    version = entry.version
    played = score.sums if score else None
    return StandingRow(
        rank=0,
        bot_id=version.bot_id,
        bot=version.bot.name,
        owner=version.bot.owner.name,
        version_id=version.id,
        version=version.number,
        points=played.h / 2 if played else 0.0,
        share=played.share() if played else None,
        tables=played.tables if played else 0,
        faults=score.faults if score else 0,
        seed=entry.number,
        interval=played.interval() if played else None,
        out=entry.out,
        out_after=entry.out_after,
    )
