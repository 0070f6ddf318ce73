"""Words for a person who plays Suits."""

from collections.abc import Mapping

from arena.games.events import Json, named
from arena.games.spanish import card_name
from arena.games.suits_steere.rules import LEFT
from arena.games.wording import lead
from arena.words import _


def question(view: Mapping[str, Json]) -> str:
    """Return the question to the seat that plays a card."""
    if not view["trick"]:
        return lead(view)
    leader, second = view["leader"], view["trick"][1:]
    values = {"name": named(leader), "card": card_name(view["trick"][0])}
    if not second:
        return _("Play any card: %(name)s led the %(card)s.", **values)
    return _(
        "Play any card: %(name)s led the %(card)s and %(second)s played the %(other)s.",
        second=named(LEFT[leader]), other=card_name(second[0]), **values,
    )  # fmt: skip
