"""Disposal of trials. They are not results, so they are deleted with their tables and matches."""

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, delete, func, select, update
from sqlalchemy.orm import Session

from arena.db import models
from arena.db.clock import now
from arena.db.models import Entry, Match, MatchSeat, Table, Tournament, Version
from arena.services.base.context import Arena
from arena.services.base.pace import in_time
from arena.services.tournaments.starts import lock_tournament

DAY: Final = 86400.0
KEPT: Final = 7.0
"""Days after which a trial is deleted with its matches. Nothing follows from them."""
BATCH: Final = 20
"""Largest number of trials that a sweep deletes."""


def stored(arena: Arena, days: float) -> tuple[int, int]:
    """Return the number of trials started more than this many days ago, and the bytes of their records."""
    with arena.reading() as session:
        count = session.scalars(select(func.count()).select_from(_old(days).subquery())).one()
        size = func.coalesce(func.sum(func.length(Match.record)), 0)
        bytes_ = session.scalars(select(size).join(Match.table).where(Table.tournament_id.in_(_old(days)))).one()
        return count, int(bytes_)


def delete_old(arena: Arena, days: float, most: int | None = None) -> int:
    """Delete up to `most` of these trials, the oldest first, or all; return their number. A batch is short of time."""
    with arena.reading() as session:
        found = session.scalars(_old(days).order_by(Tournament.id).limit(most)).all()
    deleted = 0
    for trial in found if most is None else in_time(found):
        with arena.transaction() as session:
            delete_trial(session, trial)
        deleted += 1
    return deleted


def delete_all_with(session: Session, bot_id: int) -> None:
    """Delete the trials in which a bot takes part."""
    versions = select(Version.id).where(Version.bot_id == bot_id)
    _delete_all(session, Tournament.id.in_(select(Entry.tournament_id).where(Entry.version_id.in_(versions))))


def delete_all_by(session: Session, user_id: int) -> None:
    """Delete the trials that a user started."""
    _delete_all(session, Tournament.created_by_id == user_id)


def delete_trial(session: Session, trial: int) -> None:
    """Delete a trial. A worker that plays one of its tables loses its claim."""
    lock_tournament(session, trial)
    for model, which in _parts(trial):
        session.execute(delete(model).where(which), execution_options={"synchronize_session": False})
    session.execute(update(models.Notice).where(models.Notice.tournament_id == trial).values(tournament_id=None))
    session.execute(delete(Tournament).where(Tournament.id == trial), execution_options={"synchronize_session": False})


def _delete_all(session: Session, which: ColumnElement[bool]) -> None:
    for trial in session.scalars(select(Tournament.id).where(which, ~Tournament.rated).order_by(Tournament.id)).all():
        delete_trial(session, trial)


def _parts(trial: int) -> Iterator[tuple[Any, ColumnElement[bool]]]:
    """Yield the models with rows of a trial, and the conditions of the rows, in the order of deletion."""
    tables = select(Table.id).where(Table.tournament_id == trial)
    yield MatchSeat, MatchSeat.match_id.in_(select(Match.id).where(Match.table_id.in_(tables)))
    of_tables: tuple[Any, ...] = (Match, models.TableSeat, models.Attempt)
    yield from ((part, part.table_id.in_(tables)) for part in of_tables)
    of_trial: tuple[Any, ...] = (
        Table, models.TournamentNeighbours, models.TournamentPair, models.TournamentScore, Entry, models.Rejudgement,
    )  # fmt: skip
    yield from ((part, part.tournament_id == trial) for part in of_trial)


def _old(days: float) -> Select[int]:
    return select(Tournament.id).where(~Tournament.rated, Tournament.created < now() - days * DAY)
