"""Log-in of programs without a browser of their own: the device flow of OAuth 2.0 (RFC 8628).

A program asks for a token and shows a short code. A member types or compares the code on a page and confirms; meanwhile
the program asks again every few seconds, and then gets its token.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import DeviceRequest, User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.names import check_title
from arena.services.base.times import moment
from arena.services.people import keys
from arena.services.people.keys import Scope
from arena.services.people.rows import account_of, check_enabled
from arena.services.people.tokens import new_token, token_hash
from arena.words import N_, _

LIFE: Final = 600.0
"""Seconds after which a code ends."""
INTERVAL: Final = 5.0
"""Seconds that a program waits before it asks for the token again."""
EARLY: Final = 1.0
"""Seconds by which it may ask too early, because messages take different times."""
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Letters of a code: no vowels, so that it is no word. Eight of them are 26 billion codes."""
_LENGTH: Final = 8


class Outcome(StrEnum):
    """Why a program does not get its token; the names are those of RFC 8628."""

    PENDING = "authorization_pending"
    """The member has not answered yet."""
    SLOW_DOWN = "slow_down"
    """The program asked too early."""
    DENIED = "access_denied"
    """The member refused."""
    EXPIRED = "expired_token"
    """The code is unknown or has ended."""


SENTENCES: Final = {
    Outcome.PENDING: "The code has not been confirmed yet.",
    Outcome.SLOW_DOWN: f"Wait {INTERVAL:.0f} seconds before you ask again.",
    Outcome.DENIED: "The request was refused.",
    Outcome.EXPIRED: "The code is unknown, has been used, or has ended after ten minutes.",
}


class NoToken(Refused):
    """The program gets no token, or not yet."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(SENTENCES[outcome])
        self.outcome = outcome


@dataclass(frozen=True)
class Codes:
    """Codes of a new request."""

    device: str
    """Secret with which the program asks for the token."""
    user: str
    """Code for the member, such as `BCDF-GHJK`."""


@dataclass(frozen=True)
class Asked:
    """A request that waits for its member."""

    code: str
    client: str
    """The program's own description of itself."""
    granted: tuple[Scope, ...]
    """Scopes that the program asks for and the account may grant."""
    lacking: tuple[Scope, ...]
    """Scopes that it asks for and the account may not grant."""
    created: datetime


@dataclass(frozen=True)
class Granted:
    """A token that a program gets, once."""

    token: str
    account: Account
    scopes: tuple[Scope, ...]
    seconds: float
    """Seconds after which it ends."""


def ask(arena: Arena, client: str, scopes: Collection[str]) -> Codes:
    """Ask for a token with these scopes, for a program that describes itself as `client`. Raises `Refused`."""
    name, wanted = check_title(client, N_("name of the program")), keys.known(scopes)
    device, code = new_token(), "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    row = DeviceRequest(token=token_hash(device), code=code, client=name, scopes=list(wanted))
    row.ends = now() + LIFE
    with arena.transaction() as session:
        session.add(row)
    return Codes(device, shown(code))


def asked(arena: Arena, account: Account, code: str) -> Asked:
    """Return the request with a code, in any case and with or without its hyphen. Raises `NotFound`."""
    with arena.reading() as session:
        row = session.scalar(select(DeviceRequest).where(*_waiting(code)))
    if row is None:
        raise _unknown()
    wanted, offered = tuple(map(Scope, row.scopes)), keys.offered(account)
    granted = tuple(scope for scope in wanted if scope in offered)
    lacking = tuple(scope for scope in wanted if scope not in offered)
    return Asked(shown(row.code), row.client, granted, lacking, moment(row.created))


def confirm(arena: Arena, account: Account, code: str) -> None:
    """Let the program with a code act for the account, within the scopes that the account has. Raises `NotFound`."""
    granted = asked(arena, account, code).granted
    _answer(arena, code, user_id=account.id, scopes=list(granted))


def refuse(arena: Arena, account: Account, code: str) -> None:
    """Refuse the request with a code. Raises `NotFound`."""
    _answer(arena, code, user_id=account.id, refused=True)


def claim(arena: Arena, device: str) -> Granted:
    """Return the token of a confirmed request, once. Raises `NoToken` with the reason if there is none."""
    with arena.transaction() as session:
        mine = (DeviceRequest.token == token_hash(device), DeviceRequest.ends > now())
        row = session.scalar(select(DeviceRequest).where(*mine).with_for_update())
        outcome = Outcome.EXPIRED if row is None else _outcome(session, row)
        if row is not None and outcome is None:
            return _grant(session, row)
    raise NoToken(outcome or Outcome.EXPIRED)


def shown(code: str) -> str:
    """Return a code as people read it, such as `BCDF-GHJK`."""
    plain = _plain(code)
    return f"{plain[:4]}-{plain[4:]}"


def _outcome(session: Session, row: DeviceRequest) -> Outcome | None:
    """Return why a request has no token, and note that its program asked; None if it has one."""
    if row.refused:
        session.delete(row)
        return Outcome.DENIED
    if row.user_id is not None:
        return None
    early = session.scalars(select(now() - row.polled < INTERVAL - EARLY)).one() if row.polled else False
    session.execute(update(DeviceRequest).where(DeviceRequest.id == row.id).values(polled=now()))
    return Outcome.SLOW_DOWN if early else Outcome.PENDING


def _grant(session: Session, row: DeviceRequest) -> Granted:
    """Exchange a confirmed request for a token. Raises `Refused` if the account is disabled or has too many tokens."""
    user = session.get_one(User, row.user_id)
    check_enabled(user)
    account = account_of(user)
    scopes = tuple(scope for scope in map(Scope, row.scopes) if scope in keys.offered(account))
    token = keys.add(session, account, row.client, scopes)
    session.delete(row)
    return Granted(token, account, scopes, keys.DAYS * keys.DAY)


def _answer(arena: Arena, code: str, **answer: object) -> None:
    with arena.transaction() as session:
        answered = update(DeviceRequest).where(*_waiting(code)).values(**answer)
        if session.scalar(answered.returning(DeviceRequest.id)) is None:
            raise _unknown()


def _waiting(code: str) -> tuple[ColumnElement[bool], ...]:
    return DeviceRequest.code == _plain(code), DeviceRequest.user_id.is_(None), DeviceRequest.ends > now()


def _plain(code: str) -> str:
    return "".join(letter for letter in code.upper() if letter in _LETTERS)


def _unknown() -> NotFound:
    return NotFound(_("There is no such code, or it has been used, or has ended after ten minutes."))
