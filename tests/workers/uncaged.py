"""The workers' app on a machine that cannot hold bots."""

from typing import NoReturn

import workers.app
from arena.games.errors import ArenaFault
from arena.sandbox import Cage

app = workers.app.app


def _refuse(_: Cage) -> NoReturn:
    raise ArenaFault("no seccomp here")


Cage.open = _refuse  # type: ignore[assignment, method-assign]
