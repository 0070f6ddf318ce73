"""The log of a replay says each thing once."""

from itertools import pairwise
from typing import Any

import pytest

from arena.games.registry import VARIANTS, game
from arena.match.replay import replay
from tests.e2e.replay_site import NAMES, record


def told(step: dict[str, Any]) -> tuple[str, ...]:
    """Return the sentences of a step, which begin its line in the log."""
    return tuple(dict.fromkeys(event["text"] for event in step["events"]))


@pytest.mark.parametrize("id", VARIANTS)
def test_no_line_of_the_log_is_repeated(id: str) -> None:
    """Two steps after each other never say the same, whether all bots play on or the arena takes over."""
    rules = game(VARIANTS[id].game, VARIANTS[id].options)
    names = NAMES[: rules.players]

    for seed, failed in ((1, None), (2, 0)):
        steps = replay(record(rules, names, failed, seed))["steps"]
        assert [told(later) for earlier, later in pairwise(steps) if told(earlier) == told(later)] == []
