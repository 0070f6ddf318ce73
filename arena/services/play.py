"""Play a table: claim it, play every seating outside any transaction, hand in the result, fold the ratings."""

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
from arena.games.errors import ArenaFault
from arena.games.registry import game, variant
from arena.match.record import pack
from arena.services import queue, stages
from arena.services.context import Arena
from arena.services.fold import fold
from arena.services.lease import Keeper, LeaseLost
from arena.services.seating import Cage, Sitter, columns, seat_and_play
from arena.services.texts import reason
from arena.tournament.standings import ranks
from arena.tournament.tables import Kind, kind_of

log: Final = structlog.get_logger()


@dataclass(frozen=True)
class Work:
    """What is needed to play a table."""

    tournament: int
    variant: str
    rules: Game
    boards: int
    """Sets of boards; each is played under every seating."""
    seatings: str
    """Which seatings those are."""
    seed: bytes
    """The table's."""
    places: Sequence[Sitter]
    urgent: bool = False

    @property
    def kind(self) -> Kind:
        """How the table is played and counted."""
        return kind_of(self.rules.teams, len(self.places), self.seatings)


def play_table(
    arena: Arena,
    table_id: int,
    cage: Cage,
    worker: str,
    meanwhile: Callable[[Keeper], None] = lambda _: None,
    outer: Keeper | None = None,
) -> str:
    """Play a table, if it is to be had. What came of it: ``done``, ``nothing``, ``lost`` or ``fault``.

    `meanwhile` is called between the moves of a table that is not urgent (see `arena.services.urgent`); `outer` keeps
    the lease of work in the middle of which this is done.
    """
    claim = queue.claim(arena, table_id, worker)
    if claim is None:
        return "nothing"
    try:
        with arena.reading() as session:
            work = load(session, table_id)
        with Keeper(lambda: queue.renew(arena, claim), arena.settings.lease, outer=outer) as keeper:
            result = play_work(work, cage, keeper.heartbeat if work.urgent else partial(_beat, keeper, meanwhile))
        queue.submit(arena, claim, result)
    except LeaseLost:
        return "lost"
    except ArenaFault as fault:
        return _give_back(arena, claim, reason(fault))
    except Exception as error:
        _give_back(arena, claim, reason(error))
        raise
    stages.advance(arena, work.tournament)
    fold(arena, work.variant, pace=0)
    return "done"


def load(session: Session, table_id: int) -> Work:
    """What is needed to play the table of that id."""
    table = session.get_one(Table, table_id, options=[joinedload(Table.tournament)])
    sitters = session.execute(
        select(Version.id, Bot.name, Version.source)
        .join(TableSeat, TableSeat.version_id == Version.id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(TableSeat.table_id == table_id)
        .order_by(TableSeat.position)
    )
    tournament = table.tournament
    return Work(
        tournament=tournament.id,
        variant=tournament.variant,
        rules=game(variant(tournament.variant).game, tournament.options),
        boards=tournament.boards,
        seatings=tournament.seatings,
        seed=table_seed(tournament.seed, table.number),
        places=[Sitter(*sitter) for sitter in sitters],
        urgent=table.priority > 0,
    )


def play_work(work: Work, cage: Cage, heartbeat: Callable[[], None] = lambda: None) -> queue.TableResult:
    """Play all matches of a table. Raises ArenaFault, and what `heartbeat` raises."""
    matches, records = [], []
    faults = [0] * len(work.places)
    for match, (board_set, seating) in enumerate(work.kind.matches(work.boards)):
        sitters = [work.places[place] for place in seating]
        seeds = [bot_seed(work.seed, match, seat) for seat in range(len(sitters))]
        played = seat_and_play(cage, work.rules, sitters, drawer(work, board_set), seeds, heartbeat)
        matches.append(queue.PlayedMatch(pack(played.record), columns(played, sitters), cage.level))
        records.append(played.record)
        for place in {place for seat, place in enumerate(seating) if played.failures[seat]}:
            faults[place] += 1
    points = work.kind.half_points(records)
    return queue.TableResult(matches, points, ranks(points), faults)


def drawer(work: Work, board_set: int) -> Callable[[int], object]:
    """Draws the boards of one set: the sets of a table take turns at the table's boards."""
    return lambda index: work.rules.draw_board(index, set_rng(work.seed, index, board_set, work.boards))


def _beat(keeper: Keeper, meanwhile: Callable[[Keeper], None]) -> None:
    keeper.heartbeat()
    meanwhile(keeper)


def _give_back(arena: Arena, claim: queue.Claim, why: str) -> str:
    log.warning("table not played", table=claim.table, attempt=claim.fence, reason=why)
    try:
        queue.give_back(arena, claim, why)
    except LeaseLost:
        return "lost"
    return "fault"
