"""What a bot finds in the cage, asked of one."""

import json
from dataclasses import dataclass
from typing import Final

from arena.sandbox.cage import Cage

_TIME: Final = 10.0
"""CPU seconds, for slow machines."""
OPTIONAL: Final = ("numpy",)
"""Modules that bots may import where they are installed beside the arena."""
_SOURCE: Final = f"""
import json, sys

def act(view):
    found = [module for name in {OPTIONAL!r} if (module := sys.modules.get(name))]
    print(json.dumps({{
        "python": sys.version.split()[0],
        "modules": len(sys.modules),
        "optional": {{module.__name__: module.__version__ for module in found}},
    }}))
    return ""
"""


@dataclass(frozen=True)
class Inventory:
    """What a bot can import."""

    python: str
    modules: int
    """How many are loaded when it starts."""
    optional: dict[str, str]
    """Versions of those of `OPTIONAL` that are there."""


def take(cage: Cage) -> Inventory:
    """Ask a bot of our own. Raises ArenaFault and Fault."""
    player = cage.player(_SOURCE.encode())
    try:
        player.ready()
        player.ask({"seat": 0, "phase": "", "legal": []}, (), _TIME)
        player.reply()
        return Inventory(**json.loads(player.output()))
    finally:
        player.close()
