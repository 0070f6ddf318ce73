"""Visibility of trials: only the team of the bot that is tried, the member who started one, and administrators."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Match, Table, Tournament, Version
from arena.games.errors import NotFound
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.words import _


def check_tournament(arena: Arena, viewer: Account | None, tournament_id: int) -> int | None:
    """Return the ID of a tournament that is a trial; None for any other. Raises `NotFound` if it is hidden."""
    return _check(arena, viewer, _("There is no tournament %(id)s.", id=tournament_id), Tournament.id == tournament_id)


def check_table(arena: Arena, viewer: Account | None, table_id: int) -> int | None:
    """Like `check_tournament`, for a table."""
    owner = select(Table.tournament_id).where(Table.id == table_id).scalar_subquery()
    return _check(arena, viewer, _("There is no table %(id)s.", id=table_id), Tournament.id == owner)


def check_match(arena: Arena, viewer: Account | None, match_id: int) -> int | None:
    """Like `check_tournament`, for a match."""
    owner = select(Table.tournament_id).join(Match, Match.table_id == Table.id).where(Match.id == match_id)
    return _check(arena, viewer, _("There is no match %(id)s.", id=match_id), Tournament.id == owner.scalar_subquery())


def tried_bot(session: Session, tournament_id: int) -> Bot:
    """Return the bot that a trial tries: that of its first entry."""
    first = select(Version).join(Entry, Entry.version_id == Version.id)
    return session.scalars(first.where(Entry.tournament_id == tournament_id, Entry.number == 0)).one().bot


def team_of(session: Session, trial: Tournament) -> Collection[int]:
    """Return the IDs of the accounts that see a trial, as well as administrators."""
    return {trial.created_by_id, *tried_bot(session, trial.id).team}


def _check(arena: Arena, viewer: Account | None, missing: str, which: ColumnElement[bool]) -> int | None:
    with arena.reading() as session:
        trial = session.scalar(select(Tournament).where(which, ~Tournament.rated))
        if trial is None:
            return None
        if not may_see(team_of(session, trial), viewer):
            raise NotFound(missing)
        return trial.id
