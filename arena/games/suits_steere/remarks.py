"""Remarks about legal cards of Suits."""

from collections.abc import Mapping

from arena.games.events import Json
from arena.games.remarks import LOSES
from arena.games.spanish import INDEX
from arena.games.suits_steere.rules import best
from arena.words import _


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card; empty for one that is led."""
    card, trick = INDEX[token], [INDEX[other] for other in view["trick"]]
    if not trick:
        return ""
    if len(trick) == 2:
        return _("Wins the trick.") if best(trick[0], trick[1], card) == 2 else _(LOSES)
    out = _out(view)
    wins = sum(best(trick[0], card, third) == 1 for third in out)
    if wins == len(out):
        return _("Wins the trick, whatever follows.")
    if not wins:
        return _(LOSES)
    return _("Wins against %(some)s of the %(all)s cards that may follow.", some=wins, all=len(out))


def _out(view: Mapping[str, Json]) -> set[int]:
    """Return the cards that other seats hold; the next one may have any of them."""
    gone = [*view["hand"], *view["trick"], *(card for _leader, *cards in view["tricks"] for card in cards)]
    return {*INDEX.values()}.difference(map(INDEX.__getitem__, gone))
