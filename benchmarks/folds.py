"""Cost of rating results in a database, beside many open tournaments and after a late result."""

from collections.abc import Sequence
from time import perf_counter
from typing import Final

from sqlalchemy import select, update

from arena.db.models import RatingCursor, Table
from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.context import Arena
from arena.services.play.table import TableResult
from arena.services.queue import claims
from arena.services.ratings.fold import catch_up, fold
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.queue import PER_ROUND, tournament
from benchmarks.results import Table as Shown
from benchmarks.results import durations, quartiles

OPEN: Final = (1, 30, 100)
"""Numbers of open tournaments of the variant."""
AGAIN: Final = 30
"""Number of tables to rate again after a late result: as many as a transaction takes."""
AFTER: Final = f"{AGAIN} tables, after a late result"


def run(rounds: int, opened: Sequence[int] = OPEN) -> list[Shown]:
    """Measure on each database and return one table."""
    with databases() as arenas:
        found = {name: measure(arena, rounds, opened) for name, arena in arenas.items()}
    titles = list(next(iter(found.values())))
    notes = f"Real time of the fold, {rounds} rounds. Results are random. {cpu()}."
    rows = [(title, *(durations(*quartiles(times[title])) for times in found.values())) for title in titles]
    return [Shown("Ratings in a database", notes, ("rated", *found), rows)]


def measure(arena: Arena, rounds: int, opened: Sequence[int]) -> dict[str, list[float]]:
    """Return the seconds of each fold, by what it rated. Each kind begins with a warm-up, which is discarded."""
    late = tournament(arena, rounds + 1)
    taken: dict[str, list[float]] = {}
    for before, count in zip((1, *opened), opened, strict=False):
        for _ in range(before, count):
            tournament(arena, PER_ROUND)
        newest = tournament(arena, rounds + 1)
        times = [_fold(arena, newest, table) for table in _tables(arena, newest)[: rounds + 1]]
        taken[f"a result, {count} open tournaments" if count > 1 else "a result"] = times[1:]
    for table in _tables(arena, tournament(arena, AGAIN))[:AGAIN]:
        _submit(arena, table)
    catch_up(arena, DEFAULT_VARIANT)
    taken[AFTER] = [_fold_again(arena, table) for table in _tables(arena, late)[: rounds + 1]][1:]
    return taken


def _fold(arena: Arena, cup: int, table: int) -> float:
    """Submit a result and return the seconds of its fold."""
    _submit(arena, table)
    with arena.transaction() as session:
        session.execute(update(RatingCursor).values(folded=0.0))  # otherwise it may wait to share a fold
    began = perf_counter()
    fold(arena, DEFAULT_VARIANT, cup)
    return perf_counter() - began


def _fold_again(arena: Arena, table: int) -> float:
    """Submit a late result and return the seconds of the first transaction of its fold."""
    _submit(arena, table)
    began = perf_counter()
    catch_up(arena, DEFAULT_VARIANT, most=1)
    taken = perf_counter() - began
    catch_up(arena, DEFAULT_VARIANT)
    return taken


def _submit(arena: Arena, table: int) -> None:
    claim = claims.claim(arena, table, "benchmark")
    if claim is None:
        raise RuntimeError(f"table {table} cannot be claimed")
    claims.submit(arena, claim, TableResult([], [0] * 4, [1, 2, 3, 4], [0] * 4))


def _tables(arena: Arena, cup: int) -> Sequence[int]:
    with arena.reading() as session:
        return session.scalars(select(Table.id).where(Table.tournament_id == cup).order_by(Table.number)).all()
