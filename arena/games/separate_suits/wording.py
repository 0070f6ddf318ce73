"""Words for a person who plays Separate Suits."""

from collections.abc import Mapping

from arena.games.cards import RANK_NAMES
from arena.games.events import Json
from arena.games.separate_suits.rules import PACKET
from arena.games.wording import LABELS, NOT_NOW, hindrance


def question(view: Mapping[str, Json]) -> str:
    """Return the question of the phase."""
    packet = view["packet"]
    if view["phase"] == "packet":
        return f"Set aside card {len(packet) + 1} of {PACKET}: you play the first six tricks with these cards."
    card = "a card of your packet" if packet else "a card"
    if view["attempts"]:
        return f"All cards have cancelled: choose {card} that you have not tried in this trick."
    if view["cancelling"]:
        return f"Choose {card}: equal cards cancel, and the highest that is left wins."
    last = view["last_winner"]
    first = "you" if last == view["seat"] else f"{{{last}}}"
    return f"Choose {card}: the highest wins, and of equal ones the first clockwise, beginning with {first}."


def label(token: str, view: Mapping[str, Json]) -> str:
    """Return the label of a card."""
    return ("Set aside " if view["phase"] == "packet" else "") + LABELS["ranks"][token]


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    return hindrance(view, card, view["hand"], "ranks") or _rule(view, card)


def _rule(view: Mapping[str, Json], card: str) -> str:
    if view["phase"] == "packet":
        return f"The {RANK_NAMES[card]} is in your packet already."
    if any(shown[view["seat"]] == card for shown in view["attempts"]):
        return f"You have tried the {RANK_NAMES[card]} in this trick: choose a card that you have not tried."
    if view["packet"]:
        return f"You play the first six tricks with your packet, and the {RANK_NAMES[card]} is not in it."
    return NOT_NOW
