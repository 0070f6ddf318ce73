"""The referee: seats players at a game, asks them in turn, and writes the record.

A bot that fails loses its seat to the arena, which plays it to the end with the first legal action; the match is always
finished. A failure of the machinery (`ArenaFault`) ends the match without a result: it is played again, nobody pays.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from arena.games.base import CHANCE, OVER, Board, Game
from arena.games.events import Event
from arena.match.clock import Clock, ClockRule, clock_of
from arena.match.record import build
from arena.match.replay import results
from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import Player, Report, Setup


class Failure(NamedTuple):
    """What only the owner of a bot that failed may read."""

    fault: Fault
    move: int
    """The index of the move that the bot did not make."""
    view: dict[str, Any] | None
    """The view as it was sent; None where the bot failed before it was asked for anything."""


class Judged(Exception):
    """A seat failed on which the match was played to pass judgement; it was not played on."""

    def __init__(self, fault: Fault, move: int | None, view: dict[str, Any] | None, report: Report) -> None:
        super().__init__(str(fault))
        self.fault = fault
        self.move = move
        """The index of the move for which it had been asked; None where it failed before the first."""
        self.view = view
        """What it had been sent then."""
        self.report = report


class Played(NamedTuple):
    """A finished match: the record, and beside it, by seat, what was measured."""

    record: dict[str, Any]
    failures: list[Failure | None]
    reports: list[Report]
    times: list[list[float]]
    """CPU seconds of each answer."""


def play(
    game: Game,
    players: Sequence[Player],
    names: Sequence[str],
    draw: Callable[[int], Board],
    seeds: Sequence[int],
    clock: ClockRule | None = None,
    heartbeat: Callable[[], None] = lambda: None,
    judged: Collection[int] = (),
) -> Played:
    """Play one match. All players are closed at the end, however it ends.

    `draw` gives the board of an index; `seeds` are the bots' own, by seat; `heartbeat` is called between moves and may
    raise to abandon the match; the first failure of one of the seats `judged` ends it. Without a `clock` it is that of
    the game's variant. Raises ArenaFault and Judged.
    """
    rule = clock or clock_of(game)
    seats = [_Seat(player, rule, number in judged) for number, player in enumerate(players)]
    try:
        record = _Match(game, seats, names, draw, heartbeat).run(seeds)
    finally:
        for seat in seats:
            seat.close()
    return Played(
        record,
        [seat.failure for seat in seats],
        [seat.report for seat in seats if seat.report],
        [seat.clock.times for seat in seats],
    )


class _Seat:
    """A player, its clock, and how far it has been told what happened."""

    def __init__(self, player: Player, rule: ClockRule, judged: bool) -> None:
        self.player = player
        self.clock = Clock(rule)
        self.judged = judged
        self.told = 0
        self.move: int | None = None
        self.view: dict[str, Any] | None = None
        self.fault: Fault | None = None
        self.failure: Failure | None = None
        self.report: Report | None = None
        self.asked = False

    def fail(self, fault: Fault) -> None:
        self.fault = fault
        report = self.close()
        if self.judged:
            raise Judged(fault, self.move, self.view, report)

    def close(self) -> Report:
        if self.report is None:
            self.report = self.player.close()
        return self.report


class _Match:
    def __init__(
        self,
        game: Game,
        seats: list[_Seat],
        names: Sequence[str],
        draw: Callable[[int], Board],
        heartbeat: Callable[[], None],
    ) -> None:
        self.game = game
        self.seats = seats
        self.names = names
        self.draw = draw
        self.heartbeat = heartbeat
        self.events: list[Event] = []
        self.boards: list[dict[str, Any]] = []
        self.moves: list[tuple[int, str]] = []

    def run(self, seeds: Sequence[int]) -> dict[str, Any]:
        self._start(seeds)
        listening = any(seat.player.wants_events for seat in self.seats)
        self.state = self.game.start(self.events if listening else None)
        while self.state.seat != OVER:
            self.heartbeat()
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

    def _deal(self) -> None:
        board = self.draw(self.state.boards)
        self.boards.append(self.game.board_to_json(board))
        self.state.deal(board)

    def _step(self) -> None:
        """One step: every actor is asked before any answer is awaited, and the answers are applied by seat."""
        actors = self.state.actors()
        legal = {number: self.state.legal(number) for number in actors}
        for move, number in enumerate(actors, len(self.moves)):
            if len(legal[number]) > 1 and not self.seats[number].fault:
                self._ask(number, move)
        chosen = [self._choice(number, legal[number]) for number in actors]
        for number, action in zip(actors, chosen, strict=True):
            self._note_failure(number)
            self.moves.append((number, self.game.token(action)))
            self.state.apply(action)

    def _ask(self, number: int, move: int) -> None:
        seat = self.seats[number]
        try:
            time_left = seat.clock.begin(seat.player.computed())
            seat.move, seat.view = move, self.state.view(number)
            seat.player.ask(seat.view, self._news(number), time_left)
            seat.asked = True
        except Fault as fault:
            seat.fail(fault)

    def _news(self, number: int) -> list[dict[str, Any]]:
        """The events since this seat was last told, as far as it may know them."""
        seat = self.seats[number]
        news = [event.for_seat(number) for event in self.events[seat.told :]] if seat.player.wants_events else []
        seat.told = len(self.events)
        return news

    def _choice(self, number: int, legal: Sequence[int]) -> int:
        seat = self.seats[number]
        if len(legal) == 1 or seat.fault:
            return legal[0]
        try:
            seat.asked = False
            reply = seat.player.reply(lambda: self._watch(seat))
            seat.clock.charge(reply.cpu)
            return self._legal_action(reply.action, legal)
        except Fault as fault:
            seat.fail(fault)
            return legal[0]

    def _watch(self, awaited: _Seat) -> None:
        """While one seat is awaited, see to it that no other computes more than it may."""
        for seat in self.seats:
            if seat is not awaited and not seat.fault:
                try:
                    seat.clock.look(seat.player.computed(), seat.asked)
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
        for number, seat in enumerate(self.seats):
            if not seat.fault:
                seat.player.end(self._news(number), end["scores"], end["ranks"])
        faults = [_public(number, failure) for number, failure in faulted]
        return build(self.game, self.names, self.boards, self.moves, faults, end)


def _public(seat: int, failure: Failure) -> dict[str, Any]:
    """The fault as the record has it: nothing measured, nothing private."""
    kind = failure.fault.kind
    return {"seat": seat, "move": failure.move, "kind": kind, "detail": KINDS[kind]}
