"""Authors."""

from typing import Annotated

from arena.services.bots.authors import AuthorPage, Standing
from web.api.types.base import Part, Uncertain, says
from web.api.types.bots import Bot


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


class AuthorStanding(Standing, frozen=True):
    """The author's places in a variant."""

    places: Annotated[tuple[AuthorPlace, ...], says("Best first.")]  # type: ignore[assignment]


class Author(AuthorPage, frozen=True):
    """An account that owns bots, alone or with others."""

    bots: Annotated[tuple[Bot, ...], says("Bots with a valid version that are not archived, by name.")]
    archived: tuple[Bot, ...]
    standings: Annotated[
        tuple[AuthorStanding, ...],
        says("Variants in which its bots are on the leaderboard, the best relative place first."),
    ]
