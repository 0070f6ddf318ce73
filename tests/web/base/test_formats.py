"""Numbers in the words of pages, and what a client says that it accepts."""

from gettext import NullTranslations

import pytest
from flask import Flask

from arena.tournament.pace import Range
from arena.words import Language, speaking
from web.base.context import duration, likelihood, percent, points, signed, size, span
from web.base.languages import add_filter
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


def test_likelihood_in_a_sentence_is_in_words() -> None:
    """A sentence has no mathematical signs."""
    assert likelihood(1.0, worded=True) == "over 99.9 %"
    assert likelihood(0.5, worded=True) == "50.0 %"


@pytest.mark.parametrize(
    ("accepted", "accepts"),
    [("gzip", True), ("br, gzip;q=0.1", True), ("*", True), ("", False), ("br", False), ("gzip;q=0", False)],
)
def test_gzip_is_sent_to_clients_that_accept_it(accepted: str, accepts: bool) -> None:
    """A weight of 0 refuses it."""
    assert accepts_gzip(accepted) is accepts


def test_formats_follow_the_language() -> None:
    """Numbers have the marks of the language, and so have filters of constants, which Jinja would apply only once."""
    app = Flask("formats")
    add_filter(app, percent)
    template = app.jinja_env.from_string("{{ 0.5|percent }}")

    assert template.render() == "50.0 %"
    with speaking(Language("de", NullTranslations(), {ord(","): ".", ord("."): ","})):
        assert template.render() == "50,0 %"
        assert (signed(-1204.5), points(2.5), duration(3.21)) == ("−1.204,5", "2,5", "3,2 s")


def test_spans_name_a_common_unit_once() -> None:
    """Two durations that read the same are one."""
    assert span(Range(40, 170)) == "40 s to 3 min"
    assert span(Range(300, 540)) == "5 to 9 min"
    assert span(Range(30, 30.2)) == "30 s"
