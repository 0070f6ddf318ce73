"""The page about exports: its data dictionary is that of the code."""

from pathlib import Path

from arena.exchange.columns import dictionary

PAGE = Path(__file__).parents[2] / "docs" / "data.md"


def test_dictionary_is_that_of_the_code() -> None:
    """Write it again with `arena.exchange.columns.dictionary`."""
    assert dictionary() in PAGE.read_text()
