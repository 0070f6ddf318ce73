"""A release with one more option of some games."""

from typing import Final

import pytest

from arena.games.base import Game, Option, truth
from arena.games.registry import GAMES

ADDED: Final = Option("added", True, "true or false", truth, since=2, before=False)


def revise(monkeypatch: pytest.MonkeyPatch, *games: type[Game]) -> None:
    """Add an option to these games, or to all if none is given."""
    for game in games or GAMES.values():
        monkeypatch.setattr(game, "option_list", (*game.option_list, ADDED))
