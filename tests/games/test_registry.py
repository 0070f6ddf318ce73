"""Naming a game or a variant."""

import pytest

from arena.games.errors import OptionError
from arena.games.events import Event
from arena.games.registry import DEFAULT_VARIANT, VARIANTS, game, variant


def test_a_variant_is_a_complete_set_of_options() -> None:
    """Nothing of a variant depends on a later default."""
    for one in VARIANTS.values():
        assert game(one.game, one.options).options == one.options


def test_an_unknown_game_is_refused_with_those_that_exist() -> None:
    """So is an unknown variant."""
    with pytest.raises(OptionError, match="there is no game 'bridge'; the games are suitability"):
        game("bridge")
    with pytest.raises(OptionError, match="there is no variant 'x'; the variants are suitability-4"):
        variant("x")
    assert variant(DEFAULT_VARIANT).game == "suitability"


def test_a_full_event_is_plain_json_for_the_replay() -> None:
    """With everything in it, lists for tuples."""
    event = Event("play", "{1} plays AC.", 1, ("AC",), "hand:1", "table:1", (1,))

    assert event.full() == {
        "kind": "play", "text": "{1} plays AC.", "seat": 1, "cards": ["AC"], "source": "hand:1", "target": "table:1",
        "seen_by": [1], "facts": {}, "step": True,
    }  # fmt: skip
    assert event._replace(seen_by=None).full()["seen_by"] is None
