"""House bots and the starters: one file each, importing only what every bot may import."""

from pathlib import Path
from typing import Final

_HERE = Path(__file__).parent

_NAMES: Final = ("random", "greedy", "planner", "bold", "meek", "echo", "sure", "regret", "search")

HOUSE: Final[dict[str, Path]] = {name: _HERE / f"{name}_bot.py" for name in _NAMES}
"""Files of the house bots by name, fast ones first, because new bots meet the first ones."""

STARTERS: Final[dict[str, Path]] = {
    game: _HERE / "starters" / f"{game}.py"
    for game in ("suitability", "suit_yourself", "suits_barnhart", "suits_steere", "separate_suits")
}
"""Files that new authors begin with, by game."""
STARTER: Final = STARTERS["suitability"]
"""Starter of the default game."""

ENTERED: Final = {**HOUSE, "starter": STARTER, "starter-separate-suits": STARTERS["separate_suits"]}
"""Bots that every arena begins with, by name: enough for a table of every variant."""
