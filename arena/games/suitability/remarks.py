"""Remarks about legal cards of Suitability."""

from collections.abc import Mapping
from typing import Final

from arena.games.cards import INDEX, SUIT_OF, SUITS
from arena.games.events import Json
from arena.games.remarks import LOSES, WINS, counted, outlook
from arena.games.suitability.rules import JOKER, TABLES, powers

LED_JOKER: Final = f"{WINS}: a joker that is led always does."


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card; empty for nominations and claims."""
    if view["phase"] != "play":
        return ""
    trick, card = [INDEX[other] for other in view["trick"]], INDEX[token]
    if not trick and SUIT_OF[card] == JOKER:
        return LED_JOKER
    strength = powers(*(SUITS.index(view["roles"][role]) for role in ("trump", "reverse")))
    power = strength[SUIT_OF[(trick or [card])[0]]]
    if len(trick) + 1 == len(view["scores"]):
        text = outlook(power[card], [power[other] for other in trick], None, _prize(view, [*trick, card]))
    else:
        text = outlook(power[card], [power[other] for other in trick], [power[other] for other in _out(view)])
    if text == LOSES and _is_penalty(view, card):
        return "Cannot win this trick, and adds a penalty card to it."
    return text


def claims(view: Mapping[str, Json]) -> bool:
    """Return whether a seat that leads wins whatever it plays: no other card beats one of its own."""
    leads = view["phase"] == "play" and not view["trick"]
    return leads and len(view["legal"]) > 1 and all(remark(view, token).startswith(WINS) for token in view["legal"])


def _prize(view: Mapping[str, Json], trick: list[int]) -> str:
    """Return how many penalty cards a trick has."""
    penalties = sum(_is_penalty(view, card) for card in trick)
    return f" with {counted(penalties, 'penalty card')}" if penalties else " without a penalty card"


def _is_penalty(view: Mapping[str, Json], card: int) -> bool:
    return SUIT_OF[card] == SUITS.index(view["roles"]["penalty"])


def _out(view: Mapping[str, Json]) -> set[int]:
    """Return the cards that other seats hold."""
    gone = [*view["hand"], *view["trick"], *(card for _, *cards in view["tricks"] for card in cards)]
    if view["exchange"]:
        gone.append(view["exchange"][1])
    elif view["turn_up"]:
        gone.append(view["turn_up"])
    return {*TABLES[len(view["scores"])].pack}.difference(map(INDEX.__getitem__, gone))
