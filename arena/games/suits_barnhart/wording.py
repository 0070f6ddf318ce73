"""Words for a person who plays Suits."""

from collections.abc import Mapping
from typing import Final

from arena.games.cards import INDEX, RANK_LABELS
from arena.games.events import Json, listed
from arena.games.suits_barnhart.rules import POWER, points_of
from arena.games.wording import LABELS, NOT_NOW, card_name, hindrance
from arena.words import N_, _, ngettext

RETURNS: Final = {
    2: N_("Put your two cards back under your pile in any order: you will draw the first one first."),
    3: N_("Put your three cards back under your pile in any order: you will draw the first one first."),
    4: N_("Put your four cards back under your pile in any order: you will draw the first one first."),
}
CARDS: Final = {"C": N_("club"), "D": N_("diamond"), "H": N_("heart"), "S": N_("spade")}
"""A card of each suit."""


def question(view: Mapping[str, Json]) -> str:
    """Return the question of the phase."""
    if view["phase"] == "return":
        return _(RETURNS[len(view["drawn"])])
    suit = _(CARDS[view["suits"][view["seat"]]])
    if not view["trick"]:
        return _("Lead a %(suit)s.", suit=suit)
    best = max(view["trick"], key=lambda card: POWER[INDEX[card]])
    return ngettext(
        "Play a %(suit)s: the %(card)s wins so far, for %(num)s point.",
        "Play a %(suit)s: the %(card)s wins so far, for %(num)s points.",
        points_of(best), suit=suit, card=card_name(best, "french"),
    )  # fmt: skip


def label(token: str, view: Mapping[str, Json]) -> str:
    """Return the label of a card or an order."""
    *others, last = (RANK_LABELS[card[0]] for card in token.split(","))
    return _("Return %(cards)s then %(last)s", cards=listed(others), last=last) if others else LABELS["french"][token]


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    reason = hindrance(view, card, [*view["drawn"], *view["pile"]], "french")
    if not reason and card in view["pile"]:
        return _("The %(card)s is in your pile until you draw it again.", card=card_name(card, "french"))
    return reason or _(NOT_NOW)
