"""Pages of administrators: members, bots, uploads, and the audit log."""

from typing import Any, Final

from sqlalchemy import Select, func, select

from arena.db.clock import now
from arena.db.models import AuditEntry, Bot, User, UserSession, Version
from arena.games.errors import NotFound
from arena.services.administration.views import EnteredBot, LogEntry, MemberPage, MemberRow, UploadRow
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.lists import SHOWN, Listed, listed
from arena.services.base.names import key
from arena.services.base.states import VersionState
from arena.services.base.times import moment
from arena.services.base.views import view_of
from arena.services.bots import pages as bot_pages
from arena.services.people.rows import HOUSE, role
from arena.words import _

DISABLED: Final = "disabled"
"""Filter of members and bots, beside the roles."""
UPLOADS: Final = (VersionState.PENDING, VersionState.INVALID, VersionState.INFRA_FAILED)
"""States of the uploads that are listed."""
SHOWN_ENTRIES: Final = 20
"""Number of entries of the audit log on a member's page."""


def members(arena: Arena, page: int = 1, *, search: str = "", only: str = "", size: int = SHOWN) -> Listed[MemberRow]:
    """Return one page of the members by name.

    `search` is a part of the name; `only` is a role or `DISABLED`. Anything else selects all.
    """
    query = _members().where(User.name_key.contains(key(search.strip()), autoescape=True)).order_by(User.name_key)
    wanted = {
        "member": (User.is_admin.is_(False), User.is_organiser.is_(False)),
        "organiser": (User.is_admin.is_(False), User.is_organiser),
        "administrator": (User.is_admin,),
        DISABLED: (User.disabled.is_not(None),),
    }
    with arena.reading() as session:
        return listed(session, query.where(*wanted.get(only, ())), page, _member, size)


def member(arena: Arena, user_id: int) -> MemberPage:
    """Return the page of a member. Raises `NotFound`."""
    with arena.reading() as session:
        found = session.execute(_members().where(User.id == user_id)).one_or_none()
        if found is None:
            raise NotFound(_("There is no member %(id)s.", id=user_id))
        row = _member(*found)
        about = select(AuditEntry).where(AuditEntry.subject == f"member {row.name}").order_by(AuditEntry.id.desc())
        log = tuple(map(_entry, session.scalars(about.limit(SHOWN_ENTRIES))))
    bots = bot_pages.bots_of(arena, Account(row.id, row.name, is_admin=False))
    return MemberPage(row, tuple(bots), log)


def bots(arena: Arena, page: int = 1, *, search: str = "", only: str = "", size: int = SHOWN) -> Listed[EnteredBot]:
    """Return one page of the bots by name; `search` is a part of the name of a bot or its owner.

    `only` may be `DISABLED`.
    """
    versions = select(func.count()).where(Version.bot_id == Bot.id).correlate(Bot).scalar_subquery()
    part = key(search.strip())
    named = Bot.name_key.contains(part, autoescape=True) | User.name_key.contains(part, autoescape=True)
    query = select(Bot, User.name, versions).join(Bot.owner).where(named).order_by(Bot.name_key)
    if only == DISABLED:
        query = query.where(Bot.disabled.is_not(None))
    with arena.reading() as session:
        return listed(session, query, page, _bot, size)


def uploads(arena: Arena, page: int = 1, *, state: str = "", size: int = SHOWN) -> Listed[UploadRow]:
    """Return one page of the uploads that wait for validation, were rejected or could not be validated, newest first.

    `state` may be one of `UPLOADS`.
    """
    states = [one for one in UPLOADS if one == state] or UPLOADS
    # Columns, not objects, because sources and reports are large.
    message = Version.report["message"].as_string()
    query = (
        select(
            Version.id, Version.number, Bot.id, Bot.name, User.id, User.name,
            Version.state, now() - Version.created, func.coalesce(message, ""), Version.attempts,
        )
        .join(Bot, Bot.id == Version.bot_id)
        .join(User, User.id == Bot.owner_id)
        .where(Version.state.in_(states))
        .order_by(Version.id.desc())
    )  # fmt: skip
    with arena.reading() as session:
        return listed(session, query, page, UploadRow, size)


def log(arena: Arena, page: int = 1, *, actor: str = "", subject: str = "", size: int = SHOWN) -> Listed[LogEntry]:
    """Return one page of the audit log, newest first; the filters are parts of the actor's name and of the subject."""
    with arena.reading() as session:
        return listed(session, _log(actor, subject), page, _entry, size)


def _log(actor: str, subject: str) -> Select[Any]:
    query = select(AuditEntry).order_by(AuditEntry.id.desc())
    for column, part in ((AuditEntry.actor, actor.strip()), (AuditEntry.subject, subject.strip())):
        query = query.where(func.lower(column).contains(key(part), autoescape=True)) if part else query
    return query


def _entry(entry: AuditEntry) -> LogEntry:
    return LogEntry(entry.id, moment(entry.at), entry.actor, entry.action, entry.subject, entry.detail)


def _members() -> Select[Any]:
    """Select members with their bots, sessions, and the times of the last use of a session and the last upload."""
    bots = select(func.count()).where(Bot.owner_id == User.id)
    sessions = select(func.count()).where(UserSession.user_id == User.id, UserSession.ends > now())
    seen = select(func.max(UserSession.seen)).where(UserSession.user_id == User.id)
    uploaded = select(func.max(Version.created)).join(Bot, Bot.id == Version.bot_id).where(Bot.owner_id == User.id)
    counted = (query.correlate(User).scalar_subquery() for query in (bots, sessions, seen, uploaded))
    return select(User, *counted).where(User.name_key != HOUSE, User.deleted.is_(None))


def _member(user: User, bots: int, sessions: int, *times: float | None) -> MemberRow:
    active = max((time for time in times if time is not None), default=None)
    return MemberRow(
        user.id, user.name, role(user), user.disabled, bots, sessions, moment(user.created),
        None if active is None else moment(active),
    )  # fmt: skip


def _bot(bot: Bot, owner: str, versions: int) -> EnteredBot:
    return view_of(EnteredBot, bot, owner=owner, versions=versions)
