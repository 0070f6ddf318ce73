"""The referee: seats players at a game, asks them in turn, and writes the record.

When a bot fails, the arena takes over its seat and plays the first legal action until the end, so every match is
finished. A failure of the machinery (`ArenaFault`) ends the match without a result; it is replayed, and no bot is
charged for it.

A bot is not asked for forced moves unless it declares `ask_forced`.
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

from arena.games.base import CHANCE, OVER, Board, ClockRule, Game
from arena.games.events import Event
from arena.match.clock import Clock, clock_of
from arena.match.record import build
from arena.match.replay import results
from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import Player, SeatReport, Setup

BEAT_EVERY: Final = 1.0
"""Seconds between two heartbeats while a bot thinks."""


class Failure(NamedTuple):
    """Details of a failure that only the owner of the bot may read."""

    fault: Fault
    move: int
    """Index of the move that the bot did not make."""
    view: dict[str, Any] | None
    """The view as sent; None if the bot failed before it was asked for anything."""


class Judged(Exception):
    """Raised on the first failure of a judged seat; the match is not continued."""

    def __init__(self, fault: Fault, move: int | None, view: dict[str, Any] | None, report: SeatReport) -> None:
        super().__init__(str(fault))
        self.fault = fault
        self.move = move
        """Index of the move that the seat was asked for; None if it failed before its first move."""
        self.view = view
        """The view that the seat was last sent; None if it failed before its first move."""
        self.report = report


Note = Callable[[Sequence[tuple[int, str]], Sequence[Failure | None]], None]
"""Receives the moves of a step, as seats and tokens, and the failures of all seats so far, by seat."""


class Played(NamedTuple):
    """A finished match: the record and, by seat, the measurements."""

    record: dict[str, Any]
    failures: list[Failure | None]
    reports: list[SeatReport]
    times: list[list[float]]
    """CPU seconds of each answer."""
    answered: list[list[int]]
    """Index of the move that each answer was for."""
    walls: list[float]
    """Real time of all answers together, in seconds."""
    ready_at: float
    """Time at which all bots were ready, by the monotonic clock in seconds."""


def play(
    game: Game,
    players: Sequence[Player],
    names: Sequence[str],
    draw: Callable[[int], Board],
    seeds: Sequence[int],
    clock: ClockRule | None = None,
    heartbeat: Callable[[], None] = lambda: None,
    judged: Collection[int] = (),
    note: Note = lambda moves, failures: None,
) -> Played:
    """Play one match, and close all players when it ends, including by an exception.

    `draw` returns the board of an index. `seeds` are the seeds of the bots, by seat. `heartbeat` is called between
    moves, and every second while a bot thinks; it may raise to abandon the match. The first failure of one of the
    seats in `judged` ends the match. `clock` defaults to the rule of the game's variant. `note` is called after each
    step, and may raise as `heartbeat` may.

    Raises `ArenaFault` if the machinery fails, and `Judged`.
    """
    rule = clock or clock_of(game)
    seats = [_Seat(player, rule, number in judged) for number, player in enumerate(players)]
    match = _Match(game, seats, names, draw, heartbeat, note)
    try:
        record = match.run(seeds)
    finally:
        for seat in seats:
            seat.close()
    return Played(
        record,
        [seat.failure for seat in seats],
        [seat.report for seat in seats if seat.report],
        [seat.clock.times for seat in seats],
        [seat.answered for seat in seats],
        [seat.clock.wall for seat in seats],
        match.ready_at,
    )


class _Seat:
    """A player, its clock, and the number of events delivered to it."""

    def __init__(self, player: Player, rule: ClockRule, judged: bool) -> None:
        self.player = player
        self.clock = Clock(rule)
        self.judged = judged
        self.delivered = 0
        self.move: int | None = None
        self.view: dict[str, Any] | None = None
        self.fault: Fault | None = None
        self.failure: Failure | None = None
        self.report: SeatReport | None = None
        self.asked = False
        self.answered: list[int] = []
        self.asked_at = 0.0

    def fail(self, fault: Fault) -> None:
        self.fault = fault
        report = self.close()
        if self.judged:
            raise Judged(fault, self.move, self.view, report)

    def close(self) -> SeatReport:
        if self.report is None:
            self.report = self.player.close()
        return self.report


@dataclass(eq=False)
class _Match:
    game: Game
    seats: list[_Seat]
    names: Sequence[str]
    draw: Callable[[int], Board]
    heartbeat: Callable[[], None]
    note: Note
    events: list[Event] = field(default_factory=list)
    boards: list[dict[str, Any]] = field(default_factory=list)
    moves: list[tuple[int, str]] = field(default_factory=list)
    beaten: float = 0.0
    """Time of the last heartbeat by the monotonic clock, in seconds."""

    def run(self, seeds: Sequence[int]) -> dict[str, Any]:
        self._start(seeds)
        self.ready_at = time.monotonic()
        listening = any(seat.player.wants_events for seat in self.seats)
        self.state = self.game.start(self.events if listening else None)
        while self.state.seat != OVER:
            self._beat()
            if self.state.seat == CHANCE:
                self._deal()
            else:
                self._step()
        return self._finish()

    def _start(self, seeds: Sequence[int]) -> None:
        for number, seat in enumerate(self.seats):
            seat.player.start(Setup(self.game.id, self.game.options, number, self.names, seeds[number]))
        for seat in self.seats:
            try:
                seat.player.ready()
            except Fault as fault:
                seat.fail(fault)
            self._beat()

    def _beat(self) -> None:
        self.heartbeat()
        self.beaten = time.monotonic()

    def _deal(self) -> None:
        board = self.draw(self.state.boards)
        self.boards.append(self.game.board_to_json(board))
        self.state.deal(board)

    def _step(self) -> None:
        """Play one step: ask every actor before awaiting any answer, then apply the answers in seat order."""
        actors = self.state.actors()
        legal = {number: self.state.legal(number) for number in actors}
        for move, number in enumerate(actors, len(self.moves)):
            seat, forced = self.seats[number], len(legal[number]) == 1
            if not seat.fault and (not forced or seat.player.wants_forced):
                self._ask(number, move, forced)
        chosen = [self._choice(number, legal[number]) for number in actors]
        for number, action in zip(actors, chosen, strict=True):
            self._note_failure(number)
            self.moves.append((number, self.game.token(action)))
            self.state.apply(action)
        self.note(self.moves[-len(actors) :], [seat.failure for seat in self.seats])

    def _ask(self, number: int, move: int, forced: bool) -> None:
        seat = self.seats[number]
        try:
            time_left = seat.clock.begin(seat.player.computed(), forced)
            seat.move, seat.view = move, self.state.view(number)
            seat.asked_at = time.monotonic()
            seat.player.ask(seat.view, self._new_events(number), time_left)
            seat.asked = True
        except Fault as fault:
            seat.fail(fault)

    def _new_events(self, number: int) -> list[dict[str, Any]]:
        """Return the events since the last delivery to this seat, as far as the seat may see them."""
        seat = self.seats[number]
        events = [event.for_seat(number) for event in self.events[seat.delivered :]] if seat.player.wants_events else []
        seat.delivered = len(self.events)
        return events

    def _choice(self, number: int, legal: Sequence[int]) -> int:
        seat = self.seats[number]
        if not seat.asked or seat.fault:
            return legal[0]
        try:
            seat.asked = False
            reply = seat.player.reply(lambda: self._watch(seat))
            seat.answered.append(cast("int", seat.move))
            seat.clock.charge(reply.cpu, reply.slept, reply.wall)
            return self._legal_action(reply.action, legal)
        except Fault as fault:
            seat.clock.wall += time.monotonic() - seat.asked_at
            seat.fail(fault)
            return legal[0]

    def _watch(self, awaited: _Seat) -> None:
        """Stop the awaited seat if it sleeps too long, and the other seats if they use too much CPU time meanwhile.

        Send a heartbeat if the awaited seat thinks for long.
        """
        if time.monotonic() - self.beaten > BEAT_EVERY:
            self._beat()
        awaited.clock.check_sleep(awaited.player.slept())
        for seat in self.seats:
            if seat is not awaited and not seat.fault:
                try:
                    seat.clock.check_computing(seat.player.computed(), seat.asked)
                except Fault as fault:
                    seat.fail(fault)

    def _legal_action(self, token: str, legal: Sequence[int]) -> int:
        for action in legal:
            if self.game.token(action) == token:
                return action
        allowed = " ".join(map(self.game.token, legal))
        raise Fault("illegal", f"act returned {token[:80]!r}; legal were {allowed}")

    def _note_failure(self, number: int) -> None:
        seat = self.seats[number]
        if seat.fault and not seat.failure:
            seat.failure = Failure(seat.fault, len(self.moves), seat.view)

    def _finish(self) -> dict[str, Any]:
        faulted = [(number, seat.failure) for number, seat in enumerate(self.seats) if seat.failure]
        end = results(self.state, [number for number, _ in faulted])
        self._announce_result(end["scores"], end["ranks"])
        faults = [_public(number, failure) for number, failure in faulted]
        return build(self.game, self.names, self.boards, self.moves, faults, end)

    def _announce_result(self, scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Send the result to all seats before awaiting any, so that four sleeping bots take no longer than one."""
        for number, seat in enumerate(self.seats):
            if not seat.fault:
                seat.player.end(self._new_events(number), scores, ranks)
        for seat in self.seats:
            if not seat.fault:
                seat.player.ended()


def _public(seat: int, failure: Failure) -> dict[str, Any]:
    """Return the fault as it appears in the record, without measurements or private details."""
    kind = failure.fault.kind
    return {"seat": seat, "move": failure.move, "kind": kind, "detail": KINDS[kind]}
