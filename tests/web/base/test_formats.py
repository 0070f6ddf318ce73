"""Numbers in the words of pages, and what a client says that it accepts."""

import pytest

from web.base.context import likelihood, size
from web.serving.bodies import accepts_gzip


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "1 byte"), (1023, "1,023 bytes"), (1024, "1.0 KiB"), (2**20, "1.0 MiB"), (2**41, "2,048.0 GiB")],
)
def test_sizes_have_the_largest_unit_that_fits(count: int, text: str) -> None:
    """Units go up to GiB."""
    assert size(count) == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [(None, "–"), (0.001, "0.1 %"), (0.999, "99.9 %"), (0.9991, "> 99.9 %"), (0.0009, "< 0.1 %")],
)
def test_likelihood_is_never_certain(chance: float | None, text: str) -> None:
    """A chance is between 0.1 and 99.9 %, or said to be beyond."""
    assert likelihood(chance) == text


@pytest.mark.parametrize(
    ("accepted", "accepts"),
    [("gzip", True), ("br, gzip;q=0.1", True), ("*", True), ("", False), ("br", False), ("gzip;q=0", False)],
)
def test_gzip_is_sent_to_clients_that_accept_it(accepted: str, accepts: bool) -> None:
    """A weight of 0 refuses it."""
    assert accepts_gzip(accepted) is accepts
