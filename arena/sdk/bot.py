"""What a bot is: a module with a class that derives from `Bot`, or with a plain function named ``act``."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from arena.games.base import View


class Bot:
    """Derive from this, in any file, and write `act`. One instance plays one seat of one match."""

    games: ClassVar[Sequence[str] | None] = None
    """The ids of the games that it plays; None means every game."""

    game: str
    """The id of the game being played."""
    options: Mapping[str, Any]
    """The game's options, complete."""
    seat: int
    """Your seat, 0..n-1 clockwise."""
    seats: Sequence[str]
    """The names of the bots at the table, by seat."""
    rng: Random
    """A generator seeded for this match and seat: use it, and your games can be played again exactly."""

    def on_start(self) -> None:
        """Called once before the first deal."""

    def on_event(self, event: Mapping[str, Any]) -> None:
        """Called for everything that happens, as far as your seat may know it (see `arena.games.events.Event`)."""

    def act(self, view: View) -> str:
        """Choose one of ``view.legal``. Not called where only one action is legal."""
        raise TypeError(f"{type(self).__name__} has no act(self, view)")

    def on_end(self, scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Called once after the end."""
