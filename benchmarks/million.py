"""Page queries on a database with a million matches, with and without tallies."""

import os
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.services.base.context import Arena
from arena.services.numbers import home
from arena.services.ratings import pages as ratings
from arena.services.ratings import tallies
from arena.services.tables import matches
from arena.services.tournaments import pages as tournament_pages
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.plausible import VARIANT, Size, write
from benchmarks.results import NOTHING, Table, durations, quartiles

MATCHES: Final = int(os.environ.get("BENCH_MATCHES", "1_000_000"))
"""Number of matches to write."""
SHOWN: Final = 10
"""Number of matches on a bot's page."""

ADDED: Final = text(
    """
    WITH sat AS (
        SELECT DISTINCT matches.table_id, matches.id, match_seats.version_id, match_seats.rank
        FROM matches JOIN match_seats ON match_seats.match_id = matches.id
        JOIN tables ON tables.id = matches.table_id JOIN tournaments ON tournaments.id = tables.tournament_id
        WHERE tournaments.variant = :variant AND NOT matches.superseded
    ), met AS (
        SELECT one.version_id AS a, other.version_id AS b, count(*) AS n,
            sum(CASE WHEN one.rank < other.rank THEN 2 WHEN one.rank = other.rank THEN 1 ELSE 0 END) AS h
        FROM sat AS one JOIN sat AS other ON other.id = one.id AND other.version_id > one.version_id
        GROUP BY one.table_id, one.version_id, other.version_id
    )
    SELECT a, b, count(*), sum(h), sum(2 * n), sum(h * h), sum(h * 2 * n), sum(4 * n * n) FROM met GROUP BY a, b
    """
)
"""SQL for the crosstable of a variant, aggregated from its matches."""


class Query(NamedTuple):
    """A query that a page makes."""

    title: str
    ask: Callable[[Arena, int], Any]
    """Function of an arena and the ID of a bot, from which a tournament's ID is derived."""
    goal: float | None = None
    """Target in seconds."""
    once: bool = False
    """Whether the query is too slow to repeat."""


def _in(ask: Callable[[Session, int], Any]) -> Callable[[Arena, int], Any]:
    def asked(arena: Arena, number: int) -> Any:
        with arena.reading() as session:
            return ask(session, number)

    return asked


QUERIES: Final = (
    Query("leaderboard", lambda arena, _: ratings.leaderboard(arena, VARIANT), 0.005),
    Query("a bot against each opponent", _in(lambda session, bot: tallies.opponents(session, VARIANT, bot)), 0.005),
    Query("a bot's last matches", _in(lambda session, bot: matches.latest_of(session, [bot], SHOWN)), 0.005),
    Query("crosstable", _in(lambda session, _: tallies.pairs(session, VARIANT)), 0.05),
    Query("crosstable without tallies", _in(lambda session, _: added(session)), once=True),
    Query("standings of a tournament", _in(lambda session, number: tallies.scores(session, number % 10 + 1))),
    Query("page of a tournament", lambda arena, number: tournament_pages.page(arena, number % 10 + 1)),
    Query("first page", lambda arena, _: home.home(arena)),
)


def added(session: Session) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the crosstable, aggregated from the matches."""
    return {(a, b): tuple(map(int, sums)) for a, b, *sums in session.execute(ADDED, {"variant": VARIANT})}


def run(rounds: int, size: Size | None = None) -> list[Table]:
    """Fill each database, measure the queries, and return one table."""
    size = size or Size(MATCHES)
    found: dict[str, list[list[float]]] = {}
    with databases() as opened:
        for name, arena in opened.items():
            write(arena, size)
            found[name] = [times(arena, query, rounds, size) for query in QUERIES]
    return [about(size, rounds, found)]


def times(arena: Arena, query: Query, rounds: int, size: Size) -> list[float]:
    """Return the seconds per round, after a warm-up round that is discarded."""
    taken = []
    for number in range(1 if query.once else rounds + 1):
        began = perf_counter()
        query.ask(arena, 1 + number * 7 % size.bots)
        taken.append(perf_counter() - began)
    return taken if query.once else taken[1:]


def about(size: Size, rounds: int, found: dict[str, list[list[float]]]) -> Table:
    """Return a table with a row per query."""
    tables = size.tables * size.tournaments
    notes = (
        f"{tables * 4:,} matches at {tables:,} tables of {size.bots} bots in {size.tournaments} tournaments of one "
        f"variant.\nReal time from call to answer; {rounds} rounds, each for another bot or tournament. {cpu()}."
    )
    rows = [
        (query.title, *(cell for name in found for cell in _cells(query, found[name][number])))
        for number, query in enumerate(QUERIES)
    ]
    head = ("", *(cell for name in found for cell in (name, "target", "reached")))
    return Table("Pages over many matches", notes, head, rows)


def _cells(query: Query, taken: list[float]) -> tuple[str, str, str]:
    shown = durations(*quartiles(taken))
    if query.goal is None:
        return shown, NOTHING, NOTHING
    return shown, f"≤ {query.goal * 1000:g} ms", "yes" if median(taken) <= query.goal else "no"
