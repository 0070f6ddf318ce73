"""Deletion of bots that never played."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, delete, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db import models
from arena.db.clock import now
from arena.db.models import Base, Bot, Entry, Match, MatchSeat, Schedule, Table, TableSeat, Tournament, Version
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TournamentState
from arena.services.bots.archives import check_validated
from arena.services.events import log
from arena.services.people import audit, teams
from arena.services.trials import disposal
from arena.words import N_, _

OWN: Final = (Bot, models.BotMember, models.FormerName, models.Presence, Version)
"""Models whose rows are deleted with a bot."""
DERIVED: Final = (
    models.CurrentRating, models.RatingEvent, models.TournamentPair, models.TournamentScore, models.VariantPair,
    models.VariantScore,
)  # fmt: skip
"""Models with rows only for versions at tables. They are large, and not indexed by version alone."""
_RATED: Final = select(Tournament.id).where(Tournament.rated)
_AT_TABLE: Final = _RATED.join(Table, Table.tournament_id == Tournament.id)
RATED: Final[Mapping[str, ColumnElement[bool]]] = {
    "entries": _RATED.where(Tournament.id == Entry.tournament_id).correlate(Entry).exists(),
    "table_seats": _AT_TABLE.where(Table.id == TableSeat.table_id).correlate(TableSeat).exists(),
    "match_seats": _AT_TABLE.join(Match, Match.table_id == Table.id)
    .where(Match.id == MatchSeat.match_id)
    .correlate(MatchSeat)
    .exists(),
}
"""Conditions of the rows that keep a bot, by table. Trials keep none: they are deleted with it."""


def delete_bot(arena: Arena, account: Account, bot_id: int) -> None:
    """Delete a bot with its versions and sources, as its owner or an administrator. Raises `NotFound` and `Refused`.

    Anything that refers to the bot or to one of its versions keeps it: an entry, a table, a match, a validation in
    progress, or the plan of a tournament or schedule. If it is interrupted, the bot is archived and can be deleted
    again.
    """
    versions = _begin(arena, account, bot_id)
    try:
        # The latest first, so that the others are numbered without gaps. Each in a transaction of its own: the database
        # searches large tables for references to it.
        for version_id in versions:
            with arena.transaction() as session:
                _delete_version(session, version_id)
                if version_id == versions[-1]:
                    _delete_bot(session, bot_id)
    except IntegrityError:
        raise Refused(_("This bot was just entered in a tournament, so it stays. It is archived now.")) from None


def _begin(arena: Arena, account: Account, bot_id: int) -> list[int]:
    """Archive a bot that can be deleted, and return the IDs of its versions, the latest first."""
    with arena.transaction() as session:
        bot = teams.managed(session, account, bot_id)
        check_validated(session, bot)
        _check_unused(session, bot)
        disposal.delete_all_with(session, bot_id)
        bot.archived, bot.active = session.scalars(select(now())).one(), False
        audit.note_foreign(session, account, bot, "deleted a bot")
        query = select(Version.id).where(Version.bot_id == bot_id).order_by(Version.number.desc())
        return list(session.scalars(query))


def never_played(session: Session, bot: Bot) -> bool:
    """Return whether no entry, table or match refers to the bot, apart from trials."""
    versions = select(Version.id).where(Version.bot_id == bot.id)
    return not any(
        session.scalar(
            select(column)
            .where(column == bot.id if to_bot else column.in_(versions), RATED.get(column.table.name, true()))
            .limit(1)
        )
        is not None
        for column, to_bot in _references()
    )


def _check_unused(session: Session, bot: Bot) -> None:
    if not never_played(session, bot):
        values = {"name": bot.name}
        raise Refused(
            _("%(name)s has played, or a tournament or report names it, so it stays. Archive it instead.", **values)
        )
    for refusal, plan in _plans(session, bot.id):
        raise Refused(_(refusal, name=bot.name, plan=plan))


def _references() -> Iterator[tuple[Column[Any], bool]]:
    """Yield the columns of other models that refer to bots (true) or versions (false)."""
    left_out = {model.__table__ for model in (*OWN, *DERIVED)}
    for table in Base.metadata.sorted_tables:
        for key in table.foreign_keys if table not in left_out else ():
            if key.column.table in (Bot.__table__, Version.__table__):
                yield key.parent, key.column.table is Bot.__table__


def _plans(session: Session, bot_id: int) -> Iterator[tuple[str, str]]:
    """Yield the tournaments that have not started, and the schedules, for which a bot is chosen: refusal and name."""
    waiting = Tournament.state.in_((TournamentState.DRAFT, TournamentState.SCHEDULED))
    for tournament in session.scalars(select(Tournament).where(waiting).order_by(Tournament.id)):
        if bot_id in (tournament.chosen or ()):
            yield (
                N_("%(name)s is chosen for the tournament %(plan)s, so it stays. Archive it instead."),
                tournament.name,
            )
    for schedule in session.scalars(select(Schedule).order_by(Schedule.id)):
        if bot_id in (schedule.plan.get("chosen") or ()):
            yield N_("%(name)s is chosen for the schedule %(plan)s, so it stays. Archive it instead."), schedule.name


def _delete_version(session: Session, version_id: int) -> None:
    session.execute(update(Bot).where(Bot.active_version_id == version_id).values(active_version_id=None))
    session.execute(delete(Version).where(Version.id == version_id))


def _delete_bot(session: Session, bot_id: int) -> None:
    log.forget_bot(session, bot_id)
    for model in (models.BotMember, models.FormerName, models.Presence):
        session.execute(delete(model).where(model.bot_id == bot_id))
    session.execute(delete(Bot).where(Bot.id == bot_id))
