"""Words for a person who plays Suits."""

from collections.abc import Mapping
from typing import Final

from arena.games.cards import INDEX, RANK_LABELS, SUIT_NAMES
from arena.games.events import Json
from arena.games.suits_barnhart.rules import POWER, points_of
from arena.games.wording import LABELS, NAMES, NOT_NOW, hindrance

NUMBERS: Final = {2: "two", 3: "three", 4: "four"}


def question(view: Mapping[str, Json]) -> str:
    """Return the question of the phase."""
    if view["phase"] == "return":
        count = NUMBERS[len(view["drawn"])]
        return f"Put your {count} cards back under your pile in any order: you will draw the first one first."
    suit = SUIT_NAMES[view["suits"][view["seat"]]].removesuffix("s")
    if not view["trick"]:
        return f"Lead a {suit}."
    best = max(view["trick"], key=lambda card: POWER[INDEX[card]])
    points = points_of(best)
    return f"Play a {suit}: the {NAMES['french'][best]} wins so far, for {points} point{'s' * (points > 1)}."


def label(token: str) -> str:
    """Return the label of a card or an order."""
    *others, last = (RANK_LABELS[card[0]] for card in token.split(","))
    return f"Return {', '.join(others)} then {last}" if others else LABELS["french"][token]


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    reason = hindrance(view, card, [*view["drawn"], *view["pile"]], "french")
    if not reason and card in view["pile"]:
        return f"The {NAMES['french'][card]} is in your pile until you draw it again."
    return reason or NOT_NOW
