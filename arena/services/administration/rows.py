"""Pages of long lists, and rows that several pages share."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.db.models import AuditEntry
from arena.services.administration.views import Listed, LogRow
from arena.services.base.times import moment

SHOWN: Final = 50
"""Number of rows on a page."""
Row = TypeVar("Row")


def listed(session: Session, query: Select[*tuple[Any, ...]], page: int, row: Callable[..., Row]) -> Listed[Row]:
    """Return one page of a query; `row` takes its columns. Numbers out of range give the first or last page."""
    total = session.scalars(select(func.count()).select_from(query.order_by(None).subquery())).one()
    pages = max(1, -(-total // SHOWN))
    shown = min(max(page, 1), pages)
    found = session.execute(query.limit(SHOWN).offset((shown - 1) * SHOWN))
    return Listed(tuple(row(*columns) for columns in found), shown, pages, total)


def log_row(entry: AuditEntry) -> LogRow:
    """Convert an entry of the audit log to a row of a page."""
    return LogRow(entry.id, moment(entry.at), entry.actor, entry.action, entry.subject, entry.detail)
