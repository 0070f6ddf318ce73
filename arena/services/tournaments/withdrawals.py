"""Withdraw a bot from a tournament on request of its team or an administrator."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Tournament, Version
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.states import Exit, TournamentState
from arena.services.base.texts import storable
from arena.services.formats.registry import FORMATS
from arena.services.people import notices
from arena.services.tournaments import stages
from arena.services.tournaments.exits import withdraw_version
from arena.services.tournaments.starts import is_being_created, lock_tournament, state_phrase

MAX_REASON: Final = 500
"""Largest length of a reason, in characters."""


def withdraw(arena: Arena, account: Account, tournament_id: int, version_id: int, reason: str) -> None:
    """Withdraw a version as a member of its team or an administrator. Raises `Refused` and `NotFound`.

    See `arena.services.tournaments.exits` for the consequences.
    """
    stated = checked_reason(reason)
    with arena.transaction() as session:
        tournament = lock_tournament(session, tournament_id)
        bot = _entered(session, tournament, version_id)
        if not may_see(bot.team, account):
            raise Refused(f"{bot.name} is not your bot.")
        _check_may_leave(tournament)
        withdraw_version(session, tournament, version_id, Exit.WITHDRAWN)
        text = f"{bot.name} was withdrawn from {tournament.name} by {account.name}: {stated}"
        for user_id in sorted({*bot.team, tournament.created_by_id} - {account.id}):
            notices.notify(session, user_id, text, tournament_id)
    stages.advance(arena, tournament_id)


def checked_reason(reason: str) -> str:
    """Return a reason on one line. Raises `Refused` if it is empty or too long."""
    stated = " ".join(storable(reason).split())
    if not 1 <= len(stated) <= MAX_REASON:
        raise Refused(f"Give a reason, in 1 to {MAX_REASON} characters.")
    return stated


def _entered(session: Session, tournament: Tournament, version_id: int) -> Bot:
    """Return the bot of a version that still takes part. Raises `Refused` and `NotFound`."""
    entry = session.scalar(select(Entry).where(Entry.tournament_id == tournament.id, Entry.version_id == version_id))
    if entry is None:
        raise NotFound(f"Version {version_id} does not take part in {tournament.name}.")
    bot = session.get_one(Version, version_id).bot
    if entry.out:
        raise Refused(f"{bot.name} already left {tournament.name}: {entry.out}.")
    return bot


def _check_may_leave(tournament: Tournament) -> None:
    if tournament.state not in (TournamentState.RUNNING, TournamentState.PAUSED):
        raise Refused(f"Cannot withdraw: the tournament is {state_phrase(tournament)}.")
    if not FORMATS[tournament.format].withdrawable:
        raise Refused("Bots cannot be withdrawn from a comparison; cancel it instead.")
    if is_being_created(tournament):
        raise Refused("The tables of this tournament are still being created; try again in a moment.")
