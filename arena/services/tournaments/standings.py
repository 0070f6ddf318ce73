"""Standings of a tournament: computed from its tallies, and at its end noted with its entries."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Tournament, User, Version
from arena.services.base.context import Arena
from arena.services.base.states import TournamentState
from arena.services.formats.registry import FORMATS, PLANNED
from arena.services.formats.views import StandingRow
from arena.services.ratings import tallies

_ENTRIES: Final[Any] = Entry.__table__
_NOTE: Final = (
    update(_ENTRIES)
    .where(_ENTRIES.c.tournament_id == bindparam("of"), _ENTRIES.c.number == bindparam("entry"))
    .values(rank=bindparam("place"))
)
_FINISHED: Final = (
    select(Tournament.id)
    .where(Tournament.state == TournamentState.FINISHED, Tournament.format.in_(PLANNED))
    .order_by(Tournament.id)
)


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


def note(session: Session, tournament: Tournament) -> tuple[StandingRow, ...]:
    """Note the final ranks with the entries, so that nobody has to rank a thousand to show one. Returns the standings.

    A tournament that is reopened keeps the old ranks, which mean nothing until it ends again.
    """
    rows = standings(session, tournament)
    session.connection().execute(_NOTE, [{"of": tournament.id, "entry": row.seed, "place": row.rank} for row in rows])
    return rows


def backfill(arena: Arena) -> None:
    """Note the final ranks of tournaments that an older release finished."""
    unranked = select(Entry.tournament_id).where(Entry.rank.is_(None))
    with arena.reading() as session:
        ids = session.scalars(_FINISHED.where(Tournament.id.in_(unranked))).all()
    for tournament_id in ids:
        with arena.transaction() as session:
            note(session, session.get_one(Tournament, tournament_id, with_for_update=True))


def finished(arena: Arena) -> Sequence[int]:
    """Return the IDs of the tournaments whose final ranks are noted."""
    with arena.reading() as session:
        return session.scalars(_FINISHED).all()


def differences(session: Session, tournament_id: int) -> Iterator[str]:
    """Yield a sentence for each noted rank that differs from the standings of a finished tournament."""
    tournament = session.get_one(Tournament, tournament_id)
    noted = dict(session.execute(select(Entry.version_id, Entry.rank).filter_by(tournament_id=tournament_id)).all())
    for row in standings(session, tournament):
        if noted[row.version_id] != row.rank:
            yield f"version {row.version_id} has the final rank {noted[row.version_id]}, the standings say {row.rank}"
