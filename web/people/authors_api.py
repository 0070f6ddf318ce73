"""Authors."""

from web.api.operations import Resource
from web.api.types.authors import Author, author
from web.people.authors import page_of

resource = Resource("Authors", "Accounts that own bots.")


@resource.get("/authors/{name}")
def get_author(name: str) -> Author:
    """Return an author: bots, ratings and best results."""
    return author(page_of(name))
