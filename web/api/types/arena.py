"""The arena: what is played now, its health and its work."""

from typing import Annotated

from arena.services.health.views import Check, FailureRow, ProcessRow, Work
from arena.services.numbers.home import Counts, Playing, Upcoming
from arena.services.tables.views import MatchRow
from arena.services.tournaments.views import TournamentRow
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


class Now(Part):
    """Present state of the arena, as its front page shows it."""

    counts: Counts
    running: Annotated[tuple[TournamentRow, ...], says("Latest running tournaments except ladders, newest first.")]
    playing: Annotated[tuple[Playing, ...], says("Tables that are being played.")]
    coming: Annotated[tuple[Upcoming, ...], says("Next tournaments, the soonest first.")]
    tournaments: Annotated[tuple[TournamentRow, ...], says("Latest tournaments that are not running, newest first.")]
    leaders: Annotated[tuple[Leaders, ...], says("Leaders of the variants played most recently.")]
    matches: Annotated[tuple[MatchRow, ...], says("Latest matches, newest first.")]
    featured: Featured | None


class Operations(Part):
    """State of a running arena for its operator."""

    release: str
    schema: Annotated[str, says("Revision of the database's schema.")]
    checks: tuple[Check, ...]
    processes: tuple[ProcessRow, ...]
    work: tuple[Work, ...]
    given_up: Annotated[int, says("Number of tables given up after repeated failures of the arena.")]
    unrated: Annotated[int, says("Number of settled tables that are not rated yet.")]
    database: Annotated[int, says("Size of the database in bytes.")]
    failures: tuple[FailureRow, ...]
    disk_free: int
    disk_total: int
