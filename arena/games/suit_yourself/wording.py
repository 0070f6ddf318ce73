"""Words for a person who plays Suit Yourself."""

from collections.abc import Mapping
from typing import Final

from arena.games.events import Json
from arena.games.suit_yourself.rules import LEVELS, PLAYERS
from arena.games.wording import LABELS, NAMES, follow, hindrance, lead, must_follow

PLACES: Final = ("on your left", "opposite you", "on your right")
VERBS: Final = {"bid": "Bid ", "pass": "Pass ", "second_bid": "Bid ", "play": ""}


def question(view: Mapping[str, Json]) -> str:
    """Return the question of the phase."""
    phase, seat = view["phase"], view["seat"]
    if phase == "bid":
        return "Lay a card face down as your first bid: it pays if nobody takes more cards of its suit than you."
    if phase == "pass":
        to = view["passing_to"]
        return f"Pass a card to {{{to}}}, {PLACES[(to - seat) % PLAYERS - 1]}."
    if phase == "second_bid":
        return f"Lay a card face down as your second bid: your first is the {NAMES['french'][view['bids'][seat][0]]}."
    return follow(view, _levels(view)) if view["trick"] else _lead(view)


def label(token: str, view: Mapping[str, Json]) -> str:
    """Return the label of an action."""
    return VERBS[view["phase"]] + LABELS["french"][token]


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    bids = view["bids"][view["seat"]]
    reason = hindrance(view, card, [*view["hand"], *bids], "french")
    if not reason and card in bids:
        return "Your bids are out of play until the end of the round."
    return reason or must_follow(view, _levels(view))


def _lead(view: Mapping[str, Json]) -> str:
    return lead(view) if view["tricks"] else "You have shown the two of clubs: lead any card to the first trick."


def _levels(view: Mapping[str, Json]) -> dict[str, str]:
    """Return the suits that must be played, in this order, by level. A hand without them has alpha only."""
    *levels, _ = LEVELS
    return {level: view["levels"][level] for level in levels if view["levels"][level]}
