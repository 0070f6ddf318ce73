"""Callers: people in browsers and programs with tokens, and what the arena must take each of them for."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, delete, update

from arena.db.clock import now
from arena.db.models import AccessToken
from arena.services.base.access import Account
from arena.services.people import keys, sessions
from arena.services.people.keys import Scope
from arena.services.people.tokens import token_hash
from tests.web.filled import Filled
from web.serving.session import COOKIE


class Who(StrEnum):
    """Condition on a caller, to use a page or to read a text of `tests.web.filled`."""

    ANYBODY = "anybody, also without an account"
    MEMBER = "a member"
    HOLDER = "the account that owns the webhook, the session, the token and the notices"
    TEAM = "the owner of the bot, a mate, or an administrator"
    OWNER = "the owner of the bot, or an administrator"
    MATE = "a mate who is not the owner"
    INVITED = "the member who is invited to the team of the bot"
    JOINED = "the owner of the bot, a mate, or the member who is invited"
    STARTER = "the member who started the comparison, or an organiser"
    CREW = "the owner of the bot, a mate, or an organiser"
    PUPIL = "the pupil"
    CLASS = "the pupil, or an organiser"
    COURSE = "the pupil, an organiser, or the account that set the assignment"
    ORGANISER = "an organiser, or an administrator"
    ADMIN = "an administrator"
    NOBODY = "nobody"


VISITOR: Final = frozenset({Who.ANYBODY})
OWN: Final[Mapping[str, tuple[Who, ...]]] = {
    "admin": (),
    "colleague": (),
    "organiser": (Who.COURSE,),
    "pupil": (Who.INVITED, Who.JOINED, Who.PUPIL, Who.CLASS, Who.COURSE),
    "mate": (Who.TEAM, Who.MATE, Who.JOINED, Who.CREW),
    "owner": (Who.HOLDER, Who.TEAM, Who.OWNER, Who.JOINED, Who.STARTER, Who.CREW),
    "stranger": (),
}
"""What the people of `tests.web.filled` are whatever their role. The disabled one is missing: a visitor."""
ORGANISING: Final = frozenset({Who.ORGANISER, Who.STARTER, Who.CREW, Who.CLASS, Who.COURSE})
ADMINISTERING: Final = ORGANISING | {Who.ADMIN, Who.TEAM, Who.OWNER}
NARROW: Final[Mapping[str, tuple[Scope, ...]]] = {
    "admin": (Scope.ADMINISTER, Scope.ORGANISE, Scope.UPLOAD, Scope.READ),
    "organiser": (Scope.ORGANISE, Scope.UPLOAD, Scope.READ),
    "owner": (Scope.READ,),
}
"""People who have, beside a token with all their scopes, one for each of these."""


class Caller(NamedTuple):
    """Somebody who sends requests."""

    name: str
    headers: dict[str, str]
    known: frozenset[Who]
    """What the arena must take it for; nothing if it must refuse whatever this program asks."""
    scopes: frozenset[Scope] = frozenset(Scope)

    def may(self, who: Who, scope: Scope | None = None) -> bool:
        """Whether it may do what needs this, and this scope of its token."""
        return who in self.known and (scope is None or scope in self.scopes)


def browsers(filled: Filled) -> Iterator[Caller]:
    """Yield the callers of pages: those with most rights first, visitors last."""
    for name in (*OWN, "disabled"):
        token = sessions.begin(filled.arena, filled.people[name], "Firefox on Linux")
        yield Caller(name, {"Cookie": f"{COOKIE}={token}"}, _known(name, frozenset(Scope)))
    yield Caller("admin with a token", _bearer(_token(filled, "admin")), VISITOR)
    yield Caller("visitor", {}, VISITOR)


def programs(filled: Filled) -> Iterator[Caller]:
    """Yield the callers of the API: those with most rights first, visitors last."""
    for name in OWN:
        offered = keys.offered(filled.people[name])
        for scopes in (offered, *(keys.known([scope]) for scope in NARROW.get(name, ()))):
            held = frozenset(scopes)
            headers = _bearer(_token(filled, name, held))
            yield Caller(f"{name} with {', '.join(scopes)}", headers, _known(name, held), held)
    for name, token in _invalid(filled).items():
        yield Caller(name, _bearer(token), frozenset())
    session = sessions.begin(filled.arena, filled.people["admin"], "Firefox on Linux")
    yield Caller("admin with a session", {"Cookie": f"{COOKIE}={session}"}, VISITOR, frozenset())
    yield Caller("visitor", {}, VISITOR, frozenset())


def _known(name: str, scopes: frozenset[Scope]) -> frozenset[Who]:
    """Return what a person is in a request with these scopes."""
    if name not in OWN:
        return VISITOR
    organises = name in ("organiser", "colleague", "admin") and Scope.ORGANISE in scopes
    administers = name == "admin" and Scope.ADMINISTER in scopes
    roles = ADMINISTERING if administers else ORGANISING if organises else frozenset()
    return frozenset({Who.ANYBODY, Who.MEMBER, *OWN[name], *roles})


def _invalid(filled: Filled) -> dict[str, str]:
    """Return tokens of administrators that the arena must refuse."""
    made = {name: _token(filled, "admin") for name in ("expired", "revoked")}
    with filled.arena.transaction() as session:
        session.execute(update(AccessToken).where(_is(made["expired"])).values(ends=now() - 1))
        session.execute(delete(AccessToken).where(_is(made["revoked"])))
    return {**made, "disabled": _token(filled, "disabled")}


def _is(token: str) -> ColumnElement[bool]:
    return AccessToken.token == token_hash(token)


def _token(filled: Filled, name: str, scopes: frozenset[Scope] = frozenset(Scope)) -> str:
    account = filled.people[name]
    if name == "disabled":
        account = Account(account.id, name, is_admin=True)
    token = keys.make(filled.arena, account, "test", scopes)
    with filled.arena.transaction() as session:
        session.execute(update(AccessToken).where(_is(token)).values(used=now()))  # or its first use would be noted
    return token


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
