"""The notebook about a season: it reproduces the leaderboards, and answers its questions."""

import re
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions, requires
from pathlib import Path

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "docs" / "notebooks" / "season.py"


def test_notebook_reproduces_leaderboards(exported: Path) -> None:
    """The notebook runs on an export alone, without the server, and its ratings equal the published ones."""
    program = f"import runpy, sys; sys.modules.update(dict.fromkeys({_server()})); runpy.run_path({str(NOTEBOOK)!r})"
    done = subprocess.run(
        [sys.executable, "-c", program, str(exported)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.count("reproduced") == 2
    for answer in ("seat 0 wins", "who moves first", "skill explains", "s a match", "match points a table"):
        assert answer in done.stdout


def _server() -> list[str]:
    """Return the modules of the packages that only the server needs, without those that the notebook installs."""
    needed = {one.partition(">")[0].partition("[")[0] for one in requires("suit-arena") or () if "'server'" in one}
    installed = re.findall("pip install ([^`]*)", NOTEBOOK.read_text())[0].split()
    barred = needed - {*installed}
    return [name for name, found in packages_distributions().items() if barred.intersection(map(str.lower, found))]


def test_learner_imitates_the_winners_of_an_export(exported: Path, tmp_path: Path) -> None:
    """The example trains on the winners' decisions alone, and packs a bot."""
    packed = tmp_path / "imitator.zip"
    program = ROOT / "web/manual/examples/learner" / "imitate.py"
    words = [*map(str, (program, exported, "suitability-3", "--epochs", 2, "--out", packed))]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=60, check=True)
    first, second = done.stdout.splitlines()

    assert first.startswith("epoch 1: ")
    assert second.endswith("as the winners")
    assert zipfile.ZipFile(packed).namelist() == ["bot.py", "network.py", "weights.npy"]
