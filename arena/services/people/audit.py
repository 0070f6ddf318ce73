"""The audit log: what organisers and administrators did."""

from sqlalchemy.orm import Session

from arena.db.models import AuditEntry, Bot
from arena.services.base.access import Account
from arena.services.base.context import Arena


def note(session: Session, actor: Account | None, action: str, subject: str, detail: str = "") -> None:
    """Add an entry to the log, in the transaction of the action itself; `actor` is None for the arena.

    The action is in the past tense ("disabled a member"), the subject names a row ("member ann", "tournament 7"),
    and the detail is a reason or a new value.
    """
    entry = AuditEntry(actor=_shown(actor), action=action, subject=subject, detail=detail)
    entry.actor_id = actor.id if actor else None
    session.add(entry)


def note_foreign(session: Session, account: Account, bot: Bot, action: str, detail: str = "") -> None:
    """Add an entry if the account is an administrator who acts on a bot of others."""
    if account.id not in bot.team:
        note(session, account, action, f"bot {bot.name}", detail)


def by_operator(arena: Arena, action: str, subject: str, detail: str = "") -> None:
    """Note, in a transaction of its own, what a command does to the whole arena in many transactions."""
    with arena.transaction() as session:
        session.add(AuditEntry(actor="the operator", action=action, subject=subject, detail=detail))


def _shown(actor: Account | None) -> str:
    if actor is None:
        return "the arena"
    return f"{actor.name} (command)" if actor.by_command else actor.name
