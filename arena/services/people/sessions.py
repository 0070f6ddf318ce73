"""Sessions of members: they begin at log-in, and end at log-out, at a new password, without use, or after a time.

Only a hash of the token in the cookie is stored, and no address: a session is listed by its browser and last use.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy import Select, case, delete, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import User, UserSession
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.texts import described
from arena.services.base.views import view_of
from arena.services.people.quotas import lock_user
from arena.services.people.rows import account_of
from arena.services.people.tokens import new_token, token_hash
from arena.words import _

DAY: Final = 86400.0
IDLE: Final = 7 * DAY
"""Seconds without use after which a session ends."""
LENGTH: Final = 30 * DAY
"""Seconds after which a session ends in any case."""
TOUCHED_EVERY: Final = 300.0
"""Seconds after which another use of a session is stored, so that reading pages rarely writes."""
MOST: Final = 50
"""Number of sessions that an account may have. Another one ends the session unused for longest."""
LONGEST_BROWSER: Final = 80

log: Final = structlog.get_logger()


@dataclass(frozen=True)
class SessionRow:
    """A session, as its owner sees it."""

    id: int
    browser: str
    created: datetime
    seen: datetime
    """Time of the last use, at most some minutes old."""
    ends: datetime
    """Time at which it ends unless it is used."""
    current: bool
    """Whether it is the session of the request."""


def begin(arena: Arena, account: Account, browser: str) -> str:
    """Begin a session of an account, and return its token. `browser` is a coarse description."""
    token = new_token()
    with arena.transaction() as session:
        _make_room(session, account.id)
        made = UserSession(user_id=account.id, token=token_hash(token), browser=browser[:LONGEST_BROWSER])
        made.ends = now() + IDLE
        session.add(made)
    return token


def find(arena: Arena, token: str, used: bool = True) -> Account | None:
    """Return the account of a session that has not ended, or None. `used` is whether this counts as a use."""
    with arena.reading() as session:
        found = session.execute(_living(token)).one_or_none()
    if found is None:
        return None
    if used and found.idle > TOUCHED_EVERY:
        _touch(arena, found.id)
    return account_of(found.User)


def listed(arena: Arena, account: Account, token: str) -> list[SessionRow]:
    """Return the account's sessions, the last used first; `token` is that of the request."""
    with arena.reading() as session:
        mine = select(UserSession).where(UserSession.user_id == account.id, UserSession.ends > now())
        rows = session.scalars(mine.order_by(UserSession.seen.desc(), UserSession.id.desc())).all()
    return [_row(row, token_hash(token)) for row in rows]


def end(arena: Arena, token: str) -> None:
    """End the session of a token, if there is one."""
    with arena.transaction() as session:
        session.execute(delete(UserSession).where(UserSession.token == token_hash(token)))


def end_one(arena: Arena, account: Account, session_id: int) -> None:
    """End one of the account's sessions. Raises `NotFound`."""
    mine = (UserSession.id == session_id, UserSession.user_id == account.id)
    with arena.transaction() as session:
        if session.scalar(delete(UserSession).where(*mine).returning(UserSession.id)) is None:
            raise NotFound(_("This session has already ended."))


def end_others(arena: Arena, account: Account, token: str) -> None:
    """End all sessions of the account but that of the token."""
    others = (UserSession.user_id == account.id, UserSession.token != token_hash(token))
    with arena.transaction() as session:
        session.execute(delete(UserSession).where(*others))


def end_sessions(session: Session, user_id: int) -> None:
    """End all sessions of a user, in the transaction of the reason for it."""
    session.execute(delete(UserSession).where(UserSession.user_id == user_id))


def _living(token: str) -> Select[int, float, User]:
    """Select ID, seconds since the last stored use, and user of the session of a token.

    Nothing is selected if it has ended or the user is disabled.
    """
    return (
        select(UserSession.id, (now() - UserSession.seen).label("idle"), User)
        .join(User, User.id == UserSession.user_id)
        .where(UserSession.token == token_hash(token), UserSession.ends > now(), User.disabled.is_(None))
    )


def _touch(arena: Arena, session_id: int) -> None:
    """Store a use of a session. A page is shown even if that fails, such as on a full disk."""
    last = UserSession.created + LENGTH
    try:
        with arena.transaction() as session:
            used = update(UserSession).where(UserSession.id == session_id)
            session.execute(used.values(seen=now(), ends=case((now() + IDLE < last, now() + IDLE), else_=last)))
    except SQLAlchemyError as error:
        log.warning("the use of a session was not stored", error=described(error))


def _make_room(session: Session, user_id: int) -> None:
    """Lock a user, and end the sessions unused for longest until there is room for another one."""
    lock_user(session, user_id)
    mine = select(UserSession.id).where(UserSession.user_id == user_id)
    kept = mine.order_by(UserSession.seen.desc(), UserSession.id.desc()).limit(MOST - 1)
    session.execute(delete(UserSession).where(UserSession.user_id == user_id, UserSession.id.not_in(kept)))


def _row(row: UserSession, current: str) -> SessionRow:
    return view_of(SessionRow, row, current=row.token == current)
