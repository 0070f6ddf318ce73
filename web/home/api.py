"""Present state of the arena, and its health."""

from arena.services.base.access import check_admin
from arena.services.health import pages
from arena.services.numbers import home
from arena.services.people.keys import Scope
from web.api.operations import Resource
from web.api.types.arena import Featured, Now, Operations
from web.api.types.base import made
from web.home.pages import featured_match
from web.serving.session import arena, member

resource = Resource("Arena")


@resource.get("/now")
def get_now() -> Now:
    """Return what is going on: tables in play, tournaments to come, latest results, a match worth watching."""
    found = featured_match()
    return made(Now, home.home(arena()), featured=found and made(Featured, found))


@resource.get("/operations", Scope.ADMINISTER)
def get_operations() -> Operations:
    """Return what an operator wants to know: processes, open work, failures."""
    check_admin(member())
    page = pages.operations(arena())
    return made(Operations, page, page.figures)
