"""Play tables: claim them, play all matches outside any transaction, submit the results, and fold the ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session
from structlog.contextvars import bound_contextvars

from arena.db.models import Bot, Table, TableSeat, Tournament, Version
from arena.games.base import Game
from arena.games.chance import bot_seed, set_rng, table_seed
from arena.games.registry import game, variant
from arena.match.record import pack
from arena.services.base.context import Arena
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

# Built once: every table executes these statements, and building one takes longer than executing it.
_TABLE: Final = (
    select(Table.number, Table.priority, Tournament.id, Tournament.variant, Tournament.options, Tournament.boards)
    .add_columns(Tournament.seatings, Tournament.seed)
    .join(Table.tournament)
    .where(Table.id == bindparam("table"))
)
_SITTERS: Final = (
    select(Version.id, Bot.name, Version.source)
    .join(TableSeat, TableSeat.version_id == Version.id)
    .join(Bot, Bot.id == Version.bot_id)
    .where(TableSeat.table_id == bindparam("table"))
    .order_by(TableSeat.position)
)


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
    """Seed of the table."""
    places: Sequence[Sitter]
    """Bots by place."""
    urgent: bool = False
    """Whether it takes precedence over routine tables."""

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
    batch = Batch(arena, claims.claim_all(arena, table_ids, worker))
    if not batch:
        return Outcome.NOTHING
    round_ = _Round(arena, cage, batch)
    with Keeper(batch.renew, arena.settings.lease, outer=outer) as keeper:
        round_.play(keeper, between_moves)
    round_.store()
    return Outcome.FAULT if batch.failed else Outcome.LOST if batch.lost else Outcome.DONE


class _Round:
    """A batch at play."""

    def __init__(self, arena: Arena, cage: BotCage, batch: Batch) -> None:
        self._arena, self._cage, self._batch = arena, cage, batch
        self._works: dict[int, Work] = {}
        """Work by table ID."""

    def play(self, keeper: Keeper, between_moves: Callable[[Keeper], None]) -> None:
        """Play table after table until one fails or a claim is lost; the tables not begun are then handed back."""
        try:
            for claim in self._batch:
                with self._arena.reading() as session:
                    work = self._works[claim.id] = load(session, claim.id)
                beat = keeper.heartbeat if work.urgent else partial(self._beat, keeper, between_moves)
                with bound_contextvars(table=claim.id):
                    self._batch.add(play_work(work, self._cage, beat))
        except LeaseLost:
            self._batch.abandon()
        except Exception as error:
            self._batch.hand_back()
            self._batch.fail(error)

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
    return work_at(session, table_id, [Sitter(*sitter) for sitter in session.execute(_SITTERS, {"table": table_id})])


def work_at(session: Session, table_id: int, places: Sequence[Sitter]) -> Work:
    """Return the work of a table with these bots by place. Raises `OptionError` if its variant is not offered."""
    number, priority, tournament, variant_id, options, boards, seatings, seed = session.execute(
        _TABLE, {"table": table_id}
    ).one()
    return Work(
        tournament=tournament,
        variant=variant_id,
        rules=game(variant(variant_id).game, options),
        boards=boards,
        seatings=seatings,
        seed=table_seed(seed, number),
        places=places,
        urgent=priority > 0,
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
    return lambda index: work.rules.draw_board(index, set_rng(work.seed, index, board_set, work.boards))
