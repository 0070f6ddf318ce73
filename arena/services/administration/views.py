"""Views of the administration pages."""

from dataclasses import dataclass
from typing import Annotated

from arena.services.base.views import Time, View, says
from arena.services.bots.views import BotRow


class MemberRow(View, frozen=True):
    """A member in the list of administrators."""

    id: int
    name: str
    role: Annotated[str, says("`member`, `organiser` or `administrator`.")]
    disabled: Annotated[str | None, says("Reason why the account is disabled; null if it is not.")]
    bots: Annotated[int, says("Number of the member's bots.")]
    sessions: Annotated[int, says("Number of browsers in which the member is logged in.")]
    created: Time
    active: Annotated[Time | None, says("Time of the last use or upload.")]


class LogEntry(View, frozen=True):
    """An entry of the audit log."""

    id: int
    at: Time
    actor: str
    action: str
    subject: str
    detail: str


@dataclass(frozen=True)
class MemberPage:
    """Page of a member."""

    row: MemberRow
    bots: tuple[BotRow, ...]
    log: tuple[LogEntry, ...]
    """Latest entries of the audit log about the member, newest first."""


class EnteredBot(View, frozen=True):
    """A bot in the list of administrators."""

    id: int
    name: str
    owner_id: int
    owner: str
    active: Annotated[bool, says("Whether its owner lets new tournaments enter it.")]
    disabled: Annotated[str | None, says("Reason why it is disabled; null if it is not.")]
    versions: int
    created: Time


class UploadRow(View, frozen=True):
    """An upload that waits for its validation, or did not pass it."""

    version_id: int
    version: Annotated[int, says("Number of the version.")]
    bot_id: int
    bot: str
    owner_id: int
    owner: str
    state: Annotated[str, says("`pending`, `invalid` or `infra_failed`.")]
    age: Annotated[float, says("Seconds since the upload.")]
    verdict: Annotated[str, says("Message of the report; empty until there is one.")]
    attempts: Annotated[int, says("Number of times that a worker has taken it.")]


class StuckTable(View, frozen=True):
    """A table that the arena gave up, or that waits."""

    id: int
    number: Annotated[int, says("Number within the tournament, from 0.")]
    tournament_id: int
    tournament: Annotated[str, says("Name of the tournament.")]
    state: Annotated[str, says("`queued`, `running`, `done`, `infra_failed` or `cancelled`.")]
    attempts: int
    reason: Annotated[str, says("Why it failed or waits, as a sentence.")]
    retry_at: Annotated[Time | None, says("Time before which no worker takes it; null if any may.")]


class AnnouncementRow(View, frozen=True):
    """An announcement to everybody."""

    id: int
    text: str
    severity: Annotated[str, says("`info`, `warning` or `urgent`.")]
    until: Annotated[Time, says("Time at which it ends.")]
    over: Annotated[bool, says("Whether it has ended.")]
    created_by: str
    created: Time
