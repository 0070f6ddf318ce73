"""The channel to the next match: bots really use it, and its information is estimated without bias."""

from random import Random

import pytest

from benchmarks import relays
from benchmarks.sides.relaying_bot import SENSES
from benchmarks.sides.relays import measure


@pytest.mark.parametrize("without", [[], ["clocks"]])
def test_bots_play_and_sense(without: list[str]) -> None:
    """Each match but a table's first has a bit that was sent and a number for each sense."""
    heard = measure("", ("", {"without": without}), 1, 0.01)

    assert len(heard) == 3
    assert all(bit in (0, 1) and len(senses) == len(SENSES) for bit, senses in heard)


def test_every_sense_has_a_row() -> None:
    """The table describes the bot's senses in their order."""
    assert list(relays.SENSES) == list(SENSES)


def test_information_has_no_bias() -> None:
    """A bit that is always told counts as nearly one, and noise as nearly none; noise misses no target."""
    rng = Random(1)
    told = [(bit, [bit + rng.random() / 2]) for bit in [0, 1] * 50]
    noise = [(bit, [rng.random()]) for bit in [0, 1] * 50]

    assert relays.information(told, 0)[0] == pytest.approx(1.0, abs=0.05)
    assert relays.information(noise, 0)[0] < 0.05
    assert relays.missed(*relays.information(told, 0))
    assert not relays.missed(*relays.information(noise, 0))
