"""Requests that have their effect once, though they may be sent again because an answer was lost.

The sender chooses a key and sends it each time. The first request is done, and its answer kept for a day; a request
that is refused leaves nothing. The key is marked in the transaction that has the effect, so the arena may stop at any
moment: a repeat never has the effect again, and an effect whose key was given to a repeat meanwhile is rolled back.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Repeat
from arena.games.errors import Conflict, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena, together
from arena.services.people.seals import seal, unseal
from arena.words import _

KEPT: Final = 24 * 3600.0
"""Seconds for which an answer is kept."""
LONGEST_WORK: Final = 120.0
"""Seconds after which a request without an answer has been interrupted, so that it may be sent again."""
LONGEST_KEY: Final = 255

Answer = Mapping[str, Any]
"""An answer that can be written as JSON."""
LOST: Final = (
    "The first request with this idempotency key had its effect, but the arena stopped before it answered. "
    "Look for what the request made."
)
UNKNOWN: Final[Answer] = {}
"""Answer of a request that had its effect and has not been answered."""


class InWork(Refused):
    """Raised if an equal request is still in work."""


class Lost(Conflict):
    """Raised if an equal request had its effect, and the arena stopped before it kept the answer."""


class Differs(Refused):
    """Another request was sent with the same key."""


def once(
    arena: Arena, account: Account, key: str, digest: str, work: Callable[[], Answer], secret: str | None = None
) -> Answer:
    """Do the work of a request and return its answer, or the kept answer if the request was done before.

    `digest` is a hash of the request. An answer that shows a secret is kept sealed with a `secret` of the requester,
    whose hash alone is stored, such as the request's token. Raises `Refused` if the key is not allowed, `InWork`,
    `Lost`, `Differs`, `Unreadable` if another secret was used, and what the work raises.
    """
    if not 1 <= len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise Refused(_("The idempotency key must have 1 to %(most)s printable ASCII characters.", most=LONGEST_KEY))
    kept = _begin(arena, account, key, digest)
    if kept is not None:
        return kept if secret is None else unseal(arena.settings, secret, kept)
    try:
        with together(partial(_mark, account=account, key=key)):
            answer = work()
    except InWork:
        raise  # the key is a repeat's now
    except BaseException:
        _give_up(arena, account, key)
        raise
    _finish(arena, account, key, answer if secret is None else seal(arena.settings, secret, answer))
    return answer


def remember(session: Session, user_id: int, key: str) -> None:
    """Note that a user's request with this key had its effect, in its transaction."""
    session.add(Repeat(user_id=user_id, key=key, digest=key, answer={"done": True}))


def remembered(session: Session, user_id: int, key: str) -> bool:
    """Return whether `remember` noted the key within the last day."""
    row = session.get(Repeat, (user_id, key))
    return row is not None and row.created > session.scalars(select(now() - KEPT)).one()


def forget(session: Session) -> None:
    """Delete the answers that are a day old."""
    session.execute(delete(Repeat).where(Repeat.created <= now() - KEPT))


def _begin(arena: Arena, account: Account, key: str, digest: str) -> Answer | None:
    """Reserve a key, and return None; or return the answer of the request that was done with it."""
    try:
        with arena.transaction() as session:
            row = _living(session, account, key)
            if row is None:
                session.add(Repeat(user_id=account.id, key=key, digest=digest))
                return None
            if row.digest != digest:
                raise Differs(_("This idempotency key was sent with another request. Use a new key for a new request."))
            if row.answer == UNKNOWN and row.created <= session.scalars(select(now() - LONGEST_WORK)).one():
                raise Lost(LOST)
            if row.answer:
                return row.answer
    except IntegrityError:  # another request reserved the key at the same moment
        pass
    raise InWork(_("The same request is being handled. Send it again in a few seconds."))


def _living(session: Session, account: Account, key: str) -> Repeat | None:
    """Return the row of a key, after deleting one that is too old or was interrupted."""
    mine = (Repeat.user_id == account.id, Repeat.key == key)
    interrupted = Repeat.answer.is_(None) & (Repeat.created <= now() - LONGEST_WORK)
    session.execute(delete(Repeat).where(*mine, interrupted | (Repeat.created <= now() - KEPT)))
    return session.scalar(select(Repeat).where(*mine))


def _mark(session: Session, account: Account, key: str) -> None:
    """Note that a request has its effect. Raises `InWork` if a repeat took its key because it worked for too long."""
    mine = update(Repeat).where(Repeat.user_id == account.id, Repeat.key == key)
    if session.scalar(mine.values(answer=dict(UNKNOWN)).returning(Repeat.user_id)) is None:
        raise InWork(_("The same request was sent again meanwhile, and is being handled."))


def _give_up(arena: Arena, account: Account, key: str) -> None:
    with arena.transaction() as session:
        session.execute(delete(Repeat).where(Repeat.user_id == account.id, Repeat.key == key))


def _finish(arena: Arena, account: Account, key: str, answer: Answer) -> None:
    with arena.transaction() as session:
        mine = update(Repeat).where(Repeat.user_id == account.id, Repeat.key == key)
        session.execute(mine.values(answer=dict(answer)))
