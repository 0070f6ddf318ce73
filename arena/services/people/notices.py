"""Notices: messages to a user about events that happened in the user's absence, and the ways that users choose."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, Notice, Tournament, User
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.views import view_of
from arena.services.people.rows import language_of
from arena.words import N_, _, speaking

SHOWN: Final = 100
"""Maximum number of notices listed."""
MAIL_AFTER: Final = 300.0
"""Seconds after which a notice is sent by mail unless it has been seen, together with the others of its member."""


class NoticeKind(StrEnum):
    """Kind of a notice, for which each member chooses a way."""

    FAULT = "fault"
    """A version failed in a rated match for the first time."""
    WITHDRAWAL = "withdrawal"
    """A bot was withdrawn from a tournament."""
    TOURNAMENT = "tournament"
    """A tournament finished."""
    VALIDATION = "validation"
    """Validation of an upload ended after its author left the page."""
    ASSIGNMENT = "assignment"
    """An assignment ends within a day."""
    OTHER = "other"
    """Everything else, such as an invitation to a team or a change of role. Always shown on the site."""


class Way(StrEnum):
    """Way in which a member gets notices of a kind."""

    NONE = "none"
    """Not at all."""
    SITE = "site"
    """On the site."""
    MAIL = "mail"
    """On the site, and by mail if not seen there soon."""


WORDS: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.FAULT: N_("First fault of a version in a rated match"),
    NoticeKind.WITHDRAWAL: N_("Withdrawal of a bot"),
    NoticeKind.TOURNAMENT: N_("End of a tournament"),
    NoticeKind.VALIDATION: N_("Validation of an upload, if you left the page"),
    NoticeKind.ASSIGNMENT: N_("Assignment due within a day"),
    NoticeKind.OTHER: N_("Everything else, such as teams and roles"),
}
"""Words for each kind, for pages."""


@dataclass(frozen=True)
class NoticeRow:
    """A notice to a user."""

    id: int
    text: str
    tournament_id: int | None
    """ID of the tournament that it concerns, if any."""
    tournament: str | None
    """Name of that tournament."""
    bot_id: int | None
    """ID of the bot that it concerns, if any that still exists."""
    created: datetime
    seen: bool


def notify(
    session: Session, user_id: int, says: Callable[[], str], tournament_id: int | None = None,
    kind: NoticeKind = NoticeKind.OTHER, bot_id: int | None = None,
) -> None:  # fmt: skip
    """Leave a notice for a user, in the user's language and in the way that the user chose for its kind.

    `says` returns its text in the present language: it is called at once, in that of the user.
    """
    user = session.get_one(User, user_id)
    way = chosen(user)[kind]
    if way == Way.NONE or user.deleted is not None:
        return
    with speaking(language_of(user)):
        text = says()
    notice = Notice(user_id=user_id, text=text, tournament_id=tournament_id, kind=kind, bot_id=bot_id)
    if way == Way.MAIL:
        notice.mail_due = now() + MAIL_AFTER
    session.add(notice)


def chosen(user: User) -> dict[NoticeKind, Way]:
    """Return the way of each kind that a user chose; by default the site. Mail needs a choice."""
    ways = user.notice_choices or {}
    return {kind: Way(ways.get(kind, Way.SITE)) for kind in NoticeKind}


def choices(arena: Arena, account: Account) -> dict[NoticeKind, Way]:
    """Return the way of each kind of notice that the account chose."""
    with arena.reading() as session:
        return chosen(session.get_one(User, account.id))


def choose(arena: Arena, account: Account, ways: Mapping[NoticeKind, Way]) -> None:
    """Choose the way of each kind. Raises `Refused` if notices of kind `OTHER` should not be shown."""
    if ways[NoticeKind.OTHER] == Way.NONE:
        raise Refused(_("%(kind)s: these notices are always shown on the site.", kind=_(WORDS[NoticeKind.OTHER])))
    with arena.transaction() as session:
        user = session.get_one(User, account.id)
        user.notice_choices = {str(kind): str(way) for kind, way in ways.items()}


def stop_mail(arena: Arena, user_id: int) -> None:
    """Stop all notices by mail to a user, and show them on the site only."""
    with arena.transaction() as session:
        user = session.get(User, user_id)
        if user:
            ways = {str(kind): str(Way.SITE if way == Way.MAIL else way) for kind, way in chosen(user).items()}
            user.notice_choices = ways
            session.execute(update(Notice).where(Notice.user_id == user_id).values(mail_due=None))


def mark_read(arena: Arena, account: Account, bot_id: int) -> None:
    """Mark the notices about validations of a bot as seen, because the account looks at the bot's page."""
    mine = (Notice.user_id == account.id, Notice.bot_id == bot_id, Notice.kind == NoticeKind.VALIDATION)
    unseen = (*mine, Notice.seen.is_(False))
    with arena.reading() as session:
        if session.scalar(select(Notice.id).where(*unseen).limit(1)) is None:
            return
    with arena.transaction() as session:
        session.execute(update(Notice).where(*unseen).values(seen=True))


def latest(arena: Arena, account: Account) -> list[NoticeRow]:
    """Return the account's latest notices, newest first."""
    with arena.reading() as session:
        found = session.execute(
            select(Notice, Tournament.name, Bot.id)
            .outerjoin(Tournament, Tournament.id == Notice.tournament_id)
            .outerjoin(Bot, Bot.id == Notice.bot_id)
            .where(Notice.user_id == account.id)
            .order_by(Notice.id.desc())
            .limit(SHOWN)
        )
        return [_row(notice, tournament, bot_id) for notice, tournament, bot_id in found]


def count_unseen(arena: Arena, account: Account) -> int:
    """Return the number of the account's unseen notices."""
    with arena.reading() as session:
        mine = (Notice.user_id == account.id, Notice.seen.is_(False))
        return session.scalars(select(func.count()).select_from(Notice).where(*mine)).one()


def mark_seen(arena: Arena, account: Account, last_id: int) -> None:
    """Mark the account's notices up to the one with ID `last_id` as seen."""
    with arena.transaction() as session:
        mine = (Notice.user_id == account.id, Notice.id <= last_id)
        session.execute(update(Notice).where(*mine).values(seen=True))


def _row(notice: Notice, tournament: str | None, bot_id: int | None) -> NoticeRow:
    return view_of(NoticeRow, notice, tournament=tournament, bot_id=bot_id)
