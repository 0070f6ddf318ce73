"""The workers' app, which waits before the first move of each match, while its bots run, until it is to hurry.

Tables last long enough to be disturbed, at little cost. Bots cannot wait: a sleep has no effect in the cage.
"""

import time
from typing import Any, Final

from arena.match.referee import play
from arena.services.play import seats
from tests.faults import HURRY
from workers.app import SETTINGS
from workers.app import app as app

PAUSE: Final = 1.0
"""Seconds of waiting in each match."""


def wait_and_play(*words: Any, **options: Any) -> Any:
    """Wait unless there is no time for that, and play a match."""
    if not (SETTINGS.home / HURRY).exists():
        time.sleep(PAUSE)
    return play(*words, **options)


vars(seats)["play"] = wait_and_play
