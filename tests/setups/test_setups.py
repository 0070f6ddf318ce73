"""The whole suite of the sandbox, in every set-up in which the cage must hold."""

import sys
from typing import Final

import pytest

from tests.setups import SETUPS, lacking, run

SUITE: Final = (
    *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    # Alone, so that an environment with little more than pytest will do.
    *("--confcutdir=tests/sandbox", "-p", "tests.complete", "tests/sandbox"),
)


@pytest.mark.parametrize("setup", SETUPS)
def test_the_cage_holds(setup: str) -> None:
    """Every test of the sandbox passes there; where skipping is forbidden, it is forbidden there."""
    if why := lacking(setup):
        pytest.skip(why)
    done = run(setup, SUITE, {"ARENA_TEST_COMPLETE": "1"})

    assert done.returncode == 0, done.stdout[-10_000:]
    assert " passed" in done.stdout.splitlines()[-1]
