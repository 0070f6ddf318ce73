"""Ladders."""

from arena.services.ladders import actions as ladders
from arena.services.ladders import pages
from arena.services.people.keys import Scope
from web.api.operations import Resource
from web.api.types.actions import Created, created
from web.api.types.base import made
from web.api.types.ladders import Ladder
from web.api.variants import known
from web.serving.session import arena, member

resource = Resource("Ladders", "Endless leagues, one for each variant.")


@resource.get("/ladders/{variant}")
def get_ladder(variant: str) -> Ladder:
    """Return the ladder of a variant: tables, owners and standings."""
    return made(Ladder, pages.ladder_page(arena(), known(variant).id))


@resource.post("/ladders/{variant}/start", Scope.ORGANISE, creates=True, makes="tournaments")
def start_ladder(variant: str) -> Created:
    """Start the ladder of a variant."""
    return created("tournaments", ladders.start(arena(), member(), variant))
