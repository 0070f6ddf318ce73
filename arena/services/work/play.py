"""Play tables: claim them, play all matches outside any transaction, submit the results, and fold the ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session
from structlog.contextvars import bound_contextvars

from arena.db.models import Bot, Table, TableSeat, Tournament, Version
from arena.games.base import Game
from arena.games.chance import bot_seed, set_rng, table_seed
from arena.games.registry import game, variant
from arena.match.record import pack
from arena.services.base.context import Arena
from arena.services.formats.trial import Deal
from arena.services.queue import claims
from arena.services.queue.batches import Batch
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import LeaseLost
from arena.services.ratings.fold import fold
from arena.services.tournaments import stages
from arena.services.work.outcomes import Outcome
from arena.services.work.seats import BotCage, Sitter, columns, seat_and_play
from arena.tournament.standings import ranks
from arena.tournament.tables import Kind, kind_of

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


@dataclass(frozen=True)
class Work:
    """Everything needed to play a table."""

    tournament: int
    """ID of the tournament."""
    variant: str
    rules: Game
    boards: int
    """Number of sets of boards; each is played once per seating."""
    seatings: str
    """Mode of seating: a key of `arena.tournament.seatings.MODES`."""
    seed: bytes
    """Seed of the table; empty if it was imported while the tournament's seed was secret."""
    places: Sequence[Sitter]
    """Bots by place."""
    urgent: bool = False
    """Whether it takes precedence over routine tables."""
    deal: Deal | None = None
    """Boards of another table that are played again; None for boards from its own seed."""

    @property
    def kind(self) -> Kind:
        """Kind of the table: its seatings, and how match points are counted."""
        return kind_of(self.rules.teams, len(self.places), self.seatings)


def play_table(
    arena: Arena,
    table_id: int,
    cage: BotCage,
    worker: str,
    between_moves: Callable[[Keeper], None] = lambda _: None,
    outer: Keeper | None = None,
) -> Outcome:
    """Play a table if it can be claimed; see `play_tables`."""
    return play_tables(arena, [table_id], cage, worker, between_moves, outer)


def play_tables(
    arena: Arena,
    table_ids: Sequence[int],
    cage: BotCage,
    worker: str,
    between_moves: Callable[[Keeper], None] = lambda _: None,
    outer: Keeper | None = None,
) -> Outcome:
    """Play those of these tables that can be claimed, one after another.

    `between_moves` is called between the moves of a routine table, with its keeper (see `arena.services.work.urgent`).
    If this interrupts other work, `outer` is the keeper of that work.
    """
    claimed = claims.claim_all(arena, table_ids, worker)
    batch = Batch(arena, claimed)
    if not batch:
        return Outcome.NOTHING
    round_ = _Round(arena, cage, batch, [claim.id for claim in claimed])
    with Keeper(batch.renew, arena.settings.lease, outer=outer) as keeper:
        round_.play(keeper, between_moves)
    round_.store()
    return Outcome.FAULT if batch.failed else Outcome.LOST if batch.lost else Outcome.DONE


class _Round:
    """A batch at play."""

    def __init__(self, arena: Arena, cage: BotCage, batch: Batch, tables: Sequence[int]) -> None:
        self._arena, self._cage, self._batch, self._tables = arena, cage, batch, tables
        self._loaded: dict[int, Callable[[], Work]] = {}
        self._works: dict[int, Work] = {}
        """Work by table ID."""

    def play(self, keeper: Keeper, between_moves: Callable[[Keeper], None]) -> None:
        """Play table after table until one fails or a claim is lost; the tables not begun are then handed back."""
        try:
            for claim in self._batch:
                work = self._works[claim.id] = self._load(claim.id)
                beat = keeper.heartbeat if work.urgent else partial(self._beat, keeper, between_moves)
                with bound_contextvars(table=claim.id):
                    self._batch.add(play_work(work, self._cage, beat))
        except LeaseLost:
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
        for tournament in sorted(variants):
            stages.advance(self._arena, tournament)
        for tournament, rated in sorted(variants.items()):
            fold(self._arena, rated, tournament)

    def _beat(self, keeper: Keeper, between_moves: Callable[[Keeper], None]) -> None:
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
        rules=game(variant(row.variant).game, row.options),
        boards=row.boards,
        seatings=row.seatings,
        seed=table_seed(row.seed, row.number) if row.seed else b"",
        places=places,
        urgent=row.priority > 0,
        deal=Deal.of(row.shape),
    )


def play_work(work: Work, cage: BotCage, heartbeat: Callable[[], None] = lambda: None) -> claims.TableResult:
    """Play all matches of a table. Raises `ArenaFault` and any error of `heartbeat`."""
    matches, records = [], []
    faults = [0] * len(work.places)
    kind = work.kind
    for match, (board_set, seating) in enumerate(kind.matches(work.boards)):
        sitters = [work.places[place] for place in seating]
        seeds = [bot_seed(work.seed, kind.luck(match), seat) for seat in range(len(sitters))]
        played = seat_and_play(cage, work.rules, sitters, drawer(work, board_set), seeds, heartbeat)
        matches.append(claims.PlayedMatch(pack(played.record), columns(played, sitters), cage.level))
        records.append(played.record)
        for place in {place for seat, place in enumerate(seating) if played.failures[seat]}:
            faults[place] += 1
    points = kind.half_points(records)
    return claims.TableResult(matches, points, ranks(points), faults)


def drawer(work: Work, board_set: int) -> Callable[[int], object]:
    """Return the function that draws board number `index` of a match on this set of boards."""
    seed, chosen, sets = work.seed, board_set, work.boards
    if work.deal:
        seed, chosen, sets = bytes.fromhex(work.deal.seed), work.deal.board_set, work.deal.sets
    return lambda index: work.rules.draw_board(index, set_rng(seed, index, chosen, sets))
