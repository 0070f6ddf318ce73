"""Columns of a match's seats that are stored beside its record."""

import pytest

from arena.games.suitability import Suitability
from arena.services.play.seats import Sitter, columns
from arena.tournament.histogram import Histogram
from tests.match.players import Scripted, played


def test_think_times_are_stored_as_a_compact_histogram() -> None:
    """The histogram of a seat counts each answer, and `cpu` is their sum."""
    player = Scripted(cpu=0.002)
    result = played(Suitability({"deals": 2}), [player, *(Scripted() for _ in range(3))])

    first, second, *_ = columns(result, [Sitter(seat, "bot", b"") for seat in range(4)])

    times = Histogram.decode(first["think"])
    assert times.times == len(player.views)
    assert times.percentile(1.0) == pytest.approx(0.002, rel=0.1)
    assert first["cpu"] == pytest.approx(0.002 * len(player.views))
    assert len(first["think"]) <= 20
    assert Histogram.decode(second["think"]).percentile(1.0) == pytest.approx(0.001, rel=0.1)
