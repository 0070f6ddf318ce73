"""Players for the referee's tests, without bots and without processes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from arena.games.base import Board, ClockRule, Game
from arena.games.chance import board_rng
from arena.match.referee import Played, play
from arena.sdk.faults import Fault
from arena.sdk.player import Reply, SeatReport, Setup

Answer = Callable[[Mapping[str, Any]], str]


def last(view: Mapping[str, Any]) -> str:
    """Return the last legal action."""
    return view["legal"][-1]  # type: ignore[no-any-return]


class Scripted:
    """Player that answers each view by a function, at a given cost, and remembers the messages it received."""

    def __init__(
        self,
        answer: Answer = last,
        *,
        cpu: float = 0.001,
        off_turn: float = 0.0,
        sleeps: float = 0.0,
        listens: bool = False,
        wants_forced: bool = False,
    ) -> None:
        self.answer = answer
        self.cpu = cpu
        self.off_turn = off_turn
        self.sleeps = sleeps
        self.wants_events = listens
        self.wants_forced = wants_forced
        self.views: list[Mapping[str, Any]] = []
        self.events: list[Mapping[str, Any]] = []
        self.limits: list[float] = []
        self.setup: Setup | None = None
        self.result: tuple[Sequence[int], Sequence[int]] | None = None
        self.waited_for = False
        self.closed = 0
        self.asked = False
        self.thinking = 0.0
        """CPU seconds used so far for an answer while another seat is awaited."""

    def start(self, setup: Setup) -> None:
        self.setup = setup

    def ready(self) -> None:
        pass

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        assert len(view["legal"]) > 1 or self.wants_forced, "a forced move was asked for"
        self.views.append(view)
        self.events += events
        self.limits.append(time_left)
        self.asked = True

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        action = self.answer(self.views[-1])
        self.asked = False
        watch()
        return Reply(action, self.cpu, self.cpu + self.sleeps, self.sleeps)

    def computed(self) -> float:
        return self.thinking if self.asked else self.off_turn

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        self.events += events
        self.result = (scores, ranks)

    def ended(self) -> None:
        self.waited_for = True

    def slept(self) -> float:
        return self.sleeps

    def spent(self) -> float:
        return (self.cpu + self.sleeps) * len(self.views)

    def close(self) -> SeatReport:
        self.closed += 1
        return SeatReport("", self.cpu, 0)


def failing(kind: str, at: int) -> Answer:
    """Return an answer function that fails with this verdict from the `at`-th question on (from 0)."""
    asked = iter(range(10**6))

    def answer(view: Mapping[str, Any]) -> str:
        if next(asked) >= at:
            raise Fault(kind, "as the script says")
        return last(view)

    return answer


def played(
    rules: Game,
    players: Sequence[Scripted],
    clock: ClockRule | None = None,
    heartbeat: Callable[[], None] = lambda: None,
    judged: Collection[int] = (),
) -> Played:
    """Play a match on the boards of a fixed seed."""

    def draw(index: int) -> Board:
        return rules.draw_board(index, board_rng(bytes(32), index))

    names = [f"bot{seat}" for seat in range(rules.players)]
    return play(rules, players, names, draw, list(range(rules.players)), clock, heartbeat, judged)
