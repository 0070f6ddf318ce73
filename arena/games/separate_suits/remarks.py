"""Remarks about legal cards of Separate Suits."""

from collections.abc import Collection, Mapping
from typing import Final

from arena.games.cards import RANK_NAMES, RANKS
from arena.games.events import Json
from arena.games.remarks import LOSES
from arena.games.wording import rank_name
from arena.words import N_, _

ONE: Final = N_("The other player holds a higher card.")
ALL: Final = N_("Everybody else holds a higher card.")


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card, from the ranks that the others hold; empty while packets are set aside."""
    if view["phase"] != "play":
        return ""
    seat, hands, name = view["seat"], view["hands"], rank_name(token)
    others = [other for other in range(len(hands)) if other != seat]
    higher = [other for other in others if _above(hands[other], token)]
    if higher:
        if not view["cancelling"] and any(len(_above(hands[other], token)) == len(hands[other]) for other in higher):
            return _(LOSES)
        if len(others) == 1:
            return _(ONE)
        if higher == others:
            return _(ALL)
        return _("A higher card is held by %(some)s of the %(others)s others.", some=len(higher), others=len(others))
    equal = [other for other in others if token in hands[other]]
    if not equal:
        if RANK_NAMES[token][0] in "ae":
            return _("Wins the trick: nobody else holds an %(rank)s or a higher card.", rank=name)
        return _("Wins the trick: nobody else holds a %(rank)s or a higher card.", rank=name)
    if view["cancelling"] or any(_precedes(view, other) for other in equal):
        return _("Only another %(rank)s can stop it: nobody else holds a higher card.", rank=name)
    return _("Wins the trick: nobody else holds a higher card, and of equal ones yours comes first.")


def _above(hand: Collection[str], token: str) -> list[str]:
    """Return the ranks of a hand above one."""
    return [rank for rank in hand if RANKS.index(rank) > RANKS.index(token)]


def _precedes(view: Mapping[str, Json], other: int) -> bool:
    """Return whether another seat's equal card comes first: it is nearer clockwise to the last winner."""
    players, last, own = len(view["hands"]), int(view["last_winner"]), int(view["seat"])
    return (other - last) % players < (own - last) % players
