"""Withdrawal: a bot leaves a tournament before its end, because its owner or an administrator says so."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Tournament, Version
from arena.games.errors import NotFound, Refused
from arena.services import notices, stages
from arena.services.context import Arena
from arena.services.matches import may_see
from arena.services.plans import COMPARISON
from arena.services.shapes import PAUSED, RUNNING, WITHDRAWN, Account
from arena.services.starting import held, is_being_made
from arena.services.taking_out import take_out
from arena.services.texts import storable

LONGEST_REASON = 500


def withdraw(arena: Arena, account: Account, tournament_id: int, version_id: int, reason: str) -> None:
    """Take a version out of a tournament, by its owner or an administrator; see `arena.services.taking_out`.

    Raises Refused and NotFound.
    """
    told = checked_reason(reason)
    with arena.transaction() as session:
        tournament = held(session, tournament_id)
        bot = _entered(session, tournament, version_id)
        if not may_see(bot.owner_id, account):
            raise Refused(f"{bot.name} is not your bot.")
        _check_may_leave(tournament)
        take_out(session, tournament, version_id, WITHDRAWN)
        text = f"{bot.name} was withdrawn from {tournament.name} by {account.name}: {told}"
        for user_id in {bot.owner_id, tournament.created_by_id} - {account.id}:
            notices.tell(session, user_id, text, tournament_id)
    stages.advance(arena, tournament_id)


def checked_reason(reason: str) -> str:
    """A reason that somebody gave, on one line. Raises Refused."""
    told = " ".join(storable(reason).split())
    if not 1 <= len(told) <= LONGEST_REASON:
        raise Refused(f"Give a reason, in 1 to {LONGEST_REASON} characters.")
    return told


def _entered(session: Session, tournament: Tournament, version_id: int) -> Bot:
    """The bot of a version that takes part."""
    entry = session.scalar(select(Entry).where(Entry.tournament_id == tournament.id, Entry.version_id == version_id))
    if entry is None:
        raise NotFound(f"Version {version_id} does not take part in {tournament.name}.")
    bot = session.get_one(Version, version_id).bot
    if entry.out:
        raise Refused(f"{bot.name} is out of {tournament.name} already: {entry.out}.")
    return bot


def _check_may_leave(tournament: Tournament) -> None:
    if tournament.state not in (RUNNING, PAUSED):
        raise Refused(f"This tournament is {tournament.state}: there is nothing to withdraw from.")
    if tournament.format == COMPARISON:
        raise Refused("Nobody can be withdrawn from a comparison; cancel it instead.")
    if is_being_made(tournament):
        raise Refused("The tables of this tournament are still being made; try again in a moment.")
