"""Remarks about legal cards of Suit Yourself."""

from collections.abc import Mapping, Sequence
from typing import Final

from arena.games.cards import INDEX, SUIT_OF, SUITS
from arena.games.events import Json
from arena.games.remarks import LOSES
from arena.games.suit_yourself.rules import LEVELS, PLAYERS, bid_value, ladder_of, winner_of
from arena.games.wording import all_of, suit_name
from arena.words import _, ngettext

TOP: Final = len(LEVELS)
"""Power that a card of the lowest rank has at the highest level."""


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card in the trick or on a bid; empty for passed cards."""
    card = INDEX[token]
    if view["phase"] in ("bid", "second_bid"):
        return ngettext(
            "Pays %(num)s point if nobody takes more %(suit)s than you.",
            "Pays %(num)s points if nobody takes more %(suit)s than you.", bid_value(card), suit=_suit(card),
        )  # fmt: skip
    if view["phase"] == "pass" or not view["trick"]:
        return ""
    return _in_trick([INDEX[other] for other in view["trick"]], card)


def _in_trick(before: Sequence[int], card: int) -> str:
    """Return the remark on a card that follows these."""
    trick = [*before, card]
    ladder = ladder_of(trick)
    best = winner_of(trick) == len(before)
    if len(trick) == PLAYERS:
        return _("Wins the trick: %(cards)s.", cards=_cards(trick)) if best else _(LOSES)
    if not best and _most(card, ladder.suits) < max(ladder.power[other] for other in trick):
        return _(LOSES)
    risen = len(ladder.suits) > len(ladder_of(before).suits)
    values = {"suit": _suit(card), "level": _(LEVELS[len(ladder.suits) - 1])}
    if best and risen:
        return _("The best card so far; it makes %(suit)s the %(level)s suit.", **values)
    if best:
        return _("The best card so far.")
    return _("Makes %(suit)s the %(level)s suit.", **values) if risen else ""


def _most(card: int, suits: Sequence[int]) -> int:
    """Return the highest power that a card can reach by the end of the trick; a suit that has a level keeps it."""
    level = suits.index(SUIT_OF[card]) + 1 if SUIT_OF[card] in suits else TOP
    return 4 * (card % 13) + level


def _cards(trick: Sequence[int]) -> str:
    """Return the number of cards of each suit in a trick."""
    suits = [SUIT_OF[card] for card in trick]
    return all_of([_counted(suit, suits.count(suit)) for suit in sorted({*suits})])


def _counted(suit: int, count: int) -> str:
    """Return a number of cards of a suit: ``2 clubs``."""
    if SUITS[suit] == "C":
        return ngettext("%(num)s club", "%(num)s clubs", count)
    if SUITS[suit] == "D":
        return ngettext("%(num)s diamond", "%(num)s diamonds", count)
    if SUITS[suit] == "H":
        return ngettext("%(num)s heart", "%(num)s hearts", count)
    return ngettext("%(num)s spade", "%(num)s spades", count)


def _suit(card: int) -> str:
    return suit_name(SUITS[SUIT_OF[card]])
