"""One record per variant that must never change: whoever breaks one has changed the rules, the deal or the format."""

from pathlib import Path

import pytest

from arena.cli.random_records import random_match
from arena.games.registry import VARIANTS, game
from arena.match.record import encode
from arena.match.replay import verify

HERE = Path(__file__).parent


@pytest.mark.parametrize("id", VARIANTS)
def test_the_golden_record_is_still_what_the_engine_plays(id: str) -> None:
    """The same seed gives the same bytes, on every machine and for ever."""
    variant = VARIANTS[id]
    golden = (HERE / f"{id}.json").read_bytes()

    assert encode(random_match(game(variant.game, variant.options), bytes(32))) == golden
    verify(golden)


def test_there_is_no_golden_record_without_a_variant() -> None:
    """What is no longer offered is no longer kept."""
    assert {path.stem for path in HERE.glob("*.json")} == set(VARIANTS)
