"""Members, and what else administrators see."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from arena.services.administration import members, pages, tables
from arena.services.administration.views import EnteredBot, LogEntry, MemberRow, StuckTable, UploadRow
from arena.services.base.access import check_admin
from arena.services.base.inputs import STORABLE, Input
from arena.services.people import resets
from arena.services.people.keys import Scope
from web.administration.pages import RIGHTS
from web.api import lists
from web.api.lists import Items, Place, Search, items, place
from web.api.operations import Resource
from web.api.types.actions import Reason
from web.api.types.base import each, made
from web.api.types.bots import Bot
from web.api.types.people import MemberDetail
from web.serving.session import arena, member

resource = Resource("Administration", "Members, uploads, tables that wait, and the audit log, for administrators.")

Kind = Literal["failed", "retrying", "waiting"]


class MembersQuery(lists.Part):
    """Query of the list of members."""

    search: Search = ""
    only: Annotated[
        Literal["", "member", "organiser", "administrator", "disabled"],
        Meta(description="A role, or `disabled`; empty for all."),
    ] = ""


class EnteredQuery(lists.Part):
    """Query of the bots of all owners."""

    search: Search = ""
    only: Annotated[Literal["", "disabled"], Meta(description="`disabled`, or empty for all.")] = ""


class UploadsQuery(lists.Part):
    """Query of the list of uploads."""

    state: Annotated[Literal["", "pending", "invalid", "infra_failed"], Meta(description="State; empty for all.")] = ""


class StuckQuery(lists.Part):
    """Query of the tables that wait."""

    kind: Annotated[
        Kind, Meta(description="Given up, waiting for another attempt, or waiting for their first attempt.")
    ] = "failed"


class LogQuery(lists.Part):
    """Query of the audit log."""

    actor: Annotated[
        str, Meta(max_length=100, pattern=STORABLE, description="A part of the name of the account that acted.")
    ] = ""
    subject: Annotated[str, Meta(max_length=100, pattern=STORABLE, description="A part of what it acted on.")] = ""


class Role(Input):
    """Role of a member."""

    role: Literal["member", "organiser", "administrator"]


class ResetLink(msgspec.Struct):
    """A link with which a member chooses a new password, once within a day."""

    link: str


@resource.get("/members", Scope.ADMINISTER)
def list_members(query: MembersQuery) -> Items[MemberRow]:
    """Return members by name."""
    at = _place(query)
    listed = pages.members(arena(), at.page, search=query.search, only=query.only, size=at.size)
    return items(listed, at.size)


@resource.get("/members/{user_id}", Scope.ADMINISTER)
def get_member(user_id: int) -> MemberDetail:
    """Return a member with bots and the latest entries of the audit log."""
    check_admin(member())
    page = pages.member(arena(), user_id)
    return made(MemberDetail, page.row, page, owned=tuple(each(Bot, page.bots)))


@resource.get("/administration/bots", Scope.ADMINISTER)
def list_entered_bots(query: EnteredQuery) -> Items[EnteredBot]:
    """Return the bots of all owners by name, disabled ones as well."""
    at = _place(query)
    listed = pages.bots(arena(), at.page, search=query.search, only=query.only, size=at.size)
    return items(listed, at.size)


@resource.get("/administration/uploads", Scope.ADMINISTER)
def list_uploads(query: UploadsQuery) -> Items[UploadRow]:
    """Return uploads that wait for validation, were rejected or could not be validated, newest first."""
    at = _place(query)
    return items(pages.uploads(arena(), at.page, state=query.state, size=at.size), at.size)


@resource.get("/administration/tables", Scope.ADMINISTER)
def list_stuck_tables(query: StuckQuery) -> Items[StuckTable]:
    """Return tables that the arena gave up, or that wait."""
    at = _place(query)
    return items(tables.stuck(arena(), query.kind, at.page, at.size), at.size)


@resource.get("/administration/log", Scope.ADMINISTER)
def list_log(query: LogQuery) -> Items[LogEntry]:
    """Return the audit log, newest first."""
    at = _place(query)
    listed = pages.log(arena(), at.page, actor=query.actor, subject=query.subject, size=at.size)
    return items(listed, at.size)


@resource.post("/members/{user_id}/disable", Scope.ADMINISTER)
def disable_member(user_id: int, body: Reason) -> None:
    """Disable a member, who can no longer log in and reads the reason. Their bots enter no new tournaments."""
    members.disable(arena(), member(), user_id, body.reason)


@resource.post("/members/{user_id}/enable", Scope.ADMINISTER)
def enable_member(user_id: int) -> None:
    """Enable a member."""
    members.enable(arena(), member(), user_id)


@resource.post("/members/{user_id}/logout", Scope.ADMINISTER)
def log_member_out(user_id: int) -> None:
    """End all sessions of a member."""
    members.log_out(arena(), member(), user_id)


@resource.put("/members/{user_id}/role", Scope.ADMINISTER)
def set_role(user_id: int, body: Role) -> None:
    """Set the role of a member."""
    admin, organiser = RIGHTS[body.role]
    members.set_rights(arena(), member(), user_id, admin=admin, organiser=organiser)


@resource.post("/members/{user_id}/reset", Scope.ADMINISTER, sealed=True)
def reset_password(user_id: int) -> ResetLink:
    """Make a link with which a member chooses a new password. It is shown once, or again to the same request."""
    return ResetLink(resets.make_link(arena(), member(), pages.member(arena(), user_id).row.name))


def _place(query: lists.Part) -> Place:
    """Return which part is asked for. Raises `Refused` for members who are not administrators."""
    check_admin(member())
    return place(query)
