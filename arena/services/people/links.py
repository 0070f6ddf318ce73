"""Links to accounts, which work once: they reset a password or verify an e-mail address.

A link holds a random token, of which the database has only a hash. It ends after a day, or when it or another link of
the account is used.
"""

from typing import Final

from sqlalchemy import ColumnElement, delete
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import AccountLink
from arena.services.people.tokens import new_token, token_hash

LIFE: Final = 24 * 3600.0
"""Seconds after which a link ends."""


def add(session: Session, user_id: int, email: str | None = None) -> str:
    """Add a link of a user, and return its token. With `email`, the link verifies this address."""
    token = new_token()
    session.add(AccountLink(user_id=user_id, token=token_hash(token), email=email, ends=now() + LIFE))
    return token


def living(token: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the link with this token, if it has not ended."""
    return AccountLink.token == token_hash(token), AccountLink.ends > now()


def end_links(session: Session, user_id: int) -> None:
    """End all links of a user, in the transaction of the reason for it."""
    session.execute(delete(AccountLink).where(AccountLink.user_id == user_id))
