"""The page about exports and datasets: its data dictionary is that of the code, and its example runs."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.dataset import dataset
from arena.exchange.columns import dictionary

PAGE = Path(__file__).parents[2] / "docs" / "data.md"


def test_dictionary_is_that_of_the_code() -> None:
    """Write it again with `arena.exchange.columns.dictionary`."""
    assert dictionary() in PAGE.read_text()


def test_example_reads_a_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The listing of the page runs in the folder in which the command was given."""
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(dataset, ["deals", "--deals", "1", "--part", "1", "--jobs", "1", "--bot", "planner"])
    (listing,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(listing, PAGE.name, "exec"), {})  # noqa: S102 - our own page

    assert capsys.readouterr().out.endswith("moves; 4 of the first 400 seats are the planner's\n")
