"""What the referee asks of whoever sits in a seat: a caged bot, a bot in this process, one day a person."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Setup(NamedTuple):
    """What a seat is told before the first deal."""

    game: str
    options: Mapping[str, Any]
    seat: int
    seats: Sequence[str]
    """Names by seat."""
    seed: int
    """For the bot's own generator, below 2**53."""


class Reply(NamedTuple):
    """An answer, and what it cost in seconds."""

    action: str
    cpu: float
    """CPU time from the request to the reply."""
    wall: float


class Report(NamedTuple):
    """What is known of a player after the match, for its owner."""

    output: str
    """What it printed, at most the limit."""
    cpu: float
    """All CPU time in seconds."""
    memory: int
    """Peak resident memory in bytes."""


class Player(Protocol):
    """One seat of one match. All but `close` raise `Fault` where the bot failed, and `ArenaFault` where we did."""

    @property
    def wants_events(self) -> bool:
        """Whether the bot has an `on_event`; known after `ready`."""

    def start(self, setup: Setup) -> None:
        """Begin loading; does not wait."""

    def ready(self) -> None:
        """Wait until the bot is loaded and its `on_start` has returned."""

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Send a request; does not wait. `time_left` is the CPU time in seconds that the answer may cost."""

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Wait for the answer to the last `ask`. `watch` is called every few milliseconds meanwhile; it may raise."""

    def computed(self) -> float:
        """CPU seconds since it was asked; where it has replied, since its reply: out of turn."""

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Tell the last events and the result; a bot that fails here has no fault."""

    def close(self) -> Report:
        """End it, whatever state it is in. Never raises `Fault`."""
