"""The notebook about a season: it reproduces the leaderboards, and answers its questions."""

import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "docs" / "notebooks" / "season.py"


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


def test_learner_imitates_the_winners_of_an_export(exported: Path, tmp_path: Path) -> None:
    """The example trains on the winners' decisions alone, and packs a bot."""
    packed = tmp_path / "imitator.zip"
    program = ROOT / "web" / "learner" / "imitate.py"
    words = [*map(str, (program, exported, "suitability-3", "--epochs", 2, "--out", packed))]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=60, check=True)
    first, second = done.stdout.splitlines()

    assert first.startswith("epoch 1: ")
    assert second.endswith("as the winners")
    assert zipfile.ZipFile(packed).namelist() == ["bot.py", "network.py", "weights.npy"]
