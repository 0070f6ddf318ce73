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


def test_every_table_is_played_once_whatever_happens_to_hosts() -> None:
    """A host with a wrong clock joins, one is cut off, one loses power, and a newer release takes over."""
    if os.geteuid() or not shutil.which("ip"):
        pytest.skip("needs root and iproute2 (apt-get install iproute2)")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = [str(ROOT / "scripts" / "hosts"), "--lease", "3", "--cut", "5"]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=580)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "every table was played once" in done.stdout
