"""Words for a person who plays Suits."""

from collections.abc import Mapping

from arena.games.events import Json
from arena.games.suits_steere.rules import LEFT
from arena.games.wording import NAMES, lead


def question(view: Mapping[str, Json]) -> str:
    """Return the question to the seat that plays a card."""
    if not view["trick"]:
        return lead(view)
    leader = view["leader"]
    first, *second = (NAMES["spanish"][card] for card in view["trick"])
    also = "".join(f" and {{{LEFT[leader]}}} played the {card}" for card in second)
    return f"Play any card: {{{leader}}} led the {first}{also}."
