"""The example of docs/adding-a-game.md keeps the contract too, although users are not offered it."""

import pytest

from arena.games.registry import GAMES
from tests.games.high_card import HighCard


@pytest.fixture(autouse=True)
def registered_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the example's game, so that its records can be verified."""
    monkeypatch.setitem(GAMES, HighCard.id, HighCard)
