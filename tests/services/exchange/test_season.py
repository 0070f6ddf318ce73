"""The notebook about a season: it reproduces the leaderboards, and answers its questions."""

import runpy
import sys
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[3] / "docs" / "notebooks" / "season.py"


def test_notebook_reproduces_leaderboards(
    exported: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The notebook runs on an export alone, and its ratings equal the published ones."""
    monkeypatch.setattr(sys, "argv", ["season.py", str(exported)])

    runpy.run_path(str(NOTEBOOK))

    said = capsys.readouterr().out
    assert said.count("reproduced") == 2
    for answer in ("seat 0 wins", "who moves first", "skill explains", "s a match", "match points a table"):
        assert answer in said
