"""Announcements."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from arena.services.administration import announcements
from arena.services.administration.views import AnnouncementRow
from arena.services.base.access import check_admin
from arena.services.base.inputs import Input, Text, Time
from arena.services.people.keys import Scope
from web.api.operations import Resource
from web.api.types.actions import Created, created
from web.serving.session import arena, member

resource = Resource("Announcements", "Announcements of administrators to everybody.")


class NewAnnouncement(Input):
    """A new announcement."""

    text: Text
    severity: Literal["info", "warning", "urgent"] = "info"
    hours: Annotated[int, Meta(ge=1, le=720, description="Number of hours for which it is shown.")] = 24
    until: Annotated[Time | None, Meta(description="End, instead of a number of hours.")] = None


@resource.get("/announcements")
def list_announcements() -> list[AnnouncementRow]:
    """Return the announcements of this moment, oldest first."""
    return list(announcements.current(arena()))


@resource.get("/administration/announcements", Scope.ADMINISTER)
def list_all_announcements() -> list[AnnouncementRow]:
    """Return the latest announcements, those that have ended as well, newest first."""
    check_admin(member())
    return list(announcements.latest(arena()))


@resource.post("/announcements", Scope.ADMINISTER, creates=True)
def create_announcement(body: NewAnnouncement) -> Created:
    """Post an announcement."""
    until = body.until or datetime.now(UTC) + timedelta(hours=body.hours)
    return created(
        "announcements", announcements.post(arena(), member(), body.text, body.severity, until), "admin/announcements"
    )


@resource.post("/announcements/{announcement_id}/end", Scope.ADMINISTER)
def end_announcement(announcement_id: int) -> None:
    """End an announcement."""
    announcements.end(arena(), member(), announcement_id)
