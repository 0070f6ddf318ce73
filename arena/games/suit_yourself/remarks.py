"""Remarks about legal cards of Suit Yourself."""

from collections.abc import Mapping, Sequence
from typing import Final

from arena.games.cards import INDEX, SUIT_NAMES, SUIT_OF, SUITS
from arena.games.events import Json
from arena.games.remarks import LOSES, counted
from arena.games.suit_yourself.rules import LEVELS, PLAYERS, bid_value, ladder_of, winner_of
from arena.games.wording import joined

TOP: Final = len(LEVELS)
"""Power that a card of the lowest rank has at the highest level."""


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card in the trick or on a bid; empty for passed cards."""
    card = INDEX[token]
    if view["phase"] in ("bid", "second_bid"):
        return f"Pays {bid_value(card)} points if nobody takes more {_suit(card)} than you."
    if view["phase"] == "pass" or not view["trick"]:
        return ""
    return _in_trick([INDEX[other] for other in view["trick"]], card)


def _in_trick(before: Sequence[int], card: int) -> str:
    """Return the remark on a card that follows these."""
    trick = [*before, card]
    ladder = ladder_of(trick)
    best = winner_of(trick) == len(before)
    if len(trick) == PLAYERS:
        return f"Wins the trick: {_cards(trick)}." if best else LOSES
    if not best and _most(card, ladder.suits) < max(ladder.power[other] for other in trick):
        return LOSES
    risen = len(ladder.suits) > len(ladder_of(before).suits)
    makes = f"makes {_suit(card)} the {LEVELS[len(ladder.suits) - 1]} suit" if risen else ""
    if best:
        return f"The best card so far{makes and f'; it {makes}'}."
    return f"{makes.capitalize()}." if makes else ""


def _most(card: int, suits: Sequence[int]) -> int:
    """Return the most power that a card can have at the end of the trick; a suit keeps the level that it has."""
    level = suits.index(SUIT_OF[card]) + 1 if SUIT_OF[card] in suits else TOP
    return 4 * (card % 13) + level


def _cards(trick: Sequence[int]) -> str:
    """Return the number of cards of each suit in a trick."""
    suits = [SUIT_OF[card] for card in trick]
    names = {suit: SUIT_NAMES[SUITS[suit]].removesuffix("s") for suit in suits}
    return joined([counted(suits.count(suit), names[suit]) for suit in sorted(names)], "and")


def _suit(card: int) -> str:
    return SUIT_NAMES[SUITS[SUIT_OF[card]]]
