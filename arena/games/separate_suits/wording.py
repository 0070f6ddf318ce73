"""Words for a person who plays Separate Suits."""

from collections.abc import Mapping

from arena.games.events import Json, named
from arena.games.separate_suits.rules import PACKET
from arena.games.wording import LABELS, NOT_NOW, hindrance, rank_name
from arena.words import _


def question(view: Mapping[str, Json]) -> str:
    """Return the question of the phase."""
    packet = view["packet"]
    if view["phase"] == "packet":
        return _(
            "Set aside card %(number)s of %(all)s: you play the first six tricks with these cards.",
            number=len(packet) + 1, all=PACKET,
        )  # fmt: skip
    if view["attempts"]:
        if packet:
            return _("All cards have cancelled: choose a card of your packet that you have not tried in this trick.")
        return _("All cards have cancelled: choose a card that you have not tried in this trick.")
    if view["cancelling"]:
        if packet:
            return _("Choose a card of your packet: equal cards cancel, and the highest that is left wins.")
        return _("Choose a card: equal cards cancel, and the highest that is left wins.")
    if view["last_winner"] == view["seat"]:
        return _("Choose a card: the highest wins, and of equal ones the first clockwise, beginning with you.")
    return _(
        "Choose a card: the highest wins, and of equal ones the first clockwise, beginning with %(name)s.",
        name=named(view["last_winner"]),
    )


def label(token: str, view: Mapping[str, Json]) -> str:
    """Return the label of a card."""
    rank = LABELS["ranks"][token]
    return _("Set aside %(rank)s", rank=rank) if view["phase"] == "packet" else rank


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    return hindrance(view, card, view["hand"], "ranks") or _rule(view, card)


def _rule(view: Mapping[str, Json], card: str) -> str:
    if view["phase"] == "packet":
        return _("The %(rank)s is in your packet already.", rank=rank_name(card))
    if any(shown[view["seat"]] == card for shown in view["attempts"]):
        return _(
            "You have tried the %(rank)s in this trick: choose a card that you have not tried.", rank=rank_name(card)
        )
    if view["packet"]:
        return _("You play the first six tricks with your packet, and the %(rank)s is not in it.", rank=rank_name(card))
    return _(NOT_NOW)
