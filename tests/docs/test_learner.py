"""The example of a bot that learns: web/manual/examples/learner."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LEARNER = Path(__file__).parents[2] / "web/manual/examples/learner"
VARIANT = "suitability-4"


def run(*words: str) -> str:
    """Run Python with these words, which must succeed, and return what it prints."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def arena(*words: str) -> Any:
    """Return what a command prints as JSON."""
    return json.loads(run("-m", "arena", *words, "--json"))


def test_learner_beats_random_after_seconds_of_training(tmp_path: Path) -> None:
    """A few thousand deals of self-play are enough; the packed bot passes the check of uploads, in the cage."""
    packed = str(tmp_path / "learner.zip")
    run(str(LEARNER / "train.py"), VARIANT, "--rounds", "40", "--hidden", "64", "--out", packed)

    assert arena("check", packed)["valid"]
    found = arena("bench", packed, "--against", "random", "--variant", VARIANT, "-n", "100", "--seed", "1")
    assert not found["faults"]
    assert found["interval"][0] > 0.5
