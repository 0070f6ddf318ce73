"""Play tables: claim them, play all matches outside any transaction, submit the results, and fold the ratings."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session
from structlog.contextvars import bound_contextvars

from arena.db.models import Bot, Table, TableSeat, Tournament, Version
from arena.games.chance import table_seed
from arena.games.registry import stored_game, variant
from arena.services.base.context import Arena
from arena.services.play.seats import BotCage, Sitter
from arena.services.play.table import Deal, Work, play_work
from arena.services.queue import claims
from arena.services.queue.announcements import URGENT, announce_more, demote
from arena.services.queue.batches import Batch
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import LeaseLost
from arena.services.ratings.fold import fold
from arena.services.tournaments import stages
from arena.services.work.outcomes import Outcome
from arena.services.work.pieces import Piece, PieceOver
from arena.services.work.seats import seat_and_play

BEAT_EVERY: Final = 0.05
"""Seconds between two looks beyond a routine table: a quick bot moves every tenth of a millisecond."""

# Built once: every batch executes these statements, and building one takes longer than executing it.
_TABLES: Final = (
    select(Table.id, Table.number, Table.priority, Table.tournament_id, Tournament.variant, Tournament.options)
    .add_columns(Tournament.boards, Tournament.seatings, Tournament.seed, Tournament.shape)
    .join(Table.tournament)
    .where(Table.id.in_(bindparam("tables", expanding=True)))
)
_PLACES: Final = (
    select(TableSeat.table_id, TableSeat.version_id, Bot.name)
    .join(Version, Version.id == TableSeat.version_id)
    .join(Bot, Bot.id == Version.bot_id)
    .where(TableSeat.table_id.in_(bindparam("tables", expanding=True)))
    .order_by(TableSeat.table_id, TableSeat.position)
)
_SOURCES: Final = select(Version.id, Version.source).where(Version.id.in_(bindparam("versions", expanding=True)))


def play_tables(
    arena: Arena,
    table_ids: Sequence[int],
    cage: BotCage,
    worker: str,
    between_moves: Callable[[Keeper], None] = lambda _: None,
    outer: Keeper | None = None,
) -> Outcome:
    """Play those of these tables that can be claimed, one after another.

    `between_moves` is called between the moves of a table that is routine or takes long, with its keeper (see
    `arena.services.work.urgent`). If this interrupts other work, `outer` is the keeper of that work.
    """
    claimed = claims.claim_all(arena, table_ids, worker)
    batch = Batch(arena, claimed)
    if not batch:
        return Outcome.NOTHING
    round_ = _Round(arena, cage, batch, [claim.id for claim in claimed])
    with Keeper(batch.renew, arena.settings.lease, outer=outer) as keeper:
        round_.play(keeper, between_moves, outer)
    round_.store()
    return Outcome.FAULT if batch.failed else Outcome.LOST if batch.lost else Outcome.DONE


class _Round:
    """A batch at play."""

    def __init__(self, arena: Arena, cage: BotCage, batch: Batch, tables: Sequence[int]) -> None:
        self._arena, self._cage, self._batch, self._tables = arena, cage, batch, tables
        self._loaded: dict[int, Callable[[], Work]] = {}
        self._works: dict[int, Work] = {}
        """Work by table ID."""
        self._next_beat = 0.0

    def play(self, keeper: Keeper, between_moves: Callable[[Keeper], None], outer: Keeper | None) -> None:
        """Play table after table until one fails or a claim is lost; the tables not begun are then handed back."""
        try:
            for claim in self._batch:
                work = self._works[claim.id] = self._load(claim.id)
                piece = Piece(self._cage, keeper, between_moves, outer)
                beat = piece.beat if work.urgent else partial(self._beat, keeper, between_moves)
                with bound_contextvars(table=claim.id):
                    cage = piece if work.urgent else self._cage
                    self._batch.add(play_work(work, cage, beat, seat_and_play))
        except LeaseLost:
            self._batch.abandon()
        except PieceOver:
            with self._arena.transaction() as session:
                demote(session, work.tournament)
            self._batch.abandon()
        except Exception as error:
            self._batch.hand_back()
            self._batch.fail(error)

    def _load(self, table_id: int) -> Work:
        """Return the work of a table. All are loaded with the first, so that a failure to load is one at a table."""
        if not self._loaded:
            with self._arena.reading() as session:
                self._loaded = load_all(session, self._tables)
        return self._loaded[table_id]()

    def store(self) -> None:
        """Submit the results so far, and do what follows from them, once for each tournament."""
        stored = [self._works[claim.id] for claim in self._batch.submit()]
        variants = {work.tournament: work.variant for work in stored}
        if any(work.urgent for work in self._works.values()):
            announce_more(self._arena)
        for tournament in sorted(variants):
            stages.advance(self._arena, tournament)
        for tournament, rated in sorted(variants.items()):
            fold(self._arena, rated, tournament)

    def _beat(self, keeper: Keeper, between_moves: Callable[[Keeper], None]) -> None:
        if (now := time.monotonic()) < self._next_beat:
            return
        self._next_beat = now + BEAT_EVERY
        keeper.heartbeat()
        if self._batch.overdue:
            self._batch.hand_back()
            self.store()
        between_moves(keeper)


def load(session: Session, table_id: int) -> Work:
    """Load everything needed to play the table with this ID."""
    return load_all(session, [table_id])[table_id]()


def load_all(session: Session, table_ids: Sequence[int]) -> dict[int, Callable[[], Work]]:
    """Load everything needed to play these tables, and each source once.

    Returns functions by table ID that return the work of the table. They raise `OptionError` if its variant is not
    offered.
    """
    seated = session.execute(_PLACES, {"tables": table_ids}).all()
    versions = sorted({place.version_id for place in seated})
    sources = {row.id: row.source for row in session.execute(_SOURCES, {"versions": versions})}
    places: dict[int, list[Sitter]] = {table: [] for table in table_ids}
    for table, version, name in seated:
        places[table].append(Sitter(version, name, sources[version]))
    return {row.id: partial(_work, row, places[row.id]) for row in session.execute(_TABLES, {"tables": table_ids})}


def work_at(session: Session, table_id: int, places: Sequence[Sitter]) -> Work:
    """Return the work of a table with these bots by place. Raises `OptionError` if its variant is not offered."""
    return _work(session.execute(_TABLES, {"tables": [table_id]}).one(), places)


def _work(row: Row[Any], places: Sequence[Sitter]) -> Work:
    """Return the work of a table, given its row of `_TABLES`."""
    return Work(
        tournament=row.tournament_id,
        variant=row.variant,
        rules=stored_game(variant(row.variant).game, row.options),
        boards=row.boards,
        seatings=row.seatings,
        seed=table_seed(row.seed, row.number) if row.seed else b"",
        places=places,
        urgent=row.priority >= URGENT,
        deal=Deal.of(row.shape),
    )
