"""Names of earlier releases that scripts, clients and bots use are still there."""

from pathlib import Path
from typing import Final

import pytest

from tests.homes import NAMES, kept
from tests.homes.names import names

TAKEN_AWAY: Final[dict[str, str]] = {}
"""Names that are gone, with the minor release that deprecated each."""


@pytest.mark.parametrize("home", kept(NAMES), ids=lambda home: home.name)
def test_names_of_a_release_are_still_used(home: Path) -> None:
    """Each name is still used, unless it has been deprecated for a minor release."""
    before = (home / NAMES).read_text().splitlines()

    assert sorted({*before} - {*names()} - TAKEN_AWAY.keys()) == []
    assert {"arena up", "arena play --watch", "exit 78 MISCONFIGURED", "ARENA_HOME", "view suitability hand"} <= {
        *before
    }
