"""Rows that several pages of administrators share."""

from arena.db.models import AuditEntry
from arena.services.administration.views import LogEntry
from arena.services.base.times import moment


def log_row(entry: AuditEntry) -> LogEntry:
    """Convert an entry of the audit log to a row of a page."""
    return LogEntry(entry.id, moment(entry.at), entry.actor, entry.action, entry.subject, entry.detail)
