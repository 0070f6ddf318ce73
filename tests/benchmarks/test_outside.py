"""The benchmark of seats for programs outside the arena runs a small arena."""

import pytest

from arena.match.record import unpack
from benchmarks import outside
from benchmarks.plausible import Size, records

pytestmark = pytest.mark.service


def test_clients_play_and_requests_wait() -> None:
    """All requests are held, clients get further questions, and workers play beside them."""
    waiting, seats = outside.run(1, clients=2, waiting=3, spell=3, wait=2, size=Size(400, 24))

    assert waiting.rows[0] == ("held for the whole time", "–", "3 of 3", "–")
    assert [row[0] for row in waiting.rows[1:]] == ["pages, median", "pages, 95th percentile"]
    assert [row[0] for row in seats.rows][-1] == "ratio"
    assert seats.rows[0][1].endswith(" ms")


def test_matches_have_equally_many_moves() -> None:
    """Moves in a second give tables in an hour."""
    assert {len(unpack(one)["moves"]) for one in records()} == {outside.MOVES}
