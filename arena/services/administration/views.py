"""Views of the administration pages."""

from dataclasses import dataclass
from datetime import datetime

from arena.services.bots.views import BotRow


@dataclass(frozen=True)
class MemberRow:
    """A member in the list."""

    id: int
    name: str
    role: str
    """``member``, ``organiser`` or ``administrator``."""
    disabled: str | None
    """Reason why the account is disabled; None if it is not."""
    bots: int
    """Number of the member's bots."""
    sessions: int
    """Number of browsers in which the member is logged in."""
    created: datetime
    active: datetime | None
    """Time of the last use of a session or of the last upload, whichever is later; None if there is neither."""


@dataclass(frozen=True)
class LogRow:
    """An entry of the audit log."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    detail: str


@dataclass(frozen=True)
class MemberPage:
    """Page of a member."""

    row: MemberRow
    bots: tuple[BotRow, ...]
    log: tuple[LogRow, ...]
    """Latest entries of the audit log about the member, newest first."""


@dataclass(frozen=True)
class BotEntry:
    """A bot in the list of administrators."""

    id: int
    name: str
    owner_id: int
    owner: str
    active: bool
    """Whether its owner lets new tournaments enter it."""
    disabled: str | None
    """Reason why an administrator disabled it; None if it is not disabled."""
    versions: int
    created: datetime


@dataclass(frozen=True)
class UploadRow:
    """An upload that waits for its validation, or did not pass it."""

    version_id: int
    number: int
    bot_id: int
    bot: str
    owner_id: int
    owner: str
    state: str
    """A `VersionState`."""
    age: float
    """Seconds since the upload."""
    verdict: str
    """Message of the report; empty until there is one."""
    attempts: int
    """Number of times that a worker has taken it."""


@dataclass(frozen=True)
class StuckTable:
    """A table that the arena gave up, or that waits."""

    id: int
    number: int
    """0-based number within the tournament."""
    tournament_id: int
    tournament: str
    state: str
    """A `TableState`."""
    attempts: int
    reason: str
    """Why it failed or waits, as a sentence."""
    retry_at: datetime | None
    """Time before which no worker takes it; None if any may."""


@dataclass(frozen=True)
class AnnouncementRow:
    """An announcement."""

    id: int
    text: str
    severity: str
    """A `Severity`."""
    until: datetime
    over: bool
    """Whether it has ended."""
    created_by: str
    created: datetime
