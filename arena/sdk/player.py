"""The interface between the referee and a seat: a caged bot or a bot in this process."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Setup(NamedTuple):
    """Information that a seat gets before the first deal."""

    game: str
    options: Mapping[str, Any]
    seat: int
    seats: Sequence[str]
    """Names by seat."""
    seed: int
    """Seed of the bot's own generator, below 2**53."""


class Reply(NamedTuple):
    """An answer and its cost in seconds."""

    action: str
    cpu: float
    """CPU time from the request to the reply."""
    wall: float
    """Real time from the request to the reply."""
    slept: float = 0.0
    """Real time that the bot slept by its own choice."""
    note: Mapping[str, Any] | None = None
    """What an arena stores beside a move at a live table; None for nothing."""


class SeatReport(NamedTuple):
    """A player's resources and output in a match, for its owner."""

    output: str
    """Printed text, up to the limit."""
    cpu: float
    """Total CPU time in seconds."""
    memory: int
    """Peak resident memory in bytes."""
    printed: Sequence[int] = ()
    """Length of the output at each answer, in characters; empty if not known."""


class Player(Protocol):
    """One seat of one match. All but `close` raise `Fault` if the bot fails and `ArenaFault` if the arena does."""

    @property
    def wants_events(self) -> bool:
        """Whether the bot has an `on_event`; known after `ready`."""

    @property
    def wants_forced(self) -> bool:
        """Whether the bot is asked for forced moves as well; known after `ready`."""

    def start(self, setup: Setup) -> None:
        """Begin loading. Does not wait."""

    def ready(self) -> None:
        """Wait until the bot is loaded and its `on_start` has returned."""

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Send a request. Does not wait. `time_left` is the CPU time in seconds that the answer may cost."""

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Wait for the answer to the last `ask`. `watch` is called every few milliseconds meanwhile and may raise."""

    def computed(self) -> float:
        """Return the CPU seconds since the last request or, after the reply, since the reply (out of turn)."""

    def slept(self) -> float:
        """Return the seconds that it has slept by its own choice since it was asked."""

    def spent(self) -> float:
        """Return the seconds that it has computed and slept in total, including loading; 0 until it is ready."""

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Send the last events and the result. Does not wait. A failure of the bot here is not a fault."""

    def ended(self) -> None:
        """Wait until its `on_end` has returned or has used up its time."""

    def close(self) -> SeatReport:
        """End it in any state. Never raises `Fault`."""


class Quiet:
    """Base of players without a program, which hear nothing and cost no time."""

    wants_events = False
    wants_forced = False

    def start(self, setup: Setup) -> None:
        pass

    def ready(self) -> None:
        pass

    def computed(self) -> float:
        return 0.0

    def slept(self) -> float:
        return 0.0

    def spent(self) -> float:
        return 0.0

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        pass

    def ended(self) -> None:
        pass

    def close(self) -> SeatReport:
        return SeatReport("", 0.0, 0)
