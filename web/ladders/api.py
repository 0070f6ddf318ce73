"""Ladders."""

from arena.services.ladders import pages
from web.api.operations import Resource
from web.api.types.ladders import Ladder, ladder
from web.api.variants import known
from web.serving.session import arena

resource = Resource("Ladders", "Endless leagues, one for each variant.")


@resource.get("/ladders/{variant}")
def get_ladder(variant: str) -> Ladder:
    """Return the ladder of a variant: tables, owners and standings."""
    return ladder(pages.ladder_page(arena(), known(variant).id))
