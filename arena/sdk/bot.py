"""Definition of a bot: a module with a class that derives from `Bot`, or with a function named ``act``."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from arena.games.base import View


class Bot:
    """Base class of bots: derive from it, in any file, and write `act`. One instance plays one seat of one match."""

    games: ClassVar[Sequence[str] | None] = None
    """IDs of the games that it plays; None means every game."""
    ask_forced: ClassVar[bool] = False
    """Whether `act` is also called when only one action is legal.

    The arena plays forced moves itself. This is faster, so other seats may infer from the timing that you had no
    choice. With `ask_forced` your bot is asked and can take its usual time. Such questions add nothing to the clock.
    """

    game: str
    """ID of the game being played."""
    options: Mapping[str, Any]
    """Complete options of the game."""
    seat: int
    """Your seat, 0..n-1 clockwise."""
    seats: Sequence[str]
    """The names of the bots at the table, by seat."""
    rng: Random
    """Generator seeded for this match and seat. Use it, and your matches can be replayed exactly."""

    def on_start(self) -> None:
        """Called once, before the first deal."""

    def on_event(self, event: Mapping[str, Any]) -> None:
        """Called for every event that your seat may see (`arena.games.events.Event.for_seat`)."""

    def act(self, view: View) -> str:
        """Return one of ``view.legal``. Called if more than one action is legal; see also `ask_forced`."""
        raise TypeError(f"{type(self).__name__} has no act(self, view)")

    def on_end(self, scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Called once, after the end."""
