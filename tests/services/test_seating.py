"""What is stored beside a match's record."""

import pytest

from arena.games.suitability import Suitability
from arena.services.seating import Sitter, columns
from arena.tournament.histogram import Histogram
from tests.match.players import Scripted, played


def test_how_long_a_bot_thought_is_stored_answer_by_answer_in_few_bytes() -> None:
    """Every answer is in the histogram of its seat, and all of them are in its sum."""
    player = Scripted(cpu=0.002)
    result = played(Suitability({"deals": 2}), [player, *(Scripted() for _ in range(3))])

    first, second, *_ = columns(result, [Sitter(seat, "bot", b"") for seat in range(4)])

    times = Histogram.decode(first["think"])
    assert times.times == len(player.views)
    assert times.percentile(1.0) == pytest.approx(0.002, rel=0.1)
    assert first["cpu"] == pytest.approx(0.002 * len(player.views))
    assert len(first["think"]) <= 20
    assert Histogram.decode(second["think"]).percentile(1.0) == pytest.approx(0.001, rel=0.1)
