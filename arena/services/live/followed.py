"""Live tables as this process has followed them, so that an answer needs the moves since the last one only."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy.orm import Session

from arena.db.models import LiveTable
from arena.games.base import Board, Game
from arena.match.frames import Frames
from arena.match.live import Moves, Position
from arena.services.base.states import LiveState
from arena.services.live import positions
from arena.words import _, spoken

KEPT: Final = 256
"""Number of tables, each as one viewer sees it, that a process keeps."""


class Following:
    """A live table as one viewer has followed it."""

    def __init__(self, rules: Game, draw: Callable[[int], Board], viewer: int | None) -> None:
        """`viewer` is as `arena.match.frames.Frames` has it, and `draw` as `Position`."""
        self.at = Position(rules, draw)
        facts = [fact._asdict() for fact in rules.facts]
        self._frames = Frames({"facts": facts, "seats": range(rules.players)}, viewer)

    def advance(self, moves: Moves) -> None:
        """Go on by these moves, as `Position` does."""
        self.at.advance(moves)
        for step in self.at.take_steps():
            self._frames.add(step)

    def replay(self, names: list[str]) -> dict[str, Any]:
        """Return what a page needs to draw the match so far. `names` are those of the seats."""
        rules = self.at.rules
        return {
            "game": {key: getattr(rules, key) for key in ("id", "title", "designer", "source", "deck")},
            "facts": [{**fact._asdict(), "label": _(fact.label)} for fact in rules.facts],
            "seats": [{"name": name} for name in names],
            **self._frames.replay(),
        }


_kept: Final[OrderedDict[tuple[str, int, int | None, str], Following]] = OrderedDict()
"""By code of the table, number of times that moves were taken back, viewer and language. Those in use are not there."""


@contextmanager
def followed(session: Session, table: LiveTable, viewer: int | None) -> Iterator[Following]:
    """Yield a table with its latest moves; without cards while it waits for people.

    Raises `OptionError` if its variant is not offered.
    """
    key = (table.code, table.undone, viewer, spoken().tag)
    one = _kept.pop(key, None) or _afresh(table, viewer)
    if table.state != LiveState.WAITING:
        moves = positions.log_of(session, table.id, max(one.at.moves - 1, 0))
        if one.at.moves and not (moves and moves[0][0] < one.at.moves):  # another thread saw moves that came later
            one, moves = _afresh(table, viewer), positions.log_of(session, table.id)
        one.advance(moves)
    yield one
    _kept[key] = one
    while len(_kept) > KEPT:
        _kept.popitem(last=False)


def _afresh(table: LiveTable, viewer: int | None) -> Following:
    rules = positions.rules_of(table.boards)
    return Following(rules, positions.drawer(rules, table.boards.seed), viewer)
