"""House bots and the starter template: one file each, importing only what every bot may import."""

from pathlib import Path
from typing import Final

_HERE = Path(__file__).parent

_NAMES: Final = ("random", "greedy", "planner", "bold", "sampler")

HOUSE: Final[dict[str, Path]] = {name: _HERE / f"{name}_bot.py" for name in _NAMES}
"""Files of the house bots by name, fast ones first, because new bots meet the first ones."""

STARTER: Final = _HERE / "starter.py"
"""File that new authors begin with."""
