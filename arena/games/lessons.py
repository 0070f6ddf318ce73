"""Lessons: a fixed board on which a person learns a game in a few moves.

In all words ``{1}`` stands for the name of seat 1, and ``[QH]`` for a card; the reader is "you".
"""

from collections.abc import Mapping
from typing import NamedTuple

from arena.games.events import Json
from arena.words import _


class Decision(NamedTuple):
    """A decision of the learner, with a prompt before it and a note after it."""

    before: str
    """Moves of all seats since the previous decision: tokens with spaces, in the order of the match record."""
    move: str
    """Token of the move that the learner has to find."""
    prompt: str
    """What to look at, and what to do."""
    note: str
    """What happened, and which rule it shows."""
    other: str
    """What is said about another legal move."""


class Lesson(NamedTuple):
    """A board, the moves of all seats on it, and the learner's decisions. It may end before the match does."""

    variant: str
    options: Mapping[str, Json]
    """Options that differ from those of the variant."""
    boards: tuple[Json, ...]
    """All boards that the moves need, in the form of the match record."""
    goal: str
    """What the game is about, for the first page. All words are texts to be translated."""
    decisions: tuple[Decision, ...]
    after: str
    """Moves after the last decision, like `Decision.before`."""
    end: str
    """What else there is to know, for the last page."""
    seat: int = 0
    """The learner's seat."""

    def moves(self, number: int) -> list[str]:
        """Return the tokens of all moves before a decision, counted from 0; past the last one, those of the lesson."""
        played = [f"{one.before} {one.move}" for one in self.decisions[:number]]
        coming = self.decisions[number].before if number < len(self.decisions) else self.after
        return " ".join([*played, coming]).split()

    def note(self, number: int) -> str:
        """Return the note on the previous decision; before the first one, the goal."""
        return _(self.decisions[number - 1].note if number else self.goal)


def rows(*written: str) -> list[list[str]]:
    """Return tokens that are written with spaces between them, for the hands and piles of a board."""
    return [row.split() for row in written]
