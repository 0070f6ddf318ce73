"""Checks of the mode in which no test may be skipped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPING = {
    "test_one.py": "import pytest\n\ndef test_it(): pytest.skip('no browser here')\n",
    "test_all.py": "import pytest\npytest.skip('no server here', allow_module_level=True)\n",
}


@pytest.mark.parametrize(("complete", "counted"), [("", "2 skipped"), ("1", "1 failed, 1 error")])
def test_complete_run_fails_on_a_skipped_test(tmp_path: Path, complete: str, counted: str) -> None:
    """Without the variable a skipped test is only counted."""
    for name, text in SKIPPING.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "tests.complete", "--continue-on-collection-errors", str(tmp_path)]
    environ = {**os.environ, "ARENA_TEST_COMPLETE": complete}
    done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert counted in done.stdout.splitlines()[-1]
    if complete:
        assert "no browser here" in done.stdout
        assert "no server here" in done.stdout
