"""Announcements."""

from arena.services.administration import announcements
from arena.services.administration.views import AnnouncementRow
from arena.services.base.access import check_admin
from arena.services.people.keys import Scope
from web.api.operations import Resource
from web.serving.session import arena, member

resource = Resource("Announcements", "Announcements of administrators to everybody.")


@resource.get("/announcements")
def list_announcements() -> list[AnnouncementRow]:
    """Return the announcements of this moment, oldest first."""
    return list(announcements.current(arena()))


@resource.get("/administration/announcements", Scope.ADMINISTER)
def list_all_announcements() -> list[AnnouncementRow]:
    """Return the latest announcements, those that have ended as well, newest first."""
    check_admin(member())
    return list(announcements.latest(arena()))
