"""Remarks on legal cards that several games share: certain outcomes of the trick, from the view of one seat."""

from collections.abc import Iterable
from typing import Final

LOSES: Final = "Cannot win this trick."
WINS: Final = "Wins the trick"
"""Beginning of the remark on a card that is certain to win."""


def outlook(power: int, before: Iterable[int], after: Iterable[int] | None, prize: str = "") -> str:
    """Return the remark on a card of this power; the highest power wins, the earliest card among equal ones.

    `before` are the powers of the cards in the trick, `after` those of all cards that may follow, None if none will.
    `prize` says what a trick won with this card brings, such as `` for 5 points``.
    """
    before = [*before]
    if any(other >= power for other in before):
        return LOSES
    if after is None:
        return f"{WINS}{prize}."
    higher = sum(other > power for other in after)
    if not higher:
        return f"{WINS}{prize}: no card still out beats it."
    beaten = f"{counted(higher, 'card')} still out"
    return f"The best card so far{prize}, but not against {beaten}." if before else f"Loses only to {beaten}."


def counted(number: int, noun: str) -> str:
    """Return a number with a noun that takes an s: ``1 card``, ``2 cards``."""
    return f"{number} {noun}{'s' * (number != 1)}"
