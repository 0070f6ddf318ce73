"""The arena: what is played now, its health and its work."""

from typing import Annotated

from arena.services.administration.views import BotEntry, UploadRow
from arena.services.health.views import OperationsPage
from arena.services.numbers.featured import Featured as FeaturedView
from arena.services.numbers.home import HomePage
from web.api.types.base import Part, Time, each, made, says
from web.api.types.matches import Match, match, matches
from web.api.types.ratings import Leader, leaders
from web.api.types.tables import Table, table
from web.api.types.tournaments import Tournament, tournaments


class Counts(Part):
    """Totals of the whole arena."""

    bots: int
    users: int
    matches: int
    waiting: Annotated[int, says("Number of tables that are queued or running.")]


class Playing(Part):
    """A table that is being played."""

    table: Table
    tournament_id: int
    tournament: str
    variant: str


class Upcoming(Part):
    """A tournament that starts by itself, or the next one of a schedule."""

    at: Time
    name: str
    variant: str
    tournament_id: Annotated[int | None, says("Null if its schedule has not created it yet.")]
    schedule_id: Annotated[int | None, says("Null if the tournament exists.")]


class Leaders(Part):
    """First places of a variant's leaderboard."""

    variant: str
    leaders: tuple[Leader, ...]


class Featured(Part):
    """A match that is worth watching."""

    match: Match
    reason: Annotated[str, says("Why it is featured.")]


class Now(Part):
    """Present state of the arena, as its front page shows it."""

    counts: Counts
    running: Annotated[tuple[Tournament, ...], says("Latest running tournaments except ladders, newest first.")]
    playing: Annotated[tuple[Playing, ...], says("Tables that are being played.")]
    coming: Annotated[tuple[Upcoming, ...], says("Next tournaments, the soonest first.")]
    tournaments: Annotated[tuple[Tournament, ...], says("Latest tournaments that are not running, newest first.")]
    leaders: Annotated[tuple[Leaders, ...], says("Leaders of the variants played most recently.")]
    matches: Annotated[tuple[Match, ...], says("Latest matches, newest first.")]
    featured: Featured | None


class Check(Part):
    """A condition of readiness."""

    name: str
    holds: bool
    says: str


class Process(Part):
    """A process of the arena."""

    name: str
    kind: Annotated[str, says("`worker` or `web`.")]
    release: str
    state: str
    detail: str
    since: Time
    started: Time
    seen: Time
    held: Annotated[Time | None, says("Time at which it last held a bot.")]
    packages: Annotated[
        dict[str, str] | None,
        says("Versions of Python and of the packages that its bots can import, by name; null if it has held no bot."),
    ]
    refused: Annotated[
        dict[str, str] | None, says("Reasons why it offers no others, by name; null if it has held no bot.")
    ]


class Work(Part):
    """Open work of one kind."""

    kind: Annotated[str, says("`upload`, `placement`, `tournament` or `ladder`.")]
    waiting: int
    playing: int
    oldest: Annotated[float | None, says("Age in seconds of the oldest; null if idle.")]


class Failure(Part):
    """A tournament with tables that were given up."""

    tournament_id: int
    tournament: str
    tables: int
    number: Annotated[int, says("Number of the latest of them, from 0.")]
    reason: str | None
    when: Time | None


class Operations(Part):
    """State of a running arena for its operator."""

    release: str
    schema: Annotated[str, says("Revision of the database's schema.")]
    checks: tuple[Check, ...]
    processes: tuple[Process, ...]
    work: tuple[Work, ...]
    given_up: Annotated[int, says("Number of tables given up after repeated failures of the arena.")]
    unrated: Annotated[int, says("Number of settled tables that are not rated yet.")]
    database: Annotated[int, says("Size of the database in bytes.")]
    failures: tuple[Failure, ...]
    disk_free: int
    disk_total: int


class EnteredBot(Part):
    """A bot in the list of administrators."""

    id: int
    name: str
    owner_id: int
    owner: str
    active: bool
    disabled: Annotated[str | None, says("Reason why it is disabled; null if it is not.")]
    versions: int
    created: Time


class Upload(Part):
    """An upload that waits for its validation, or did not pass it."""

    version_id: int
    version: Annotated[int, says("Number of the version.")]
    bot_id: int
    bot: str
    owner_id: int
    owner: str
    state: str
    age: Annotated[float, says("Seconds since the upload.")]
    verdict: Annotated[str, says("Message of the report; empty until there is one.")]
    attempts: int


def now(page: HomePage, featured: FeaturedView | None) -> Now:
    """Return what is going on in the arena."""
    best = (Leaders(variant=variant, leaders=leaders(rows)) for variant, rows in page.leaders.items())
    return made(
        Now,
        page,
        counts=made(Counts, page.counts),
        running=tournaments(page.running),
        playing=tuple(made(Playing, one, table=table(one.table)) for one in page.playing),
        coming=each(Upcoming, page.coming),
        tournaments=tournaments(page.tournaments),
        leaders=tuple(best),
        matches=matches(page.matches),
        featured=None if featured is None else Featured(match=match(featured.match), reason=str(featured.reason)),
    )


def operations(page: OperationsPage) -> Operations:
    """Return what an operator wants to know."""
    figures = page.figures
    return made(
        Operations,
        page,
        checks=each(Check, page.checks),
        processes=each(Process, page.processes),
        work=each(Work, figures.work),
        given_up=figures.given_up,
        unrated=figures.unrated,
        database=figures.database,
        failures=each(Failure, page.failures),
    )


def entered_bot(row: BotEntry) -> EnteredBot:
    """Return a bot of the list of administrators."""
    return made(EnteredBot, row)


def upload(row: UploadRow) -> Upload:
    """Return an upload."""
    return made(Upload, row, version=row.number)
