"""The audit log is append-only on both databases."""

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError

from arena.db.models import AuditEntry
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import audit


@pytest.mark.parametrize(
    "change",
    [update(AuditEntry).values(actor="nobody"), delete(AuditEntry).where(AuditEntry.id == 1), "TRUNCATE audit"],
)
def test_audit_log_refuses_changes(arena: Arena, admin: Account, change: object) -> None:
    """Entries can be added, but not changed, deleted or truncated (which SQLite does not have)."""
    with arena.transaction() as session:
        audit.note(session, admin, "did", "something")
    if isinstance(change, str):
        change = text(change if arena.database.engine.name == "postgresql" else "DELETE FROM audit")

    with pytest.raises(DBAPIError, match="the audit log is append-only"), arena.transaction() as session:
        session.execute(change)  # type: ignore[call-overload]

    with arena.reading() as session:
        assert session.scalars(select(AuditEntry.actor)).all() == ["organiser"]
