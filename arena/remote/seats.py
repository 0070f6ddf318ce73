"""The arena's answers to programs in seats, as the client reads them. Fields that it does not know are ignored."""

from typing import Any

from msgspec import Struct


class Question(Struct, frozen=True):
    """A move that is awaited from the program. Nothing else needs to be known of its table."""

    table: str
    number: int
    seat: int
    seats: tuple[str, ...]
    variant: str
    game: str
    options: dict[str, Any]
    view: dict[str, Any]
    events: list[dict[str, Any]]
    time: float | None = None
    """Seconds left; None without a clock."""
    late: int = 0
    """Number of moves in a row that the arena made."""

    def __post_init__(self) -> None:
        """Raise `ValueError` if there is nothing to choose from."""
        if not self.legal:
            raise ValueError("A view has no legal action.")

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal actions."""
        return tuple(self.view.get("legal", ()))


class Result(Struct, frozen=True):
    """A table that is over."""

    table: str
    state: str
    problem: str | None
    seat: int
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    events: list[dict[str, Any]]


class Asked(Struct, frozen=True):
    """All open questions, and tables that are over."""

    cursor: str
    questions: tuple[Question, ...]
    over: tuple[Result, ...]
    pause: float = 0.0


class Declared(Struct, frozen=True):
    """A version of a bot outside the arena."""

    number: int
    page: str


class Opened(Struct, frozen=True):
    """A table that was opened."""

    code: str
    page: str


class Looked(Struct, frozen=True):
    """A table that was looked at."""

    code: str
    state: str
    seat: int | None
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    problem: str | None
