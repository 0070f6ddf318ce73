"""Compute the standings of a tournament from its tallies."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Tournament, User, Version
from arena.services.formats.registry import FORMATS
from arena.services.formats.views import StandingRow
from arena.services.ratings import tallies


def standings(session: Session, tournament: Tournament) -> tuple[StandingRow, ...]:
    """Return all entries, the best first; equal entries share a rank."""
    # Columns, not objects: thousands of entries would take most of a second.
    entries = session.execute(
        select(
            Version.bot_id, Bot.name, User.name, Entry.version_id, Version.number,
            Entry.number, Entry.out, Entry.out_after,
        )
        .join(Version, Version.id == Entry.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .join(User, User.id == Bot.owner_id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(Entry.number)
    )  # fmt: skip
    scores = tallies.scores(session, tournament.id)
    rows = [
        StandingRow(tournament.variant, bot_id, bot, owner, id, version, scores.get(id), seed, out, out_after)
        for bot_id, bot, owner, id, version, seed, out, out_after in entries
    ]
    return FORMATS[tournament.format].rank(session, tournament, rows)
