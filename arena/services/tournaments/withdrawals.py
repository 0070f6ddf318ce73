"""Withdraw a bot from a tournament on request of its team or an organiser."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Tournament, Version
from arena.games.errors import Conflict, Forbidden, NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import Exit, TournamentState
from arena.services.base.texts import storable
from arena.services.formats.registry import FORMATS
from arena.services.people import audit, notices
from arena.services.people.notices import NoticeKind
from arena.services.tournaments import stages
from arena.services.tournaments.exits import withdraw_version
from arena.services.tournaments.starts import is_being_created, lock_tournament, state_clause
from arena.words import _

STARTED: Final = (TournamentState.RUNNING, TournamentState.PAUSED)
MAX_REASON: Final = 500
"""Largest length of a reason, in characters."""


def withdraw(arena: Arena, account: Account, tournament_id: int, version_id: int, reason: str) -> None:
    """Withdraw a version as a member of its team or an organiser. Raises `Refused` and `NotFound`.

    See `arena.services.tournaments.exits` for the consequences.
    """
    stated = checked_reason(reason)
    with arena.transaction() as session:
        tournament = lock_tournament(session, tournament_id)
        bot = _entered(session, tournament, version_id)
        if not (account.id in bot.team or account.may_organise):
            raise Forbidden(_("%(name)s is not your bot.", name=bot.name))
        _check_may_leave(tournament)
        withdraw_version(session, tournament, version_id, Exit.WITHDRAWN)
        if account.id not in bot.team:
            audit.note(session, account, "withdrew a bot", f"tournament {tournament_id}", f"{bot.name}: {stated}")
        names = {"bot": bot.name, "tournament": tournament.name, "name": account.name, "reason": stated}
        for user_id in sorted({*bot.team, tournament.created_by_id} - {account.id}):
            notices.notify(
                session, user_id,
                lambda: _("%(bot)s was withdrawn from %(tournament)s by %(name)s: %(reason)s", **names),
                tournament_id, NoticeKind.WITHDRAWAL, bot.id,
            )  # fmt: skip
    stages.advance(arena, tournament_id)


def withdraw_all(arena: Arena, account: Account) -> None:
    """Withdraw all bots of an account from everything that is running, as the account is deleted.

    Comparisons play on: they end soon, and need all their bots. Raises `Refused` while a tournament is being created.
    """
    for tournament_id, version_id in _taking_part(arena, account):
        with arena.transaction() as session:
            tournament = lock_tournament(session, tournament_id)
            if tournament.state not in STARTED:
                continue
            if is_being_created(tournament):
                raise Conflict(
                    _("The tables of %(name)s are still being created; try again in a moment.", name=tournament.name)
                )
            withdraw_version(session, tournament, version_id, Exit.WITHDRAWN)
            if tournament.created_by_id != account.id:
                _tell_creator(session, tournament, session.get_one(Version, version_id).bot)
        stages.advance(arena, tournament_id)


def _tell_creator(session: Session, tournament: Tournament, bot: Bot) -> None:
    names = {"bot": bot.name, "tournament": tournament.name}
    notices.notify(
        session, tournament.created_by_id,
        lambda: _("%(bot)s was withdrawn from %(tournament)s: its owner has left.", **names),
        tournament.id, NoticeKind.WITHDRAWAL,
    )  # fmt: skip


def _taking_part(arena: Arena, account: Account) -> list[tuple[int, int]]:
    """Return tournament and version ID of each entry of the account's bots that still gets tables."""
    formats = [one.id for one in FORMATS.values() if one.withdrawable]
    entered = (
        select(Tournament.id, Entry.version_id)
        .join(Entry, Entry.tournament_id == Tournament.id)
        .join(Version, Version.id == Entry.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(Bot.owner_id == account.id, Entry.out.is_(None))
        .where(Tournament.format.in_(formats), Tournament.state.in_(STARTED))
        .order_by(Tournament.id, Entry.number)
    )
    with arena.reading() as session:
        return [(row.id, row.version_id) for row in session.execute(entered)]


def checked_reason(reason: str) -> str:
    """Return a reason on one line. Raises `Refused` if it is empty or too long."""
    stated = " ".join(storable(reason).split())
    if not 1 <= len(stated) <= MAX_REASON:
        raise Refused(_("Give a reason, in 1 to %(most)s characters.", most=MAX_REASON))
    return stated


def _entered(session: Session, tournament: Tournament, version_id: int) -> Bot:
    """Return the bot of a version that still takes part. Raises `Refused` and `NotFound`."""
    entry = session.scalar(select(Entry).where(Entry.tournament_id == tournament.id, Entry.version_id == version_id))
    if entry is None:
        raise NotFound(_("Version %(id)s does not take part in %(name)s.", id=version_id, name=tournament.name))
    bot = session.get_one(Version, version_id).bot
    if entry.out:
        values = {"bot": bot.name, "tournament": tournament.name, "reason": _(entry.out)}
        raise Conflict(_("%(bot)s already left %(tournament)s: %(reason)s.", **values))
    return bot


def _check_may_leave(tournament: Tournament) -> None:
    if tournament.state not in STARTED:
        raise Conflict(_("Cannot withdraw: %(state)s.", state=state_clause(tournament)))
    if not FORMATS[tournament.format].withdrawable:
        raise Refused(_("Bots cannot be withdrawn from a comparison; cancel it instead."))
    if is_being_created(tournament):
        raise Conflict(_("The tables of this tournament are still being created; try again in a moment."))
