"""Programs that everybody may start from."""

from importlib.resources import files
from typing import Final

from arena.likeness.programs import fingerprints
from bots import HOUSE, STARTERS

_EXAMPLES: Final = ("first_bot.py", "search_bot.py", "several_files/bot.py", "several_files/ranks.py")
"""Examples of the guide."""


def base() -> frozenset[int]:
    """Return the fingerprints of code that everybody may start from: the starter, the house bots, and the examples."""
    examples = [files("web.manual").joinpath("examples", name) for name in _EXAMPLES]
    texts = [path.read_text("utf-8") for path in (*STARTERS.values(), *HOUSE.values(), *examples)]
    return frozenset().union(*(fingerprints({"bot.py": text}) for text in texts))
