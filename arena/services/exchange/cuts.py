"""Cut of an export: everything that may change later, read in one transaction.

Records of matches never change, so they are read afterwards, in short transactions, while the arena plays on. A
table is in the cut if it counts in the ratings.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db import models
from arena.db.clock import now
from arena.db.models import CurrentRating, Entry, RatingCursor, RatingEvent, RatingParameters, TableSeat
from arena.db.rows import Snapshot
from arena.exchange import lines
from arena.exchange.lines import FORMAT, Cut, Scope, Season
from arena.games.errors import NotFound
from arena.games.registry import GAMES, LEADERBOARDS, VARIANTS
from arena.release import release
from arena.services.base.states import OVER
from arena.services.base.views import view_of

BATCH: Final = 500
"""Number of tables read at a time."""

Line = TypeVar("Line")


def check_scope(session: Session, scope: Scope) -> None:
    """Raise `NotFound` if there is no such tournament, game or variant."""
    if scope.tournament is not None:
        found = session.get(models.Tournament, scope.tournament)
        if found is None or not found.rated:
            raise NotFound(f"There is no rated tournament {scope.tournament}.")
    if scope.game is not None and scope.game not in GAMES:
        raise NotFound(f"There is no game {scope.game}; the games are {', '.join(GAMES)}.")
    if scope.variant is not None and scope.variant not in LEADERBOARDS:
        raise NotFound(f"There is no variant {scope.variant}; the variants are {', '.join(VARIANTS)}.")


def season(session: Session, scope: Scope) -> Season:
    """Return everything of the cut but its tables."""
    tournaments = session.scalars(select(models.Tournament).where(*_within(scope)).order_by(models.Tournament.id)).all()
    entries = _entries(session, scope)
    variants = sorted({one.variant for one in tournaments})
    versions = {entry.version for found in entries.values() for entry in found}
    return Season(
        FORMAT,
        release(),
        Snapshot(session.connection()).revision or "",
        session.scalars(select(now())).one(),
        scope,
        _bots(session, versions),
        [_tournament(one, entries[one.id]) for one in tournaments],
        _parameters(session, variants),
        _ratings(session, variants, versions),
        _outdated(session, variants),
    )


def tables(session: Session, scope: Scope) -> Iterator[Cut]:
    """Yield the tables of the cut, in the order in which they are rated."""
    last = 0
    while batch := _batch(session, scope, last):
        ids = [table.id for table, _ in batch]
        places, ratings = _places(session, ids), _rated(session, ids)
        for table, variant in batch:
            yield Cut(_table(table, places[table.id]), table.fence, variant, ratings[table.id])
        last = ids[-1]
        session.expunge_all()


def rated(scope: Scope) -> list[Any]:
    """Return the conditions that select the rated tournaments of a scope."""
    one = models.Tournament
    variants = [id for id, variant in LEADERBOARDS.items() if scope.game in (None, variant.game)]
    conditions = [one.rated, one.variant.in_(variants)]
    if scope.tournament is not None:
        conditions.append(one.id == scope.tournament)
    if scope.variant is not None:
        conditions.append(one.variant == scope.variant)
    return conditions


def grouped(rows: Iterable[Sequence[Any]], line: Callable[..., Line]) -> dict[int, list[Line]]:
    """Return lines by the first column of their rows, made of the others."""
    found: dict[int, list[Line]] = defaultdict(list)
    for key, *columns in rows:
        found[key].append(line(*columns))
    return found


def _within(scope: Scope) -> list[Any]:
    return [*rated(scope), models.Tournament.folded > 0]


def _batch(session: Session, scope: Scope, last: int) -> Sequence[tuple[models.Table, str]]:
    return [
        (table, variant)
        for table, variant in session.execute(
            select(models.Table, models.Tournament.variant)
            .join(models.Table.tournament)
            .where(*_within(scope), models.Table.id > last, models.Table.number < models.Tournament.folded)
            .order_by(models.Table.id)
            .limit(BATCH)
        )
    ]


def _places(session: Session, ids: Sequence[int]) -> dict[int, list[lines.Place]]:
    one = TableSeat
    columns: list[Any] = [one.table_id, one.version_id, one.half_points, one.rank, one.faults]
    places = select(*columns).where(one.table_id.in_(ids)).order_by(one.table_id, one.position)
    return grouped(session.execute(places), lines.Place)


def _rated(session: Session, ids: Sequence[int]) -> dict[int, list[lines.Rated]]:
    one = RatingEvent
    columns: list[Any] = [one.table_id, one.version_id, one.mu, one.sigma, one.tables, one.matches]
    ratings = select(*columns).where(one.table_id.in_(ids)).order_by(*columns[:2])
    return grouped(session.execute(ratings), lines.Rated)


def _table(row: models.Table, places: list[lines.Place]) -> lines.Table:
    return lines.Table(row.id, row.tournament_id, row.number, row.stage, row.state, row.finished or 0.0, places, [])


def _entries(session: Session, scope: Scope) -> dict[int, list[lines.Entry]]:
    columns: list[Any] = [Entry.tournament_id, Entry.number, Entry.version_id, Entry.out, Entry.out_after]
    tournaments = select(models.Tournament.id).where(*_within(scope))
    entered = select(*columns).where(Entry.tournament_id.in_(tournaments)).order_by(*columns[:2])
    return grouped(session.execute(entered), lines.Entry)


def _bots(session: Session, versions: set[int]) -> list[lines.Bot]:
    """Return the bots of these versions with all their versions."""
    one = models.Version
    columns: list[Any] = [one.bot_id, one.id, one.number, one.sha256, one.size, one.games, one.created]
    uploads = grouped(session.execute(select(*columns).order_by(one.bot_id, one.number)), lines.Version)
    columns = [models.Bot.id, models.Bot.name, models.User.name, models.Bot.available, models.Bot.active_version_id]
    rows = session.execute(select(*columns).join(models.Bot.owner).order_by(models.Bot.id))
    played = {bot for bot, own in uploads.items() if any(version.id in versions for version in own)}
    return [
        lines.Bot(id, name, owner, listed, active, uploads[id])
        for id, name, owner, listed, active in rows
        if id in played
    ]


def _tournament(row: models.Tournament, entries: list[lines.Entry]) -> lines.Tournament:
    seed = row.seed.hex() if row.state in OVER and row.seed else None
    started = row.started or row.created
    return view_of(lines.Tournament, row, seed=seed, started=started, tables=row.folded, entries=entries)


def _parameters(session: Session, variants: Sequence[str]) -> list[lines.Parameters]:
    one = RatingParameters
    columns: list[Any] = [one.variant, one.since, one.beta, one.draw_probability, one.tables, one.estimated]
    found = select(*columns).where(one.variant.in_(variants)).order_by(one.variant, one.since)
    return [lines.Parameters(*row) for row in session.execute(found)]


def _ratings(session: Session, variants: Sequence[str], versions: set[int]) -> list[lines.Rating]:
    one = CurrentRating
    columns: list[Any] = [one.variant, one.version_id, one.mu, one.sigma, one.tables, one.matches]
    found = select(*columns).where(one.variant.in_(variants)).order_by(one.variant, one.version_id)
    return [lines.Rating(*row) for row in session.execute(found) if row.version_id in versions]


def _outdated(session: Session, variants: Sequence[str]) -> dict[str, int]:
    found = select(RatingCursor.variant, RatingCursor.due).where(
        RatingCursor.variant.in_(variants), RatingCursor.due.is_not(None)
    )
    return {variant: due for variant, due in session.execute(found) if due is not None}
