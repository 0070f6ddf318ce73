"""Actions of administrators and organisers on members, announcements and copies, and on one's own sessions."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from arena.services.administration import announcements, members
from arena.services.administration import pages as administration_pages
from arena.services.copies import actions as copies
from arena.services.people import notices, resets, sessions
from arena.services.people.keys import Scope
from arena.services.people.notices import NoticeKind, Way
from web.api.operations import Resource
from web.api.types.actions import Created, Id, Input, Reason, Text, created
from web.api.types.people import NoticeChoices
from web.serving.session import arena, member

member_resource = Resource("Administration")
announcement_resource = Resource("Announcements", "Messages on every page.")
copy_resource = Resource("Copies", "Bots that are alike, for organisers.")
own_resource = Resource("Account", "Your sessions and notices.")

RIGHTS: Final = {"member": (False, False), "organiser": (False, True), "administrator": (True, False)}


class Role(Input):
    """Role of a member."""

    role: Literal["member", "organiser", "administrator"]


class NewAnnouncement(Input):
    """A new announcement."""

    text: Text
    severity: Literal["info", "warning", "urgent"] = "info"
    hours: Annotated[int, Meta(ge=1, le=720, description="Number of hours for which it is shown.")] = 24


class Seen(Input):
    """Notices that were read."""

    last_id: Annotated[Id, Meta(description="ID of the latest of them.")]


class ResetLink(msgspec.Struct):
    """A link with which a member chooses a new password, once within a day."""

    link: str


@member_resource.post("/members/{user_id}/disable", Scope.ADMINISTER)
def disable_member(user_id: int, body: Reason) -> None:
    """Disable a member, who can no longer log in and reads the reason. Their bots enter no new tournaments."""
    members.disable(arena(), member(), user_id, body.reason)


@member_resource.post("/members/{user_id}/enable", Scope.ADMINISTER)
def enable_member(user_id: int) -> None:
    """Enable a member."""
    members.enable(arena(), member(), user_id)


@member_resource.post("/members/{user_id}/logout", Scope.ADMINISTER)
def log_member_out(user_id: int) -> None:
    """End all sessions of a member."""
    members.log_out(arena(), member(), user_id)


@member_resource.put("/members/{user_id}/role", Scope.ADMINISTER)
def set_role(user_id: int, body: Role) -> None:
    """Set the role of a member."""
    admin, organiser = RIGHTS[body.role]
    members.set_rights(arena(), member(), user_id, admin=admin, organiser=organiser)


@member_resource.post("/members/{user_id}/reset", Scope.ADMINISTER, sealed=True)
def reset_password(user_id: int) -> ResetLink:
    """Make a link with which a member chooses a new password. It is shown once, or again to the same request."""
    return ResetLink(resets.make_link(arena(), member(), administration_pages.member(arena(), user_id).row.name))


@announcement_resource.post("/announcements", Scope.ADMINISTER, creates=True)
def create_announcement(body: NewAnnouncement) -> Created:
    """Post an announcement."""
    until = datetime.now(UTC) + timedelta(hours=body.hours)
    return created(
        "announcements", announcements.post(arena(), member(), body.text, body.severity, until), "admin/announcements"
    )


@announcement_resource.post("/announcements/{announcement_id}/end", Scope.ADMINISTER)
def end_announcement(announcement_id: int) -> None:
    """End an announcement."""
    announcements.end(arena(), member(), announcement_id)


@copy_resource.post("/copies/compare", Scope.ORGANISE)
def compare_copies() -> None:
    """Queue a comparison of all bots."""
    copies.request(arena(), member())


@copy_resource.post("/copies/{a_id}/{b_id}/dismiss", Scope.ORGANISE)
def dismiss_copies(a_id: int, b_id: int, body: Reason) -> None:
    """Dismiss a pair of bots."""
    copies.dismiss(arena(), member(), a_id, b_id, body.reason)


@copy_resource.post("/copies/{a_id}/{b_id}/restore", Scope.ORGANISE)
def restore_copies(a_id: int, b_id: int) -> None:
    """Show a dismissed pair of bots again."""
    copies.restore(arena(), member(), a_id, b_id)


@own_resource.post("/notices/seen", Scope.UPLOAD)
def mark_notices(body: Seen) -> None:
    """Mark your notices as read, up to one of them."""
    notices.mark_seen(arena(), member(), body.last_id)


@own_resource.put("/notices/choices", Scope.UPLOAD)
def choose_notices(body: NoticeChoices) -> None:
    """Choose how you get each kind of notice."""
    chosen = msgspec.structs.asdict(body).items()
    notices.choose(arena(), member(), {NoticeKind(kind): Way(way) for kind, way in chosen})


@own_resource.delete("/sessions/{session_id}", Scope.UPLOAD)
def end_session(session_id: int) -> None:
    """End one of your sessions in a browser."""
    sessions.end_one(arena(), member(), session_id)


@own_resource.delete("/sessions", Scope.UPLOAD)
def end_sessions() -> None:
    """End all your sessions in browsers."""
    sessions.end_others(arena(), member(), "")
