"""The arena: what is played now, its health and its work."""

from typing import Annotated

from arena.services.health.views import OperationsFacts, Work
from arena.services.numbers.home import HomeFacts
from arena.services.tables.views import MatchRow
from web.api.types.base import Part, says
from web.api.types.ratings import Leader


class Leaders(Part):
    """First places of a variant's leaderboard."""

    variant: str
    leaders: tuple[Leader, ...]


class Featured(Part):
    """A match that is worth watching."""

    match: MatchRow
    reason: Annotated[str, says("Why it is featured.")]


class Now(HomeFacts, frozen=True):
    """Present state of the arena, as its front page shows it."""

    leaders: Annotated[tuple[Leaders, ...], says("Leaders of the variants played most recently.")]
    featured: Featured | None


class Operations(OperationsFacts, frozen=True):
    """State of a running arena for its operator."""

    work: tuple[Work, ...]
    given_up: Annotated[int, says("Number of tables given up after repeated failures of the arena.")]
    unrated: Annotated[int, says("Number of settled tables that are not rated yet.")]
    database: Annotated[int, says("Size of the database in bytes.")]
