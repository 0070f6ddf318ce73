"""Groups and invitations."""

from typing import Annotated

from flask import Response
from msgspec import Meta

from arena.services.base.inputs import STORABLE, Id, Input, Number, Text, Time
from arena.services.base.lists import cut
from arena.services.people import groups, invitations, rosters
from arena.services.people.keys import Scope
from arena.services.people.rosters import GroupRow
from web.api import lists
from web.api.lists import Items, items, items_of, place
from web.api.operations import CSV, Resource
from web.api.types.actions import Created, created
from web.api.types.people import (
    GroupDetail,
    Invitation,
    InvitationDetail,
    group_detail,
    invitation,
    invitation_detail,
)
from web.base.links import join_link
from web.serving.session import arena, member

resource = Resource("Groups", "Groups of members, such as classes, and invitations to them.")


class GroupName(Input):
    """Name of a group."""

    name: Text


class RealName(Input):
    """Real name of a member; empty if unknown."""

    real_name: Text


class Roster(Input):
    """People to add to a group."""

    csv: Annotated[
        str, Meta(max_length=200_000, pattern=STORABLE, description="Lines of `account,real_name`, after this heading.")
    ]
    expires: Annotated[Time, Meta(description="End of the invitations of people without an account.")]


class NewInvitation(Input, kw_only=True):
    """A new invitation."""

    uses: Annotated[Number, Meta(description="Number of people who may use it.")] = 1
    expires: Time
    group_id: Annotated[Id | None, Meta(description="Group that they join; null for none.")] = None


@resource.get("/groups", Scope.ORGANISE)
def list_groups(query: lists.Part) -> Items[GroupRow]:
    """Return groups by name."""
    at = place(query)
    return items(cut(rosters.all_groups(arena(), member()), at.page, at.size), at.size)


@resource.get("/groups/{group_id}", Scope.ORGANISE)
def get_group(group_id: int) -> GroupDetail:
    """Return a group with its members and invitations."""
    return group_detail(rosters.roster(arena(), member(), group_id))


@resource.get("/groups/{group_id}/roster", Scope.ORGANISE, media=CSV)
def get_roster(group_id: int) -> Response:
    """Return the roster of a group as CSV, with the links of people who have not joined yet."""
    page = rosters.roster(arena(), member(), group_id)
    return Response(rosters.export(page, join_link), content_type=CSV)


@resource.get("/invitations", Scope.ORGANISE)
def list_invitations(query: lists.Part) -> Items[Invitation]:
    """Return the latest invitations for anybody, newest first."""
    at = place(query)
    return items_of(invitation, cut(invitations.invitations(arena(), member()), at.page, at.size), at.size)


@resource.get("/invitations/{invitation_id}", Scope.ORGANISE)
def get_invitation(invitation_id: int) -> InvitationDetail:
    """Return an invitation with its link and the accounts that used it."""
    return invitation_detail(invitations.invitation_page(arena(), member(), invitation_id))


@resource.post("/groups", Scope.ORGANISE, creates=True)
def create_group(body: GroupName) -> Created:
    """Create a group."""
    return created("groups", groups.create(arena(), member(), body.name))


@resource.patch("/groups/{group_id}", Scope.ORGANISE)
def rename_group(group_id: int, body: GroupName) -> None:
    """Rename a group."""
    groups.rename(arena(), member(), group_id, body.name)


@resource.delete("/groups/{group_id}", Scope.ORGANISE)
def delete_group(group_id: int) -> None:
    """Delete a group with the real names of its members, and revoke its invitations. The accounts stay."""
    groups.delete(arena(), member(), group_id)


@resource.post("/groups/{group_id}/members", Scope.ORGANISE)
def add_to_group(group_id: int, body: Roster) -> rosters.Import:
    """Add people to a group; people without an account get an invitation link."""
    lines = rosters.parse(body.csv.encode())
    return rosters.take(arena(), member(), group_id, lines, body.expires)


@resource.patch("/groups/{group_id}/members/{user_id}", Scope.ORGANISE)
def change_group_member(group_id: int, user_id: int, body: RealName) -> None:
    """Change the real name of a member."""
    groups.set_real_name(arena(), member(), group_id, user_id, body.real_name)


@resource.delete("/groups/{group_id}/members/{user_id}", Scope.ORGANISE)
def remove_from_group(group_id: int, user_id: int) -> None:
    """Remove a member from a group. The account stays."""
    groups.remove(arena(), member(), group_id, user_id)


@resource.post("/groups/{group_id}/leave", Scope.UPLOAD)
def leave_group(group_id: int) -> None:
    """Leave a group that you are in. Your results stay; its organisers are notified."""
    groups.leave(arena(), member(), group_id)


@resource.post("/invitations", Scope.ORGANISE, creates=True)
def create_invitation(body: NewInvitation) -> Created:
    """Make an invitation link."""
    return created("invitations", invitations.create(arena(), member(), body.uses, body.expires, body.group_id))


@resource.post("/invitations/{invitation_id}/revoke", Scope.ORGANISE)
def revoke_invitation(invitation_id: int) -> None:
    """Revoke an invitation: its link no longer works."""
    invitations.revoke(arena(), member(), invitation_id)


@resource.post("/join/{token}", Scope.UPLOAD)
def join_group(token: str) -> None:
    """Join the group of an invitation."""
    invitations.join(arena(), member(), token)
