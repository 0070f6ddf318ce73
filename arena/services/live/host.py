"""The host: holds live tables, each played by a thread, and hands people's moves to them.

The database is the truth. A host keeps its tables by leases; one that dies is replaced as soon as they end, and the
tables go on where they were (`arena.match.again`).
"""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from typing import Any, Final, NamedTuple, Protocol

import structlog
from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import Session, selectinload
from structlog.contextvars import bound_contextvars

from arena.db.clock import now
from arena.db.models import LiveMove, LiveSeat, LiveTable
from arena.games.base import Board, Game
from arena.games.chance import bot_seed
from arena.match.again import Again, Logged
from arena.match.live import Moves, Position
from arena.match.record import pack
from arena.match.referee import Failure, Played, play
from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import Player, Setup
from arena.services.analyses import actions
from arena.services.base.context import Arena
from arena.services.base.states import LiveState, VersionState
from arena.services.base.texts import described, public_reason
from arena.services.live import clocks, league, positions
from arena.services.live.log import Log, Stopped
from arena.services.live.person import PersonPlayer
from arena.services.live.seats import names_of, stand_in
from arena.services.queue.claims import settle
from arena.services.queue.leases import AWAITED, Claim, LeaseLost
from arena.services.queue.leases import LIVE_TABLES as HELD

LEASE: Final = 6.0
"""Seconds after which another host may continue the tables of one that is silent."""
RENEW_EVERY: Final = 2.0
LOOK_EVERY: Final = 0.5
"""Seconds between two looks for tables to hold."""
FLUSH_EVERY: Final = 0.25
"""Seconds after which people see the moves of bots, though the next ones are still to come."""
QUICK: Final = 0.01
SLOW: Final = 0.25
"""Seconds between two looks for moves: while people play, and otherwise."""
OVERLAP: Final = 100
"""Number of the latest IDs that are read again: PostgreSQL may commit them out of order."""
STAND_IN_TIME: Final = 1.0
"""CPU seconds of a bot that moves for a person."""
LIVELY: Final = 30.0
"""Seconds after a person's move for which the host looks quickly."""

log: Final = structlog.get_logger()


# Built once: a busy host executes these a hundred times a second.
_MOVES: Final = (
    select(LiveMove.id, LiveMove.table_id, LiveMove.number, LiveMove.seat, LiveMove.token)
    .where(LiveMove.id > bindparam("after"))
    .order_by(LiveMove.id)
)
_FREE: Final = select(LiveTable.id).where(*HELD.available(), AWAITED).order_by(LiveTable.touched.desc()).limit(1000)
"""Tables that no host holds and people wait for, the latest touched first."""


class Place(Protocol):
    """Seats in a cage for the bots of one table; `arena.sandbox.hall.Place` implements it."""

    def player(self, source: bytes) -> Player:
        """Start a process for the next bot. Raises `ArenaFault`."""


Seating = Callable[[int], AbstractContextManager[Place]]
"""Keeps seats for a number of bots while a block runs."""


class _Seat(NamedTuple):
    name: str
    source: bytes | None
    """Source of the bot; None for a person or a program outside the arena."""


@dataclass
class _Work:
    """A table to play."""

    rules: Game
    draw: Callable[[int], Board]
    seeds: list[int]
    seats: list[_Seat]
    clock: float | None
    """Seconds that a person has for a move; None for no limit."""
    stand_in: bytes | None
    """Source of the bot that moves for people who are late; None for the first legal action, as for programs."""
    tournament: int | None
    """ID of the tournament whose table it is; None if it is no table of a tournament."""
    moves: Moves


@dataclass
class _Held:
    """A table at play in this host."""

    claim: Claim
    log: Log = field(default_factory=Log)
    stopped: Event = field(default_factory=Event)
    thread: Thread = field(init=False)
    """Plays the table, and then removes it from the host."""

    def stop(self) -> None:
        """End the thread soon: at once if it waits for a person."""
        self.stopped.set()
        self.log.stop()


class Host:
    """The live tables of one process. `seating` keeps seats for bots; `limit` is the largest number of tables."""

    def __init__(self, arena: Arena, seating: Seating, limit: int) -> None:
        self._arena, self._seating, self._limit = arena, seating, limit
        self._held: dict[int, _Held] = {}
        self._seen = 0
        """ID of the last move that was handed on. A table reads all its earlier moves when its thread starts."""
        self._stamp = ""
        self._renewed = self._looked = self._moved = 0.0

    @property
    def tables(self) -> int:
        """Number of tables at play."""
        return len(self._held)

    def run(self, stop: Event) -> None:
        """Hold tables until `stop` is set. A database that fails is tried again: what is held goes on meanwhile."""
        while not stop.is_set():
            try:
                self.tick()
            except Exception:
                log.exception("live tables: a look at the database failed")
                stop.wait(1.0)
            stop.wait(QUICK if time.monotonic() - self._moved < LIVELY else SLOW)
        self.close()

    def tick(self) -> None:
        """Hand moves on; renew leases and look for tables when it is time."""
        moment = time.monotonic()
        if moment - self._renewed > RENEW_EVERY:
            self._renew()
            self._renewed = moment
        if moment - self._looked > LOOK_EVERY:
            self._look()
            self._looked = moment
        if (stamp := self._arena.database.stamp()) != self._stamp:
            self._hand_on()
            self._stamp = stamp

    def close(self) -> None:
        """Stop all tables; another host may continue them at once."""
        held = list(self._held.values())
        for one in held:
            one.stop()
        for one in held:
            one.thread.join()

    def _renew(self) -> None:
        """Renew the leases, and stop tables that are lost or paused."""
        held = {one.claim: one for one in list(self._held.values())}
        if not held:
            return
        with self._arena.transaction() as session:
            renewed = HELD.change_all(session, list(held), AWAITED, lease_until=now() + LEASE)
        for claim, one in held.items():
            if claim not in renewed:
                one.stop()

    def _look(self) -> None:
        """Stop tables that were freed, as by an undo, and take the tables that no host holds.

        A table that was lost or given up is left to others until its thread has ended.
        """
        league.open_tables(self._arena, self._limit - len(self._held))
        with self._arena.reading() as session:
            free = session.scalars(_FREE).all()
            if not self._held:
                self._seen = session.scalar(select(func.max(LiveMove.id))) or 0
        held = dict(self._held)
        for table in held.keys() & free:
            held[table].stop()
        ids = [table for table in free if table not in held][: self._limit - len(held)]
        if ids:
            with self._arena.transaction() as session:
                claims = HELD.claim_all(session, ids, AWAITED, lease_until=now() + LEASE, resumed=now())
            for claim in claims:
                self._start(claim)

    def _start(self, claim: Claim) -> None:
        held = self._held[claim.id] = _Held(claim)
        held.thread = Thread(target=self._play, args=(held,), name=f"table {claim.id}")
        held.thread.start()

    def _hand_on(self) -> None:
        """Hand new moves that people made to the threads of their tables.

        Once moves are taken back, SQLite gives the next ones smaller IDs again.
        """
        held = dict(self._held)
        if not held:
            return
        with self._arena.reading() as session:
            rows = session.execute(_MOVES, {"after": self._seen - OVERLAP}).all()
        self._seen = rows[-1].id if rows else 0
        for row in rows:
            if row.table_id in held and held[row.table_id].log.put(row.number, Logged(row.seat, row.token)):
                self._moved = time.monotonic()

    def _play(self, held: _Held) -> None:
        """Play a table to its end, or until it is stopped. Its thread runs this."""
        with bound_contextvars(live_table=held.claim.id):
            try:
                _Table(self._arena, held, self._seating).play()
            except Exception as error:
                self._give_back(held.claim, error)
            finally:
                del self._held[held.claim.id]
                self._looked = 0.0  # it may go on here

    def _give_back(self, claim: Claim, error: Exception) -> None:
        """Let others have a table: at once, or a little later and not too often if it failed itself."""
        ended = isinstance(error, (Stopped, LeaseLost))
        if not ended:
            log.error("live table failed", exc_info=error)
        try:
            with self._arena.transaction() as session:
                if ended or (isinstance(error, DBAPIError) and error.connection_invalidated):  # the database restarts
                    HELD.change_all(session, [claim], lease_until=None, attempts=0)
                elif HELD.release(session, claim, {"state": LiveState.FAILED, "problem": public_reason(error)}):
                    league.give_up(session, claim.id, public_reason(error))
        except Exception as another:  # another host has it, or takes it when the lease ends
            log.warning("live table not released", reason=described(another))


class _Table:
    """A table at play."""

    def __init__(self, arena: Arena, held: _Held, seating: Seating) -> None:
        self._arena, self._held, self._seating = arena, held, seating
        self._flushed = time.monotonic()
        self._caught_up = False
        """Whether a person has been awaited since the start."""

    def play(self) -> None:
        """Play the match, from the start again as far as it was played, and store its result."""
        with self._arena.reading() as session:
            work = load(session, self._held.claim.id)
        for number, move in work.moves:
            self._held.log.put(number, move)
        bots = sum(seat.source is not None for seat in work.seats) + (work.stand_in is not None)
        with self._seating(bots) as place:
            played = self._played(work, place)
        self._store(work, played)
        if work.tournament is not None:
            league.follow_up(self._arena, work.tournament)

    def _played(self, work: _Work, place: Place) -> Played:
        known = positions.whole(work.moves)
        late = partial(self._move_for, work, place)
        players: list[Player] = []
        with ExitStack() as started:  # the cage stays open for other tables
            for number in range(len(work.seats)):
                players.append(self._player(work, number, known, place, late))
                started.callback(players[-1].close)
            started.pop_all()
        names = [seat.name for seat in work.seats]
        return play(work.rules, players, names, work.draw, work.seeds, heartbeat=self._beat, note=self._note)

    def _player(
        self, work: _Work, number: int, known: list[Logged], place: Place, late: Callable[[int], float]
    ) -> Player:
        seat = work.seats[number]
        if seat.source is None:
            return PersonPlayer(self._held.log, partial(self._flush, awaits=True), work.clock, late)
        own = [move for move in known if move.seat == number]
        return Again(place.player(seat.source), own) if own else place.player(seat.source)

    def _move_for(self, work: _Work, place: Place, seat: int) -> float:
        """Make the move of a person or program whose time is up, unless it has been made just now.

        Returns the seconds that are left in the bank instead if there are any. Raises `Fault` if a program at a table
        of a tournament is late once more than it may be.
        """
        with self._arena.reading() as session:
            table = session.get_one(LiveTable, self._held.claim.id)
            at = positions.position(work.rules, work.draw, positions.log_of(session, table.id))
            number, left = at.number(seat), clocks.left(session, table, at, seat, session.scalars(select(now())).one())
            since, late = clocks.asked(session, table, at), clocks.late_in_a_row(session, table, seat)
        if number is None or left:
            return left or 0.0
        if work.tournament is not None and late >= clocks.LATE - 1:
            raise Fault("timeout", KINDS["timeout"])
        token = _asked_once(place.player(work.stand_in), work, at, seat) if work.stand_in else at.legal(seat)[0]
        spent = now() - since if since else None
        with suppress(IntegrityError), self._arena.transaction() as session:
            HELD.change(session, self._held.claim, attempts=1)
            row = {"table_id": table.id, "number": number, "seat": seat, "token": token, "late": True, "spent": spent}
            session.execute(insert(LiveMove).values(row))
        with self._arena.reading() as session:
            for number, move in positions.log_of(session, table.id):
                self._held.log.put(number, move)
        return 0.0

    def _beat(self) -> None:
        if self._held.stopped.is_set():
            raise Stopped

    def _note(self, moves: Any, failures: Any) -> None:
        self._held.log.note(moves, failures)
        if time.monotonic() - self._flushed > FLUSH_EVERY:
            self._flush()

    def _flush(self, awaits: bool = False) -> None:
        """Write the moves that are new; `awaits` is whether a person is to move. Raises `LeaseLost`.

        With new moves, and once it has caught up, the table is in its first attempt again: earlier ones did not fail
        because of what comes now.
        """
        self._flushed = time.monotonic()
        moves = self._held.log.take()
        if moves or (awaits and not self._caught_up):
            with self._arena.transaction() as session:
                HELD.change(session, self._held.claim, attempts=1)
                if moves:
                    self._write(session, moves)
        self._caught_up |= awaits

    def _write(self, session: Session, moves: list[tuple[int, Logged]]) -> None:
        rows = [{"table_id": self._held.claim.id, "number": number, **move._asdict()} for number, move in moves]
        session.execute(insert(LiveMove), rows)

    def _store(self, work: _Work, played: Played) -> None:
        """Write the last moves and the result. Raises `LeaseLost`."""
        log = list(enumerate(Logged(*move) for move in played.record["moves"]))
        ended: Mapping[str, Any] = {
            "state": LiveState.FINISHED, "record": pack(played.record), "finished": now(),
            "deals": positions.position(work.rules, work.draw, log).state.finished,
        }  # fmt: skip
        with self._arena.transaction() as session:
            HELD.change(session, self._held.claim, lease_until=None, **ended)
            moves = self._held.log.take()
            if moves:
                self._write(session, moves)
            for seat, failure in enumerate(played.failures):
                _store_seat(session, self._held.claim.id, seat, played, failure)
            table = session.get_one(LiveTable, self._held.claim.id)
            if any(seat.version_id is None and not seat.program for seat in table.seats):
                actions.want_live(session, table.id, table.boards.variant)
            if table.table_id is not None:
                settle(session, table.table_id, league.WORKER, league.result_of(table, played))


def _store_seat(session: Session, table: int, seat: int, played: Played, failure: Failure | None) -> None:
    own = update(LiveSeat).where(LiveSeat.table_id == table, LiveSeat.seat == seat)
    score, rank = played.record["scores"][seat], played.record["ranks"][seat]
    session.execute(own.values(score=score, rank=rank, fault=failure.fault.kind if failure else None))


def _asked_once(bot: Player, work: _Work, at: Position, seat: int) -> str:
    """Return a legal move of a new bot for one position; the first one if the bot fails."""
    view = at.state.view(seat)
    names = [one.name for one in work.seats]
    try:
        bot.start(Setup(work.rules.id, work.rules.options, seat, names, work.seeds[seat]))
        bot.ready()
        bot.ask(view, [], STAND_IN_TIME)
        answer = bot.reply().action
    except Fault:
        answer = ""
    finally:
        bot.close()
    return answer if answer in view["legal"] else str(view["legal"][0])


def load(session: Session, table_id: int) -> _Work:
    """Load everything needed to play a table. Raises `OptionError` if its variant is not offered."""
    found = select(LiveTable).where(LiveTable.id == table_id).options(selectinload(LiveTable.seats))
    table = session.scalars(found).one()
    rules, seed, names = positions.rules_of(table.boards), table.boards.seed, names_of(table)
    return _Work(
        rules,
        positions.drawer(rules, seed),
        [bot_seed(seed, 0, seat) for seat in range(rules.players)],
        [
            _Seat(name, seat.version.source if seat.version and seat.version.state != VersionState.DECLARED else None)
            for name, seat in zip(names, table.seats, strict=True)
        ],
        table.clock,
        stand_in(session, rules.id) if table.clock and table.table is None else None,
        table.table.tournament_id if table.table else None,
        positions.log_of(session, table_id),
    )
