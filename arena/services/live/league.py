"""Tables of tournaments in the open divisions: the host plays them as live tables, and stores their results.

Boards are played once, because a program outside the arena has a memory. If one such program sits at a table, house
bots play its boards in its seat, as they do for people.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from sqlalchemy import exists, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from arena.db.clock import now
from arena.db.models import LiveBoards, LiveField, LiveSeat, LiveTable, Presence, Table, TableSeat, Tournament, Version
from arena.games.chance import commitment, table_seed
from arena.games.divisions import division_of
from arena.games.registry import rules_of
from arena.match.record import pack
from arena.match.referee import Played
from arena.services.base.context import Arena
from arena.services.base.states import UNSETTLED, LiveState, TableState, TournamentState, VersionState
from arena.services.formats.presence import ready
from arena.services.live import seats
from arena.services.play.seats import Sitter, columns
from arena.services.play.table import PlayedMatch, TableResult
from arena.services.queue import claims
from arena.services.ratings.fold import fold
from arena.services.tournaments import stages
from arena.tournament.tables import kind_of

WORKER: Final = "live"
"""Name of the worker in the attempts at these tables."""
CANCELLED: Final = (
    LiveTable.state == LiveState.PLAYING,
    exists().where(Table.id == LiveTable.table_id, Table.state.not_in(UNSETTLED)),
)
"""Conditions of a live table whose table was cancelled."""
LOOKED_AT: Final = 200
"""Number of waiting tables that a host looks at to find some that can be played."""
_SEATS: Final = selectinload(Table.seats).joinedload(TableSeat.version).load_only(Version.bot_id, Version.state)
FIELD: Final = 3
"""Largest number of bots that play a program's boards: workers have other things to do."""


def open_tables(arena: Arena, most: int) -> None:
    """Open live tables for up to `most` waiting tables, unless another host does at the same moment.

    A program sits at no more tables than it offers; while it is away, its tables are played one after another.
    """
    waiting = (
        select(Table)
        .join(Table.tournament)
        .where(Tournament.outside, Tournament.state == TournamentState.RUNNING, Table.state == TableState.QUEUED)
        .where(~exists().where(LiveTable.table_id == Table.id))
        .order_by(Table.id)
    )
    with arena.reading() as session:
        found = session.scalars(waiting.options(_SEATS).limit(LOOKED_AT)).all()
        ids = list(islice(_seatable(session, found), most)) if found else []
    if not ids:
        return
    try:
        with arena.transaction() as session:
            for table in session.scalars(waiting.where(Table.id.in_(ids))):
                session.add(_live(session, table))
    except IntegrityError:
        return


def _seatable(session: Session, tables: Sequence[Table]) -> Iterator[int]:
    """Yield the IDs of those of these tables for which all programs have room."""
    offered = {one.bot_id: one.tables for one in session.scalars(select(Presence).where(ready()))}
    at_play = (LiveTable.state == LiveState.PLAYING, LiveTable.table_id.is_not(None))
    seated = select(Version.bot_id).select_from(LiveSeat).join(LiveSeat.version).join(LiveSeat.table).where(*at_play)
    sitting = Counter(session.scalars(seated.where(Version.state == VersionState.DECLARED)))
    for table in tables:
        bots = [one.version.bot_id for one in table.seats if one.version.state == VersionState.DECLARED]
        if all(sitting[bot] < offered.get(bot, 1) for bot in bots):
            sitting.update(bots)
            yield table.id


def _live(session: Session, table: Table) -> LiveTable:
    tournament, division = table.tournament, division_of(table.tournament.variant)
    seed = table_seed(tournament.seed, table.number)
    caged = [None if one.version.state == VersionState.DECLARED else one.version_id for one in table.seats]
    boards = LiveBoards(
        variant=tournament.variant, options=tournament.options, seed=seed, commitment=commitment(seed), bots=caged
    )
    if caged.count(None) == 1:
        game, others = rules_of(tournament.variant).id, [one for one in caged if one is not None]
        boards.field = [LiveField(version_id=one) for one in seats.field_of(session, game, others)[:FIELD]]
    opened = LiveTable(code=seats.new_code(), boards=boards, table_id=table.id)
    if division:
        opened.clock, opened.bank = division.move, division.bank
    opened.seats = [LiveSeat(seat=seat, version_id=one.version_id) for seat, one in enumerate(table.seats)]
    return opened


def result_of(table: LiveTable, played: Played) -> TableResult:
    """Return the result of a live table as that of a table of its tournament."""
    rules = rules_of(table.boards.variant)
    names = [seat["name"] for seat in played.record["seats"]]
    sitters = [Sitter(seat.version_id or 0, name, b"") for seat, name in zip(table.seats, names, strict=True)]
    match = PlayedMatch(pack(played.record), columns(played, sitters), None)
    ranked = kind_of(rules.teams, len(sitters), "single").result([played.record])
    return TableResult([match], *map(list, zip(*ranked, strict=True)))


def give_up(session: Session, live_table: int, reason: str) -> None:
    """Give up the table of a tournament whose live table the arena could not play."""
    table = session.scalar(select(LiveTable.table_id).where(LiveTable.id == live_table))
    if table is not None:
        claims.give_up(session, table, WORKER, reason)


def follow_up(arena: Arena, tournament: int) -> None:
    """Do what follows from a result in a tournament."""
    stages.advance(arena, tournament)
    with arena.reading() as session:
        variant = session.get_one(Tournament, tournament).variant
    fold(arena, variant, tournament)


def close_cancelled(session: Session) -> None:
    """End live tables whose table of a tournament was cancelled."""
    ended: dict[str, Any] = {"lease_until": None, "fence": LiveTable.fence + 1, "finished": now()}
    session.execute(update(LiveTable).where(*CANCELLED).values(state=LiveState.ABANDONED, **ended))
