"""Access tokens: with one, a program acts for a member, within the token's scopes.

A token is shown once and stored as a hash. It begins with `suit_` and ends with a checksum, so that scanners for leaked
secrets recognise it. It ends by itself, when it is revoked, and when the password changes or the account is disabled.
"""

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from zlib import crc32

import structlog
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import AccessToken, User
from arena.games.errors import NotFound, Refused
from arena.services.base import dates
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.names import check_title
from arena.services.base.texts import described
from arena.services.base.times import moment
from arena.services.base.views import view_of
from arena.services.people import audit, notices
from arena.services.people.quotas import lock_user
from arena.services.people.tokens import token_hash
from arena.words import N_, _

PREFIX: Final = "suit_"
DAY: Final = 24 * 3600.0
DAYS: Final = 90
"""Days after which a token ends by default."""
LONGEST: Final = 365
MOST: Final = 50
"""Number of tokens that an account may have."""
TOUCHED_EVERY: Final = 60.0
"""Seconds after which another use of a token is stored."""
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SECRET, _CHECK = 43, 6
"""Numbers of digits of 32 random bytes and of a CRC-32."""
_TOKEN: Final = re.compile(rf"{PREFIX}([0-9A-Za-z]{{{_SECRET}}})([0-9A-Za-z]{{{_CHECK}}})")

log: Final = structlog.get_logger()


class Scope(StrEnum):
    """Rights that a token grants, never more than the account has."""

    READ = "read"
    """Read what the member sees. Every token has this scope."""
    UPLOAD = "upload"
    """Upload and manage the member's bots, and start trials and comparisons."""
    ORGANISE = "organise"
    """Act as an organiser."""
    ADMINISTER = "administer"
    """Act as an administrator."""


@dataclass(frozen=True)
class Key:
    """A token that was presented and is valid."""

    id: int
    account: Account
    """Its account, with no more rights than the scopes allow."""
    scopes: frozenset[Scope]


@dataclass(frozen=True)
class KeyRow:
    """A token, as its owner sees it."""

    id: int
    name: str
    scopes: tuple[Scope, ...]
    created: datetime
    used: datetime | None
    """Time of the last use, at most a minute old; None if it was never used."""
    ends: datetime


def make(arena: Arena, account: Account, name: str, scopes: Collection[str], days: int = DAYS) -> str:
    """Make a token for an account and return it: it cannot be shown again. The member is notified.

    Raises `Refused` if the name or the number of days is not allowed, or the account lacks the rights of a scope.
    """
    if not 1 <= days <= LONGEST:
        raise Refused(_("A token lasts for 1 to %(most)s days.", most=LONGEST))
    granted = checked(account, scopes)
    with arena.transaction() as session:
        return add(session, account, check_title(name, N_("name of the token")), granted, days)


def add(session: Session, account: Account, name: str, scopes: Collection[Scope], days: int = DAYS) -> str:
    """Add a token of an account, and return it. Raises `Refused` if the account has too many."""
    lock_user(session, account.id)  # two requests must not both find room
    mine = (AccessToken.user_id == account.id, AccessToken.ends > now())
    if session.scalars(select(func.count()).select_from(AccessToken).where(*mine)).one() >= MOST:
        raise Refused(_("You have %(most)s tokens, as many as an account may have. Revoke one first.", most=MOST))
    token = new()
    row = AccessToken(user_id=account.id, name=name, token=token_hash(token), scopes=list(scopes))
    row.ends = now() + days * DAY
    session.add(row)
    session.flush()
    session.refresh(row, ["ends"])
    listed = ", ".join(scopes)
    notices.notify(session, account.id, lambda: _told(name, listed, row.ends))
    if account.may_organise:
        audit.note(session, account, "made an access token", f"member {account.name}", f"{name}: {listed}")
    return token


def _told(name: str, listed: str, ends: float) -> str:
    return _(
        "The access token %(name)s was made (%(scopes)s); it ends on %(time)s. If you do not know it, revoke it on "
        "your account page.",
        name=name,
        scopes=listed,
        time=dates.moment(moment(ends)),
    )


def find(arena: Arena, token: str) -> Key | None:
    """Return the token's account and scopes; None if it is unknown, has ended, or the account is disabled."""
    if not is_well_formed(token):
        return None
    living = (AccessToken.token == token_hash(token), AccessToken.ends > now(), User.disabled.is_(None))
    idle = (now() - AccessToken.used).label("idle")
    query = select(AccessToken, idle, User).join(User, User.id == AccessToken.user_id).where(*living)
    with arena.reading() as session:
        found = session.execute(query).one_or_none()
    if found is None:
        return None
    if found.idle is None or found.idle > TOUCHED_EVERY:
        _touch(arena, found.AccessToken.id)
    scopes = frozenset(map(Scope, found.AccessToken.scopes))
    return Key(found.AccessToken.id, _limited(found.User, scopes), scopes)


def listed(arena: Arena, account: Account) -> list[KeyRow]:
    """Return the account's tokens, the newest first."""
    with arena.reading() as session:
        mine = select(AccessToken).where(AccessToken.user_id == account.id, AccessToken.ends > now())
        return [_row(row) for row in session.scalars(mine.order_by(AccessToken.id.desc()))]


def revoke(arena: Arena, account: Account, key_id: int) -> None:
    """Revoke one of the account's tokens. Raises `NotFound`."""
    mine = (AccessToken.id == key_id, AccessToken.user_id == account.id)
    with arena.transaction() as session:
        name = session.scalar(delete(AccessToken).where(*mine).returning(AccessToken.name))
        if name is None:
            raise NotFound(_("This token has been revoked, or has ended."))
        if account.may_organise:
            audit.note(session, account, "revoked an access token", f"member {account.name}", name)


def revoke_itself(arena: Arena, token: str) -> None:
    """Revoke a token by itself, if there is one."""
    with arena.transaction() as session:
        session.execute(delete(AccessToken).where(AccessToken.token == token_hash(token)))


def revoke_all(session: Session, user_id: int) -> None:
    """Revoke all tokens of a user, in the transaction of the reason for it."""
    session.execute(delete(AccessToken).where(AccessToken.user_id == user_id))


def offered(account: Account) -> tuple[Scope, ...]:
    """Return the scopes that an account's tokens may have."""
    organise = (Scope.ORGANISE,) if account.may_organise else ()
    return (Scope.READ, Scope.UPLOAD, *organise, *((Scope.ADMINISTER,) if account.is_admin else ()))


def known(scopes: Collection[str]) -> tuple[Scope, ...]:
    """Return scopes by their names, in their order, with `read` in any case. Raises `Refused`."""
    if unknown := sorted(set(scopes) - set(Scope)):
        values = {"scope": repr(unknown[0][:40]), "known": ", ".join(Scope)}
        raise Refused(_("There is no scope %(scope)s; the scopes are %(known)s.", **values))
    return tuple(scope for scope in Scope if scope in scopes or scope is Scope.READ)


def checked(account: Account, scopes: Collection[str]) -> tuple[Scope, ...]:
    """Return scopes that a token of the account may have. Raises `Refused` if it lacks the rights of one."""
    wanted = known(scopes)
    if lacking := [scope for scope in wanted if scope not in offered(account)]:
        raise Refused(_("Your account may not %(scope)s, so its tokens cannot have this scope.", scope=lacking[0]))
    return wanted


def new() -> str:
    """Return a random token with its checksum."""
    secret = _written(secrets.randbits(256), _SECRET)
    return f"{PREFIX}{secret}{_checksum(secret)}"


def is_well_formed(token: str) -> bool:
    """Return whether this may be a token: it has the prefix, and its checksum is right."""
    match = _TOKEN.fullmatch(token)
    return match is not None and match[2] == _checksum(match[1])


def _checksum(secret: str) -> str:
    return _written(crc32(secret.encode()), _CHECK)


def _written(number: int, length: int) -> str:
    """Return a number with this many digits to the base 62."""
    digits = []
    for __ in range(length):
        number, digit = divmod(number, len(_DIGITS))
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))


def _limited(user: User, scopes: Collection[Scope]) -> Account:
    admin = user.is_admin and Scope.ADMINISTER in scopes
    organiser = (user.is_admin or user.is_organiser) and Scope.ORGANISE in scopes
    return Account(user.id, user.name, admin, organiser)


def _touch(arena: Arena, key_id: int) -> None:
    """Store a use of a token. The request succeeds even if that fails, such as on a full disk."""
    try:
        with arena.transaction() as session:
            session.execute(update(AccessToken).where(AccessToken.id == key_id).values(used=now()))
    except SQLAlchemyError as error:
        log.warning("the use of a token was not stored", error=described(error))


def _row(row: AccessToken) -> KeyRow:
    return view_of(KeyRow, row, scopes=tuple(map(Scope, row.scopes)))
