"""Authors."""

from arena.services.base.names import key
from arena.services.bots import authors
from web.api.operations import Resource
from web.api.types.authors import Author, author
from web.session import arena

resource = Resource("Authors", "Accounts that own bots.")


@resource.get("/authors/{name}")
def get_author(name: str) -> Author:
    """Return an author: bots, ratings and best results."""
    return author(authors.author_page(arena(), key(name)))
