"""The account of the token."""

from functools import partial
from typing import Annotated

import msgspec
from flask import Response
from msgspec import Meta

from arena.services.base.inputs import Id, Input
from arena.services.base.lists import cut
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import TeamInvitation
from arena.services.people import addresses, groups, notices, quotas, sessions
from arena.services.people.keys import Scope
from arena.services.people.notices import NoticeKind, Way
from arena.services.privacy import exports
from web.api import lists
from web.api.lists import Items, items_of, place
from web.api.operations import Resource
from web.api.types.base import each, made
from web.api.types.bots import Bot
from web.api.types.people import Me, Notice, NoticeChoices, Session, me
from web.serving.downloads import zipped
from web.serving.limits import limit, uploader
from web.serving.session import arena, member

resource = Resource("Account", "The account of the token: its bots, limits, browsers and notices.")

limit_data = limit("data", "3 per minute; 20 per hour", uploader, methods=("GET",))


class Seen(Input):
    """Notices that were read."""

    last_id: Annotated[Id, Meta(description="ID of the latest of them.")]


@resource.get("/me", Scope.READ)
def get_me() -> Me:
    """Return the account of the token, the rights that its scopes leave, and its limits."""
    account, here = member(), arena()
    return me(
        account,
        addresses=addresses.addresses(here, account),
        groups=[one.name for one in groups.groups_of(here, account)],
        unseen=notices.count_unseen(here, account),
        usage=quotas.usage(here, account),
    )


@resource.get("/me/bots", Scope.READ)
def list_own_bots(query: lists.Part) -> Items[Bot]:
    """Return your bots, those of teams and archived ones as well, by name."""
    at = place(query)
    return items_of(partial(made, Bot), cut(bot_pages.bots_of(arena(), member()), at.page, at.size), at.size)


@resource.get("/me/groups", Scope.READ)
def list_own_groups() -> list[groups.OwnGroup]:
    """Return the groups that you are in, by name."""
    return list(groups.groups_of(arena(), member()))


@resource.get("/me/invitations", Scope.READ)
def list_team_invitations() -> list[TeamInvitation]:
    """Return your open invitations to teams, oldest first."""
    return list(bot_pages.invitations(arena(), member()))


@resource.get("/me/sessions", Scope.READ)
def list_sessions() -> list[Session]:
    """Return the browsers in which you are logged in, the last used first."""
    return each(Session, sessions.listed(arena(), member(), ""))


@resource.get("/notices", Scope.READ)
def list_notices() -> list[Notice]:
    """Return your latest notices, newest first. Reading them here does not mark them as seen."""
    return each(Notice, notices.latest(arena(), member()))


@resource.get("/notices/choices", Scope.READ)
def get_notice_choices() -> NoticeChoices:
    """Return how you get each kind of notice."""
    return NoticeChoices(**{str(kind): str(way) for kind, way in notices.choices(arena(), member()).items()})  # type: ignore[arg-type]


@resource.get("/me/data", Scope.READ, media="application/zip", limits=(limit_data,))
def get_data() -> Response:
    """Return all data of your account as a zip file, with the sources of your bots."""
    return zipped(partial(exports.write, arena(), member()), f"{member().name}.zip")


@resource.post("/notices/seen", Scope.UPLOAD)
def mark_notices(body: Seen) -> None:
    """Mark your notices as read, up to one of them."""
    notices.mark_seen(arena(), member(), body.last_id)


@resource.put("/notices/choices", Scope.UPLOAD)
def choose_notices(body: NoticeChoices) -> None:
    """Choose how you get each kind of notice."""
    chosen = msgspec.structs.asdict(body).items()
    notices.choose(arena(), member(), {NoticeKind(kind): Way(way) for kind, way in chosen})


@resource.delete("/sessions/{session_id}", Scope.UPLOAD)
def end_session(session_id: int) -> None:
    """End one of your sessions in a browser."""
    sessions.end_one(arena(), member(), session_id)


@resource.delete("/sessions", Scope.UPLOAD)
def end_sessions() -> None:
    """End all your sessions in browsers."""
    sessions.end_others(arena(), member(), "")
