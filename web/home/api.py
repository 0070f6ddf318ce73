"""Present state of the arena, and its health."""

from arena.services.base.access import check_admin
from arena.services.health import pages
from arena.services.numbers import home
from arena.services.people.keys import Scope
from web.api.operations import Resource
from web.api.types.arena import Now, Operations, now, operations
from web.home.pages import featured_match
from web.serving.session import arena, member

resource = Resource("Arena")


@resource.get("/now")
def get_now() -> Now:
    """Return what is going on: tables in play, tournaments to come, latest results, a match worth watching."""
    return now(home.home(arena()), featured_match())


@resource.get("/operations", Scope.ADMINISTER)
def get_operations() -> Operations:
    """Return what an operator wants to know: processes, open work, failures."""
    check_admin(member())
    return operations(pages.operations(arena()))
