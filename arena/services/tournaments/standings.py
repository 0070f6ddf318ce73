"""Compute the standings of a tournament from its tallies."""

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Bot, Entry, Tournament, Version
from arena.services.formats.registry import FORMATS
from arena.services.formats.views import StandingRow
from arena.services.ratings import strengths, tallies


def standings(session: Session, tournament: Tournament) -> tuple[StandingRow, ...]:
    """Return all entries, the best first; equal entries share a rank."""
    entries = session.scalars(
        select(Entry)
        .where(Entry.tournament_id == tournament.id)
        .order_by(Entry.number)
        .options(joinedload(Entry.version).joinedload(Version.bot).joinedload(Bot.owner))
    ).all()
    scores = tallies.scores(session, tournament.id)
    rows = [_row(tournament.variant, entry, scores.get(entry.version_id)) for entry in entries]
    return FORMATS[tournament.format].rank(session, tournament, rows)


def _row(variant: str, entry: Entry, score: tallies.Score | None) -> StandingRow:
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
        strength=strengths.game_points(variant, score.strength) if score else None,
        out=entry.out,
        out_after=entry.out_after,
    )
