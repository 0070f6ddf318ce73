"""Look-up of accounts by name."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import User
from arena.games.errors import NotFound
from arena.services.base.names import is_name, key
from arena.services.people.accounts import HOUSE


def find_by_name(session: Session, name: str) -> User:
    """Return the account with this name, in any case. Raises `NotFound`, also for the account of the house bots."""
    user = session.scalar(select(User).where(User.name_key == key(name))) if is_name(name) else None
    if user is None or user.name_key == HOUSE:
        raise NotFound(f"There is no account {name[:40]!r}.")
    return user
