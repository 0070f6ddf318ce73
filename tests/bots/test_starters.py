"""The starters that authors download."""

import pytest

from arena.games.registry import GAMES, VARIANTS
from arena.sdk.local import inspect
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import pages
from arena.services.work import validation
from bots import ENTERED, STARTERS
from tests.bots.test_house_bots import match
from tests.cages import LocalCage

GAME_OF = {id: variant.game for id, variant in VARIANTS.items()}


def test_every_game_has_a_starter() -> None:
    """Each declares its own game only."""
    assert {game: inspect(path.read_bytes()) for game, path in STARTERS.items()} == {game: (game,) for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_starter_passes_the_check(arena: Arena, author: Account, game: str) -> None:
    """An upload of the unchanged starter is valid."""
    ref = bots.upload(arena, author, "candidate", STARTERS[game].read_bytes())
    validation.validate(arena, ref.version_id, LocalCage())
    (version,) = pages.bot_page(arena, ref.bot_id, author).versions

    assert (version.state, version.games) == ("valid", (game,))


@pytest.mark.parametrize("variant", VARIANTS)
def test_starter_plays_every_variant_of_its_game(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each starter finishes a match against random bots without a fault."""
    monkeypatch.setitem(ENTERED, "starter", STARTERS[GAME_OF[variant]])
    names = ["starter", *["random"] * (VARIANTS[variant].options["players"] - 1)]

    assert match(variant, names, 1).record["faults"] == []
