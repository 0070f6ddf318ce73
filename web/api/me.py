"""The account of the token."""

from arena.services.base.lists import cut
from arena.services.bots import pages as bot_pages
from arena.services.people import accounts, groups, notices, quotas, sessions
from arena.services.people.keys import Scope
from web.api import lists
from web.api.lists import Items, items, place
from web.api.operations import Resource
from web.api.types.base import made
from web.api.types.bots import Bot, TeamInvitation, bot
from web.api.types.people import Me, Notice, Session, me
from web.session import arena, member

resource = Resource("Account", "The account of the token: its bots, limits, browsers and notices.")


@resource.get("/me", Scope.READ)
def get_me() -> Me:
    """Return the account of the token, the rights that its scopes leave, and its limits."""
    account, here = member(), arena()
    return me(
        account,
        email=accounts.email_of(here, account),
        groups=groups.groups_of(here, account),
        unseen=notices.count_unseen(here, account),
        usage=quotas.usage(here, account),
    )


@resource.get("/me/bots", Scope.READ)
def list_own_bots(query: lists.Part) -> Items[Bot]:
    """Return your bots, those of teams and archived ones as well, by name."""
    at = place(query)
    return items(cut(bot_pages.bots_of(arena(), member()), at.page, at.size), at.size, bot)


@resource.get("/me/invitations", Scope.READ)
def list_team_invitations() -> list[TeamInvitation]:
    """Return your open invitations to teams, oldest first."""
    return [made(TeamInvitation, one) for one in bot_pages.invitations(arena(), member())]


@resource.get("/me/sessions", Scope.READ)
def list_sessions() -> list[Session]:
    """Return the browsers in which you are logged in, the last used first."""
    return [made(Session, one) for one in sessions.listed(arena(), member(), "")]


@resource.get("/notices", Scope.READ)
def list_notices() -> list[Notice]:
    """Return your latest notices, newest first. Reading them here does not mark them as seen."""
    return [made(Notice, one) for one in notices.latest(arena(), member())]
