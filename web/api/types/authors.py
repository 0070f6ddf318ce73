"""Authors."""

from typing import Annotated

from arena.services.bots.authors import AuthorPage, AuthorResult, Place, Standing
from web.api.types.base import Part, Time, Uncertain, made, says, uncertain
from web.api.types.bots import Bot, bots


class AuthorPlace(Part):
    """A place of one of the author's bots on a leaderboard."""

    rank: int
    of: Annotated[int, says("Number of bots on the leaderboard.")]
    bot_id: int
    bot: str
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    mu: Uncertain
    sigma: float
    tables: Annotated[int, says("Number of rated tables.")]
    provisional: Annotated[bool, says("Whether sigma is still too large for a settled place.")]


class AuthorStanding(Part):
    """The author's places in a variant."""

    variant: str
    places: Annotated[tuple[AuthorPlace, ...], says("Best first.")]
    history: Annotated[tuple[float, ...], says("Values of mu of the best bot's version, oldest first; thinned.")]


class Author(Part):
    """An account that owns bots, alone or with others."""

    name: str
    joined: Time
    house: Annotated[bool, says("Whether it is the account of the house bots.")]
    deleted: bool
    bots: Annotated[tuple[Bot, ...], says("Bots with a valid version that are not archived, by name.")]
    archived: tuple[Bot, ...]
    standings: tuple[AuthorStanding, ...]
    results: Annotated[tuple[AuthorResult, ...], says("Best results in the latest cups, best first.")]
    won: Annotated[int, says("Number of the latest cups that its bots won.")]
    cups: Annotated[int, says("Number of these cups.")]


def author(page: AuthorPage) -> Author:
    """Return an author."""
    return made(
        Author,
        page,
        bots=bots(page.bots),
        archived=bots(page.archived),
        standings=tuple(map(_standing, page.standings)),
    )


def _standing(one: Standing) -> AuthorStanding:
    return made(AuthorStanding, one, places=tuple(map(_place, one.places)))


def _place(place: Place) -> AuthorPlace:
    return made(AuthorPlace, place, mu=uncertain(place.mu, place.interval))
