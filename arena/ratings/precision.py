"""How many more tables a rating needs until it is precise."""

from math import ceil
from typing import Final

from arena.ratings.model import SIGMA

MOST_TABLES: Final = 1000
"""Number of tables after which a version gets no more for the sake of precision: all its results are as expected."""
FIRST_TABLES: Final = 20
"""Number of tables that a version without any is expected to need, until its own results say more."""


def tables_missing(sigma: float, tables: int, target: float) -> int:
    """Return about how many tables a version needs until its sigma is `target`; 0 if it needs none.

    Each table is expected to add as much precision (1 / sigma^2) as the version's `tables` so far did on average.
    """
    if sigma <= target or tables >= MOST_TABLES:
        return 0
    if not tables:
        return FIRST_TABLES
    gained, lacking = sigma**-2 - SIGMA**-2, target**-2 - sigma**-2
    most = MOST_TABLES - tables
    return min(ceil(lacking * tables / gained), most) if gained > 0 else most
