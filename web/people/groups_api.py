"""Groups and invitations."""

from flask import url_for

from arena.services.base.lists import cut
from arena.services.people import invitations, rosters
from arena.services.people.keys import Scope
from arena.services.people.rosters import GroupRow
from web.api import lists
from web.api.lists import Items, items, items_of, place
from web.api.operations import Resource
from web.api.types.people import (
    GroupDetail,
    Invitation,
    InvitationDetail,
    group_detail,
    invitation,
    invitation_detail,
)
from web.serving.session import arena, member

resource = Resource("Groups", "Groups of members, such as classes, and invitations to them.")


@resource.get("/groups", Scope.ORGANISE)
def list_groups(query: lists.Part) -> Items[GroupRow]:
    """Return groups by name."""
    at = place(query)
    return items(cut(rosters.all_groups(arena(), member()), at.page, at.size), at.size)


@resource.get("/groups/{group_id}", Scope.ORGANISE)
def get_group(group_id: int) -> GroupDetail:
    """Return a group with its members and invitations."""
    return group_detail(rosters.roster(arena(), member(), group_id))


@resource.get("/invitations", Scope.ORGANISE)
def list_invitations(query: lists.Part) -> Items[Invitation]:
    """Return the latest invitations for anybody, newest first."""
    at = place(query)
    return items_of(invitation, cut(invitations.invitations(arena(), member()), at.page, at.size), at.size)


@resource.get("/invitations/{invitation_id}", Scope.ORGANISE)
def get_invitation(invitation_id: int) -> InvitationDetail:
    """Return an invitation with its link and the accounts that used it."""
    page = invitations.invitation_page(arena(), member(), invitation_id)
    return invitation_detail(page, url_for("invitations.join", token=page.row.token))
