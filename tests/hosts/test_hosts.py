"""`scripts/hosts` as a test: short, and with a small tournament."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.service

ROOT: Final = Path(__file__).parents[2]


def test_lost_host_costs_seconds_and_no_table() -> None:
    """A host that loses power in a transaction releases its locks, and every table is played exactly once.

    `scripts/hosts` without options also adds a host with a wrong clock, cuts one off, and upgrades all.
    """
    if os.geteuid() or not shutil.which("ip"):
        pytest.skip("needs root and iproute2 (apt-get install iproute2)")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = [str(ROOT / "scripts" / "hosts"), "--event", "lost", "--lease", "3"]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=580)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "every table was played once" in done.stdout
