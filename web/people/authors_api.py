"""Authors."""

from web.api.operations import Resource
from web.api.types.authors import Author
from web.api.types.base import made
from web.people.authors import page_of

resource = Resource("Authors", "Accounts that own bots.")


@resource.get("/authors/{name}")
def get_author(name: str) -> Author:
    """Return an author: bots, ratings and best results."""
    return made(Author, page_of(name))
