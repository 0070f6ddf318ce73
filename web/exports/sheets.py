"""Tables of pages as CSV and JSON, with the filters, search and order of the page, in bounded memory.

Each sheet is made from the rows that its page shows, all pages of a list one after the other.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, TypeVar

from flask import Blueprint, Response, request

from arena.services.administration import pages as administration
from arena.services.administration import tables as stuck
from arena.services.analyses import pages as analyses
from arena.services.base.lists import Listed
from arena.services.base.sheets import csv_lines
from arena.services.bots import authors
from arena.services.bots import pages as bot_pages
from arena.services.copies import pages as copies
from arena.services.ladders import pages as ladder_pages
from arena.services.numbers import crosstables as crossed
from arena.services.numbers import highlights
from arena.services.numbers import statistics as numbers
from arena.services.people import rosters
from arena.services.ratings import boards
from arena.services.schedules import pages as schedule_pages
from arena.services.tables.views import TableRow
from arena.services.tournaments import pages as tournament_pages
from arena.services.trials import pages as trial_pages
from web.base.languages import english
from web.base.lists import chosen, searched, sorts
from web.base.variants import known
from web.bots import pages as bot_views
from web.numbers import crosstables, leaderboard, statistics
from web.serving.downloads import attached, streamed
from web.serving.session import admins_only, arena, member, members_only, organisers_only, viewer
from web.tables import matches
from web.tournaments import pages as tournaments

bp = Blueprint("sheets", __name__)
bp.before_request(english)

KIND: Final = "<any(csv, json):kind>"
TYPES: Final = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
CHUNK: Final = 200
"""Number of rows that are sent together."""

Row = TypeVar("Row")
Columns = Mapping[str, Callable[[Any], object]]
"""Columns by name, with the function that finds their value in a row."""


def _columns(names: str, **others: Callable[[Any], object]) -> Columns:
    """Return columns: attributes by their names, then others."""
    return MappingProxyType({**{name: attrgetter(name) for name in names.split()}, **others})


def _at(path: str) -> Callable[[Any], Any]:
    """Return a function that finds an attribute of an attribute; None if there is none on the way."""

    def find(row: Any) -> Any:
        for name in path.split("."):
            row = None if row is None else getattr(row, name)
        return row

    return find


def _end(path: str, end: int) -> Callable[[Any], object]:
    """Return a function that finds one end of an interval; None if there is no interval."""
    find = _at(path)
    return lambda row: None if find(row) is None else find(row)[end]


def _joined(*parts: Columns) -> Columns:
    """Return the columns of rows that are tuples, from the columns of their parts."""
    return MappingProxyType(
        {name: _part(at, find) for at, columns in enumerate(parts) for name, find in columns.items()}
    )


def _part(at: int, find: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda row: find(row[at])


_POINTS: Final = {
    "game_points": _at("strength.value"),
    "game_points_low": _end("strength.interval", 0),
    "game_points_high": _end("strength.interval", 1),
}
LEADERS: Final = _columns(
    "rank bot_id bot version_id version owner mu sigma conservative tables matches provisional risen uploaded",
    **_POINTS,
)
BOTS: Final = _columns(
    "id name owner active barred archived version uploaded created",
    variant=_at("rating.variant"), mu=_at("rating.mu"), sigma=_at("rating.sigma"),
    matches=_at("rating.matches"),
)  # fmt: skip
TOURNAMENTS: Final = _columns(
    "id name variant format state created_by entries tables_total tables_done tables_failed tables_cancelled created "
    "starts_at started finished"
)
STANDINGS: Final = _columns(
    "rank bot_id bot version_id version owner share",
    share_low=_end("interval", 0), share_high=_end("interval", 1), **_POINTS,
    **_columns("points tables opponents sat_out faults out"),
)  # fmt: skip
TABLES: Final = _joined(
    _columns("id state", table=lambda table: table.number + 1, matches=lambda table: len(table.matches)),
    _columns("position bot_id bot version_id version points rank faults"),
)
"""A line for each place of a table."""
MATCHES: Final = _joined(
    _columns("id tournament_id tournament table_id seating variant finished"),
    _columns("seat bot_id bot version_id version score rank fault"),
)
"""A line for each seat of a match."""
DECISIONS: Final = _columns("move seat deal phase score action best lost margin mark")
LOST: Final = _columns("version number phase matches decisions best lost margin mistakes house")
PAIRS: Final = _joined(
    _columns("bot_id bot version"),
    MappingProxyType({f"other_{name}": find for name, find in _columns("bot_id bot version").items()}),
    _columns("tables share superiority", share_low=_end("interval", 0), share_high=_end("interval", 1)),
)
"""A line for each bot and each other bot that it met."""
OPPONENTS: Final = _joined(
    _columns("bot_id bot owner version_id version"),
    _columns("tables share superiority", share_low=_end("interval", 0), share_high=_end("interval", 1)),
)
MET: Final[Columns] = MappingProxyType({"table_id": attrgetter("id"), **_columns("tournament points other_points")})
SEATS: Final = _columns("seat matches share", share_low=_end("interval", 0), share_high=_end("interval", 1))
OWNERS: Final = _columns("owner bots tables share")
RESULTS: Final = _columns("rank entries tournament_id tournament variant format bot_id bot version finished")

MEMBERS: Final = _columns("id name role disabled bots sessions created active")
ENTERED: Final = _columns("id name owner_id owner active disabled versions created")
UPLOADS: Final = _columns(
    "version_id", number=_at("version"), **_columns("bot_id bot owner_id owner state age verdict attempts")
)
LOG: Final = _columns("id at actor action subject detail")
STUCK: Final = _columns(
    "id tournament_id tournament state attempts reason retry_at", table=lambda table: table.number + 1
)
GROUPS: Final = _columns("id name members waiting created")
ROSTER: Final = _columns(
    "", user_id=_at("member.user_id"), account=_at("member.name"), real_name=_at("member.real_name"),
    bots=attrgetter("bots"), latest_upload=attrgetter("latest"), joined=_at("member.joined"),
)  # fmt: skip
ALIKE: Final = _columns(
    "", bot_id=_at("a.bot_id"), bot=_at("a.bot"), owner=_at("a.owner"), version=attrgetter("a_version"),
    other_bot_id=_at("b.bot_id"), other_bot=_at("b.bot"), other_owner=_at("b.owner"),
    other_version=attrgetter("b_version"), share=attrgetter("share"), counted=attrgetter("counted"),
    dismissed=_at("dismissed.at"), dismissed_by=_at("dismissed.by"), reason=_at("dismissed.reason"),
)  # fmt: skip
SCHEDULES: Final = _columns(
    "id name", variant=_at("plan.variant"), format=_at("plan.format"),
    **_columns("cron zone catch_up paused problem created_by created"),
    next=lambda row: row.times[0] if row.times else None,
)  # fmt: skip
TRIED: Final = _joined(
    STANDINGS,
    _columns("", mean_score=_at("value"), mean_score_low=_end("interval", 0), mean_score_high=_end("interval", 1)),
)


@bp.get(f"/leaderboard/<variant>/table.{KIND}", endpoint="leaderboard")
def leaderboard_(variant: str, kind: str) -> Response:
    """Send a leaderboard."""
    known(variant)
    sort = chosen("sort", sorts(leaderboard.ORDERS))
    board = boards.board(arena(), variant, None, search=searched(), sort=sort)
    return _sent(kind, f"leaderboard-{variant}", LEADERS, board.listed.rows)


@bp.get(f"/bots/table.{KIND}", defaults={"archived": False})
@bp.get(f"/bots/archived/table.{KIND}", endpoint="archived_bots", defaults={"archived": True})
def bots(kind: str, archived: bool) -> Response:
    """Send the list of bots, or of the archived ones."""
    here, account, search, sort = arena(), viewer(), searched(), chosen("sort", sorts(bot_views.ORDERS))
    rows = _all(
        lambda page: bot_pages.listed_bots(here, account, page, search=search, sort=sort, archived=archived, size=CHUNK)
    )
    return _sent(kind, "archived-bots" if archived else "bots", BOTS, rows)


@bp.get(f"/tournaments/table.{KIND}", endpoint="tournaments")
def tournaments_(kind: str) -> Response:
    """Send the list of tournaments; the parameter `of` has the kinds of the page."""
    here, of, search = arena(), chosen("of", tournaments.KINDS) or tournament_pages.CUPS, searched()
    rows = _all(lambda page: tournament_pages.listed_of(here, of, page, search=search))
    return _sent(kind, of, TOURNAMENTS, rows)


@bp.get(f"/tournaments/<int:tournament_id>/standings.{KIND}")
def standings(tournament_id: int, kind: str) -> Response:
    """Send the standings of a tournament."""
    page = tournament_pages.page(arena(), tournament_id)
    return _sent(kind, f"tournament-{tournament_id}-standings", STANDINGS, page.standings)


@bp.get(f"/tournaments/<int:tournament_id>/tables.{KIND}")
def tables(tournament_id: int, kind: str) -> Response:
    """Send the tables of a tournament."""
    here = arena()
    filters = tournaments.filters(tournament_pages.page(here, tournament_id))

    def tables() -> Iterator[TableRow]:
        last = -1
        while found := tournament_pages.tables_after(here, tournament_id, last, CHUNK, **filters):
            yield from found
            last = found[-1].number

    lines = _lines(kind, TABLES, ((table, place) for table in tables() for place in table.places))
    return streamed(lines, f"tournament-{tournament_id}-tables.{kind}", TYPES[kind])


@bp.get(f"/tournaments/<int:tournament_id>/crosstable.{KIND}")
def tournament_crosstable(tournament_id: int, kind: str) -> Response:
    """Send the crosstable of a tournament."""
    tournament_pages.row(arena(), tournament_id)
    grid = crosstables.grid_of(tournament_id, crossed.of_tournament)
    return _sent(kind, f"tournament-{tournament_id}-crosstable", PAIRS, _pairs(grid.table))


@bp.get(f"/crosstables/<variant>/table.{KIND}")
def crosstable(variant: str, kind: str) -> Response:
    """Send the crosstable of a variant."""
    known(variant)
    grid = crosstables.grid_of(variant, crossed.of_variant)
    return _sent(kind, f"crosstable-{variant}", PAIRS, _pairs(grid.table))


def _pairs(table: crossed.Crosstable) -> Iterator[tuple[crossed.Contender, crossed.Contender, crossed.Cell]]:
    for one in table.bots:
        for other in table.bots:
            if cell := table.cells.get((one.version_id, other.version_id)):
                yield one, other, cell


@bp.get(f"/crosstables/<variant>/<int:a>/<int:b>/tables.{KIND}")
def head_to_head(variant: str, a: int, b: int, kind: str) -> Response:
    """Send the latest tables of two versions."""
    known(variant)
    return _sent(kind, f"{variant}-{a}-{b}", MET, crossed.head_to_head(arena(), variant, a, b).tables)


@bp.get(f"/versions/<int:version_id>/statistics/<variant>/opponents.{KIND}")
def opponents(version_id: int, variant: str, kind: str) -> Response:
    """Send the opponents of a version."""
    known(variant)
    found = numbers.of_version(arena(), version_id, variant)
    return _sent(kind, f"version-{version_id}-{variant}", OPPONENTS, ((one.name, one.cell) for one in found.opponents))


@bp.get(f"/statistics/<variant>/seats.{KIND}")
def seats(variant: str, kind: str) -> Response:
    """Send the shares of the seats of a variant."""
    known(variant)
    return _sent(kind, f"seats-{variant}", SEATS, statistics.figures_of(variant, numbers.of_variant).seats)


@bp.get(f"/tournaments/<int:tournament_id>/seats.{KIND}")
def tournament_seats(tournament_id: int, kind: str) -> Response:
    """Send the shares of the seats of a tournament."""
    found = statistics.figures_of(tournament_id, numbers.of_tournament)
    return _sent(kind, f"tournament-{tournament_id}-seats", SEATS, found.seats)


@bp.get(f"/ladders/<variant>/standings.{KIND}")
def ladder(variant: str, kind: str) -> Response:
    """Send the standings of a ladder."""
    known(variant)
    return _sent(kind, f"ladder-{variant}", LEADERS, ladder_pages.ladder_page(arena(), variant).standings)


@bp.get(f"/ladders/<variant>/owners.{KIND}")
def owners(variant: str, kind: str) -> Response:
    """Send the shares of the owners in a ladder."""
    known(variant)
    return _sent(kind, f"ladder-{variant}-owners", OWNERS, ladder_pages.ladder_page(arena(), variant).owners)


@bp.get(f"/authors/<name>/bots.{KIND}")
def author_bots(name: str, kind: str) -> Response:
    """Send the bots of an author, without the archived ones."""
    page = authors.author_page(arena(), name)
    return _sent(kind, "bots-of-author", BOTS, page.bots)


@bp.get(f"/authors/<name>/results.{KIND}")
def results(name: str, kind: str) -> Response:
    """Send the best results of an author."""
    page = authors.author_page(arena(), name)
    return _sent(kind, "results-of-author", RESULTS, page.results)


@bp.get(f"/matches/table.{KIND}", endpoint="matches")
def matches_(kind: str) -> Response:
    """Send a list of matches."""
    wanted = matches.wanted()
    page = highlights.highlights(arena(), *wanted)
    rows = ((one.row, seat) for one in page.highlights for seat in one.row.seats)
    return _sent(kind, f"matches-{wanted.kind}", MATCHES, rows)


@bp.get(f"/matches/<int:match_id>/decisions.{KIND}")
def decisions(match_id: int, kind: str) -> Response:
    """Send the decisions of an analysed match, a line for each."""
    found = analyses.of_match(arena(), match_id)
    return _sent(kind, f"match-{match_id}-decisions", DECISIONS, found.decisions if found else ())


@bp.get(f"/versions/<int:version_id>/lost/<variant>.{KIND}")
def lost(version_id: int, variant: str, kind: str) -> Response:
    """Send the points that a version lost by phase in a variant."""
    rows = analyses.lost_by(arena(), [version_id], known(variant).id)
    return _sent(kind, f"version-{version_id}-{variant}-lost", LOST, rows)


def _office(name: str, columns: Columns, fetch: Callable[..., Listed[Any]], *parameters: str) -> Callable[..., Any]:
    """Return a view that sends a list of administrators, filtered by these parameters of the query."""

    @admins_only
    def send(kind: str) -> Response:
        here, given = arena(), {one: request.args.get(one, "") for one in parameters}
        return _sent(kind, name, columns, _all(lambda page: fetch(here, page, **given)))

    return send


for path, endpoint, view in (
    ("members", "members", _office("members", MEMBERS, administration.members, "search", "only")),
    ("bots", "entered_bots", _office("all-bots", ENTERED, administration.bots, "search", "only")),
    ("uploads", "uploads", _office("uploads", UPLOADS, administration.uploads, "state")),
    ("log", "log", _office("audit-log", LOG, administration.log, "actor", "subject")),
):
    bp.add_url_rule(f"/admin/{path}/table.{KIND}", endpoint, view)


@bp.get(f"/groups/table.{KIND}", endpoint="groups")
@organisers_only
def groups_(kind: str) -> Response:
    """Send the list of groups."""
    return _sent(kind, "groups", GROUPS, rosters.all_groups(arena(), member()))


@bp.get(f"/groups/<int:group_id>/members.{KIND}")
@organisers_only
def group_members(group_id: int, kind: str) -> Response:
    """Send the members of a group."""
    return _sent(kind, f"group-{group_id}", ROSTER, rosters.roster(arena(), member(), group_id).members)


@bp.get(f"/playground/<int:tournament_id>/standings.{KIND}")
@members_only
def trial(tournament_id: int, kind: str) -> Response:
    """Send the result of a trial; `web.trials.pages` keeps it from all but the team."""
    page = trial_pages.trial_page(arena(), tournament_id)
    rows = ((place, page.means.get(place.version_id)) for place in page.standings)
    return _sent(kind, f"trial-{tournament_id}", TRIED, rows)


@bp.get(f"/copies/table.{KIND}")
@organisers_only
def alike(kind: str) -> Response:
    """Send the pairs of bots that are alike."""
    group, dismissed = request.args.get("group", ""), "dismissed" in request.args
    return _sent(kind, "alike-bots", ALIKE, copies.report(arena(), group=group, dismissed=dismissed, limit=None).pairs)


@bp.get(f"/schedules/table.{KIND}", endpoint="schedules")
def schedules_(kind: str) -> Response:
    """Send the list of schedules."""
    return _sent(kind, "schedules", SCHEDULES, schedule_pages.schedules(arena()))


@bp.get(f"/schedules/<int:schedule_id>/tournaments.{KIND}")
def schedule_tournaments(schedule_id: int, kind: str) -> Response:
    """Send the latest tournaments of a schedule."""
    found = schedule_pages.schedule_page(arena(), schedule_id)
    return _sent(kind, f"schedule-{schedule_id}-tournaments", TOURNAMENTS, found.tournaments)


@bp.get(f"/admin/tables/table.{KIND}")
@organisers_only
def stuck_tables(kind: str) -> Response:
    """Send the tables that the arena gave up, or that wait; the parameter `which` has the kinds of the page."""
    here, which = arena(), request.args.get("which", "")
    which = which if which in stuck.TITLES else stuck.FAILED
    return _sent(kind, f"{which}-tables", STUCK, _all(lambda page: stuck.stuck(here, which, page)))


def _all(fetch: Callable[[int], Listed[Row]]) -> Iterator[Row]:
    """Return the rows of all pages of a list. The first is fetched at once, so that its errors come in time."""
    first = fetch(1)

    def rows() -> Iterator[Row]:
        yield from first.rows
        for page in range(2, first.pages + 1):
            yield from fetch(page).rows

    return rows()


def _sent(kind: str, name: str, columns: Columns, rows: Iterable[Any]) -> Response:
    """Send rows as a file of this name, some at a time. `rows` must not need the request."""
    return attached(_lines(kind, columns, rows), f"{name}.{kind}", TYPES[kind])


def _lines(kind: str, columns: Columns, rows: Iterable[Any]) -> Iterator[str]:
    """Yield the file, some lines at a time."""
    return _chunks(_csv(columns, rows) if kind == "csv" else _json(columns, rows))


def _csv(columns: Columns, rows: Iterable[Any]) -> Iterator[str]:
    def cells() -> Iterator[list[object]]:
        yield list(columns)
        for row in rows:
            yield [_plain(find(row)) for find in columns.values()]

    return csv_lines(cells())


def _json(columns: Columns, rows: Iterable[Any]) -> Iterator[str]:
    start = "[\n"
    for row in rows:
        values = {name: _plain(find(row)) for name, find in columns.items()}
        yield start + json.dumps(values, ensure_ascii=False)
        start = ",\n"
    yield "[]\n" if start == "[\n" else "\n]\n"


def _plain(value: object) -> object:
    """Return a value as files have it: times in UTC."""
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else value


def _chunks(lines: Iterator[str]) -> Iterator[str]:
    while chunk := "".join(islice(lines, CHUNK)):
        yield chunk
