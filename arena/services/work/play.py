"""Play a table: claim it, play all matches outside any transaction, submit the result, and fold the ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Bot, Table, TableSeat, Version
from arena.games.base import Game
from arena.games.chance import bot_seed, set_rng, table_seed
from arena.games.registry import game, variant
from arena.match.record import pack
from arena.services.base.context import Arena
from arena.services.base.texts import log_fields, public_reason
from arena.services.queue import claims
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import TABLES, Claim, LeaseLost
from arena.services.ratings.fold import fold
from arena.services.tournaments import stages
from arena.services.work.outcomes import Outcome
from arena.services.work.seats import BotCage, Sitter, columns, seat_and_play
from arena.tournament.standings import ranks
from arena.tournament.tables import Kind, kind_of

log: Final = structlog.get_logger()


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
    """Play a table if it can be claimed.

    `between_moves` is called between the moves of a routine table, with its keeper (see `arena.services.work.urgent`).
    If this interrupts other work, `outer` is the keeper of that work.
    """
    claim = claims.claim(arena, table_id, worker)
    if claim is None:
        return Outcome.NOTHING
    try:
        with arena.reading() as session:
            work = load(session, table_id)
        with Keeper(lambda: TABLES.renew(arena, claim), arena.settings.lease, outer=outer) as keeper:
            result = play_work(work, cage, keeper.heartbeat if work.urgent else partial(_beat, keeper, between_moves))
        claims.submit(arena, claim, result)
    except LeaseLost:
        return Outcome.LOST
    except Exception as error:
        return _give_back(arena, claim, error)
    stages.advance(arena, work.tournament)
    fold(arena, work.variant, pace=0)
    return Outcome.DONE


def load(session: Session, table_id: int) -> Work:
    """Load everything needed to play the table with this ID."""
    table = session.get_one(Table, table_id, options=[joinedload(Table.tournament)])
    sitters = session.execute(
        select(Version.id, Bot.name, Version.source)
        .join(TableSeat, TableSeat.version_id == Version.id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(TableSeat.table_id == table_id)
        .order_by(TableSeat.position)
    )
    return work_at(table, [Sitter(*sitter) for sitter in sitters])


def work_at(table: Table, places: Sequence[Sitter]) -> Work:
    """Return the work of a table with these bots by place. Raises `OptionError` if its variant is not offered."""
    tournament = table.tournament
    return Work(
        tournament=tournament.id,
        variant=tournament.variant,
        rules=game(variant(tournament.variant).game, tournament.options),
        boards=tournament.boards,
        seatings=tournament.seatings,
        seed=table_seed(tournament.seed, table.number),
        places=places,
        urgent=table.priority > 0,
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


def _beat(keeper: Keeper, between_moves: Callable[[Keeper], None]) -> None:
    keeper.heartbeat()
    between_moves(keeper)


def _give_back(arena: Arena, claim: Claim, error: Exception) -> Outcome:
    try:
        claims.give_back(arena, claim, public_reason(error))
    except LeaseLost:
        return Outcome.LOST
    finally:
        log.warning("table not played", table=claim.id, attempt=claim.fence, **log_fields(error))
    return Outcome.FAULT
