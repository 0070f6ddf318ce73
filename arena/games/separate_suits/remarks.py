"""Remarks about legal cards of Separate Suits."""

from collections.abc import Collection, Mapping
from typing import Final

from arena.games.cards import RANK_NAMES, RANKS
from arena.games.events import Json
from arena.games.remarks import LOSES

ONE: Final = "The other player holds a higher card."
ALL: Final = "Everybody else holds a higher card."


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card, from the ranks that the others hold; empty while packets are set aside."""
    if view["phase"] != "play":
        return ""
    seat, hands, name = view["seat"], view["hands"], RANK_NAMES[token]
    others = [other for other in range(len(hands)) if other != seat]
    higher = [other for other in others if _above(hands[other], token)]
    if higher:
        if not view["cancelling"] and any(len(_above(hands[other], token)) == len(hands[other]) for other in higher):
            return LOSES
        if len(others) == 1:
            return ONE
        return ALL if higher == others else f"A higher card is held by {len(higher)} of the {len(others)} others."
    equal = [other for other in others if token in hands[other]]
    if not equal:
        return f"Wins the trick: nobody else holds {_article(name)} {name} or a higher card."
    if view["cancelling"] or any(_precedes(view, other) for other in equal):
        return f"Only another {name} can stop it: nobody else holds a higher card."
    return "Wins the trick: nobody else holds a higher card, and of equal ones yours comes first."


def _above(hand: Collection[str], token: str) -> list[str]:
    """Return the ranks of a hand above one."""
    return [rank for rank in hand if RANKS.index(rank) > RANKS.index(token)]


def _precedes(view: Mapping[str, Json], other: int) -> bool:
    """Return whether another seat's equal card comes first: it is nearer clockwise to the last winner."""
    players, last, own = len(view["hands"]), int(view["last_winner"]), int(view["seat"])
    return (other - last) % players < (own - last) % players


def _article(name: str) -> str:
    return "an" if name[0] in "ae" else "a"
