"""Your account, members, groups, invitations, notices and announcements."""

from collections.abc import Sequence
from typing import Annotated, Literal

from flask import url_for

from arena.services.administration.views import LogEntry, MemberRow
from arena.services.base.access import Account
from arena.services.people.addresses import Addresses
from arena.services.people.invitations import Guest, InvitationPage
from arena.services.people.invitations import InvitationRow as InvitationView
from arena.services.people.quotas import Usage
from arena.services.people.rosters import Roster
from web.api.types.base import Part, Time, made, of, says
from web.api.types.bots import Bot


class Me(Part):
    """The account of the token."""

    id: int
    name: str
    organiser: Annotated[bool, of("may_organise"), says("Whether the token may run tournaments and classes.")]
    administrator: Annotated[bool, of("is_admin"), says("Whether the token may do what administrators do.")]
    email: Annotated[str | None, says("Verified address, to which mail is sent.")]
    unverified_email: Annotated[
        str | None, of("unverified"), says("Address that waits until you open the link in the mail.")
    ]
    groups: Annotated[tuple[str, ...], says("Names of its groups.")]
    unseen: Annotated[int, says("Number of unseen notices.")]
    usage: Usage


class Session(Part):
    """A browser in which the account is logged in."""

    id: int
    browser: str
    created: Time
    seen: Annotated[Time, says("Time of the last use, at most some minutes old.")]
    ends: Annotated[Time, says("Time at which it ends unless it is used.")]


class Notice(Part):
    """A notice to the account."""

    id: int
    text: str
    tournament_id: Annotated[int | None, says("ID of the tournament that it concerns, if any.")]
    tournament: str | None
    created: Time
    seen: bool


Chosen = Annotated[Literal["none", "site", "mail"], says("`none`, `site`, or `mail` for the site and by e-mail.")]


class NoticeChoices(Part, forbid_unknown_fields=True):
    """How the account gets each kind of notice."""

    fault: Chosen
    withdrawal: Chosen
    tournament: Chosen
    validation: Chosen
    assignment: Chosen
    other: Annotated[Literal["site", "mail"], says("`site`, or `mail` for the site and by e-mail.")]


class Invitation(Part):
    """An invitation and its link."""

    id: int
    group_id: int | None
    group: str | None
    real_name: Annotated[str, says("Name of the only person that it is for; empty if anybody may use it.")]
    uses: Annotated[int, says("Largest number of uses.")]
    used: int
    expires: Time
    created: Time
    created_by: str
    state: Annotated[str, says("`open`, `used_up`, `expired` or `revoked`.")]
    path: Annotated[str, says("Path of the page that it leads to.")]


class InvitationDetail(Invitation):
    """An invitation and who used it."""

    joined: Annotated[tuple[Guest, ...], says("Accounts that used it, earliest first.")]


class GroupMember(Part):
    """A member of a group."""

    user_id: Annotated[int, of("member.user_id")]
    name: Annotated[str, of("member.name")]
    real_name: Annotated[str, of("member.real_name"), says("Empty if unknown.")]
    joined: Annotated[Time, of("member.joined")]
    bots: int
    latest: Annotated[Time | None, says("Time of the latest upload.")]


class GroupDetail(Part):
    """A group with its members and invitations."""

    id: int
    name: str
    members: tuple[GroupMember, ...]
    waiting: Annotated[tuple[Invitation, ...], says("Links of people who have not joined yet.")]
    shared: Annotated[tuple[Invitation, ...], says("Invitations for anybody, newest first.")]


class MemberDetail(MemberRow, frozen=True):
    """A member with bots and the latest entries of the audit log."""

    owned: Annotated[tuple[Bot, ...], says("Bots of the member, by name.")]
    log: Annotated[tuple[LogEntry, ...], says("Latest entries about the member, newest first.")]


def me(account: Account, addresses: Addresses, groups: Sequence[str], unseen: int, usage: Usage) -> Me:
    """Return the account of a token."""
    return made(Me, account, addresses, groups=tuple(groups), unseen=unseen, usage=usage)


def invitation(row: InvitationView) -> Invitation:
    """Return an invitation of a list."""
    return made(Invitation, row, path=_path(row))


def invitation_detail(page: InvitationPage) -> InvitationDetail:
    """Return an invitation with the accounts that used it."""
    return made(InvitationDetail, page.row, page, path=_path(page.row))


def _path(row: InvitationView) -> str:
    return url_for("invitations.join", token=row.token)


def group_detail(page: Roster) -> GroupDetail:
    """Return a group."""
    waiting, shared = (tuple(map(invitation, rows)) for rows in (page.waiting, page.shared))
    return made(GroupDetail, page, waiting=waiting, shared=shared)
