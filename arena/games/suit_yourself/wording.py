"""Words for a person who plays Suit Yourself."""

from collections.abc import Mapping
from typing import Final

from arena.games.events import Json, named
from arena.games.suit_yourself.rules import LEVELS, PLAYERS
from arena.games.wording import LABELS, card_name, follow, hindrance, lead, must_follow
from arena.words import N_, _

PASSES: Final = (
    N_("Pass a card to %(name)s, on your left."),
    N_("Pass a card to %(name)s, opposite you."),
    N_("Pass a card to %(name)s, on your right."),
)
LABELLED: Final = {"bid": N_("Bid %(card)s"), "pass": N_("Pass %(card)s"), "second_bid": N_("Bid %(card)s")}


def question(view: Mapping[str, Json]) -> str:
    """Return the question of the phase."""
    phase, seat = view["phase"], view["seat"]
    if phase == "bid":
        return _("Lay a card face down as your first bid: it pays if nobody takes more cards of its suit than you.")
    if phase == "pass":
        to = view["passing_to"]
        return _(PASSES[(to - seat) % PLAYERS - 1], name=named(to))
    if phase == "second_bid":
        first = card_name(view["bids"][seat][0], "french")
        return _("Lay a card face down as your second bid: your first is the %(card)s.", card=first)
    return follow(view, _levels(view)) if view["trick"] else _lead(view)


def label(token: str, view: Mapping[str, Json]) -> str:
    """Return the label of an action."""
    card = LABELS["french"][token]
    return card if view["phase"] == "play" else _(LABELLED[view["phase"]], card=card)


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    bids = view["bids"][view["seat"]]
    reason = hindrance(view, card, [*view["hand"], *bids], "french")
    if not reason and card in bids:
        return _("Your bids are out of play until the end of the round.")
    return reason or must_follow(view, _levels(view))


def _lead(view: Mapping[str, Json]) -> str:
    return lead(view) if view["tricks"] else _("You have shown the two of clubs: lead any card to the first trick.")


def _levels(view: Mapping[str, Json]) -> dict[str, str]:
    """Return the suits that must be played, in this order, by level. A hand without them has alpha only."""
    return {level: view["levels"][level] for level in LEVELS[:-1] if view["levels"][level]}
