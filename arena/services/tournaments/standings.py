"""Compute the standings of a tournament from its tallies."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Tournament, User, Version
from arena.services.formats.registry import FORMATS
from arena.services.formats.views import StandingRow
from arena.services.ratings import strengths, tallies


def standings(session: Session, tournament: Tournament) -> tuple[StandingRow, ...]:
    """Return all entries, the best first; equal entries share a rank."""
    # Columns, not objects: thousands of entries would take most of a second.
    entries = session.execute(
        select(
            Version.bot_id, Bot.name.label("bot"), User.name.label("owner"), Entry.version_id,
            Version.number.label("version"), Entry.number.label("seed"), Entry.out, Entry.out_after,
        )
        .join(Version, Version.id == Entry.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .join(User, User.id == Bot.owner_id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(Entry.number)
    )  # fmt: skip
    scores = tallies.scores(session, tournament.id)
    rows = [_row(tournament.variant, entry, scores.get(entry.version_id)) for entry in entries]
    return FORMATS[tournament.format].rank(session, tournament, rows)


def _row(variant: str, entry: Any, score: tallies.Score | None) -> StandingRow:
    played = score.sums if score else None
    return StandingRow(
        rank=0,
        bot_id=entry.bot_id,
        bot=entry.bot,
        owner=entry.owner,
        version_id=entry.version_id,
        version=entry.version,
        points=played.h / 2 if played else 0.0,
        share=played.share() if played else None,
        tables=played.tables if played else 0,
        faults=score.faults if score else 0,
        seed=entry.seed,
        interval=played.interval() if played else None,
        strength=strengths.game_points(variant, score.strength) if score else None,
        out=entry.out,
        out_after=entry.out_after,
    )
