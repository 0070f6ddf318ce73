"""Remarks on legal cards that several games share: certain outcomes of the trick, from the view of one seat."""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from arena.words import N_, _, ngettext

LOSES: Final = N_("Cannot win this trick.")


class Outcome(Enum):
    """A certain outcome of a card in a trick."""

    LOSES = 1
    LAST = 2
    """It wins, because no card follows."""
    WINS = 3
    """It wins, whatever follows."""
    BEST = 4
    """It is the best card so far."""
    OPEN = 5
    """It is the first card, and others may beat it."""


def outcome(power: int, before: Iterable[int], after: Iterable[int] | None) -> tuple[Outcome, int]:
    """Return the certain outcome of a card of this power, and the number of cards that may still beat it.

    The highest power wins; among equal ones, the card played first. `before` has the powers of the cards that are
    already in the trick, `after` those of all cards that may follow; it is None if the card completes the trick.
    """
    before = [*before]
    if any(other >= power for other in before):
        return Outcome.LOSES, 0
    if after is None:
        return Outcome.LAST, 0
    higher = sum(other > power for other in after)
    if not higher:
        return Outcome.WINS, 0
    return Outcome.BEST if before else Outcome.OPEN, higher


def outlook(power: int, before: Iterable[int], after: Iterable[int] | None, points: int = 0) -> str:
    """Return the remark on a card (`outcome`), with the points of a trick that is won with it, if they depend on it."""
    found, higher = outcome(power, before, after)
    if found == Outcome.LOSES:
        return _(LOSES)
    if found == Outcome.OPEN:
        return _("Loses only to %(cards)s.", cards=_still_out(higher))
    return _with_points(found, higher, points) if points else _without(found, higher)


def _without(found: Outcome, higher: int) -> str:
    if found == Outcome.LAST:
        return _("Wins the trick.")
    if found == Outcome.WINS:
        return _("Wins the trick: no card still out beats it.")
    return _("The best card so far, but not against %(cards)s.", cards=_still_out(higher))


def _with_points(found: Outcome, higher: int, points: int) -> str:
    if found == Outcome.LAST:
        return ngettext("Wins the trick for %(num)s point.", "Wins the trick for %(num)s points.", points)
    if found == Outcome.WINS:
        return ngettext(
            "Wins the trick for %(num)s point: no card still out beats it.",
            "Wins the trick for %(num)s points: no card still out beats it.", points,
        )  # fmt: skip
    return ngettext(
        "The best card so far for %(num)s point, but not against %(cards)s.",
        "The best card so far for %(num)s points, but not against %(cards)s.", points, cards=_still_out(higher),
    )  # fmt: skip


def _still_out(number: int) -> str:
    return ngettext("%(num)s card still out", "%(num)s cards still out", number)
