"""Remarks about legal cards of Suitability."""

from collections.abc import Mapping
from typing import Final

from arena.games.cards import INDEX, SUIT_OF, SUITS
from arena.games.events import Json
from arena.games.remarks import Outcome, outcome, outlook
from arena.games.suitability.rules import JOKER, TABLES, powers
from arena.words import N_, _, ngettext

LED_JOKER: Final = N_("Wins the trick: a joker that is led always does.")


def remark(view: Mapping[str, Json], token: str) -> str:
    """Return the remark on a card; empty for nominations and claims."""
    if view["phase"] != "play":
        return ""
    trick, card = [INDEX[other] for other in view["trick"]], INDEX[token]
    if not trick and SUIT_OF[card] == JOKER:
        return _(LED_JOKER)
    known = _powers(view, trick, card)
    found, _higher = outcome(*known)
    if found == Outcome.LAST:
        return _won_last(sum(_is_penalty(view, one) for one in [*trick, card]))
    if found == Outcome.LOSES and _is_penalty(view, card):
        return _("Cannot win this trick, and adds a penalty card to it.")
    return outlook(*known)


def claims(view: Mapping[str, Json]) -> bool:
    """Return whether a seat that leads wins whatever it plays: no other card beats one of its own."""
    leads = view["phase"] == "play" and not view["trick"]
    return leads and len(view["legal"]) > 1 and all(_sure(view, token) for token in view["legal"])


def _sure(view: Mapping[str, Json], token: str) -> bool:
    """Return whether a card that is led is certain to win."""
    card = INDEX[token]
    return SUIT_OF[card] == JOKER or outcome(*_powers(view, [], card))[0] in (Outcome.LAST, Outcome.WINS)


def _powers(view: Mapping[str, Json], trick: list[int], card: int) -> tuple[int, list[int], list[int] | None]:
    """Return the power of a card, those of the cards before it in the trick, and those of the cards that may follow.

    The last is None if the card completes the trick.
    """
    strength = powers(*(SUITS.index(view["roles"][role]) for role in ("trump", "reverse")))
    power = strength[SUIT_OF[(trick or [card])[0]]]
    last = len(trick) + 1 == len(view["scores"])
    return power[card], [power[other] for other in trick], None if last else [power[other] for other in _out(view)]


def _won_last(penalties: int) -> str:
    """Return the remark on the last card of a trick that wins this number of penalty cards."""
    if not penalties:
        return _("Wins the trick without a penalty card.")
    return ngettext(
        "Wins the trick with %(num)s penalty card.", "Wins the trick with %(num)s penalty cards.", penalties
    )


def _is_penalty(view: Mapping[str, Json], card: int) -> bool:
    return SUIT_OF[card] == SUITS.index(view["roles"]["penalty"])


def _out(view: Mapping[str, Json]) -> set[int]:
    """Return the cards that other seats hold."""
    gone = [*view["hand"], *view["trick"], *(card for _leader, *cards in view["tricks"] for card in cards)]
    if view["exchange"]:
        gone.append(view["exchange"][1])
    elif view["turn_up"]:
        gone.append(view["turn_up"])
    return {*TABLES[len(view["scores"])].pack}.difference(map(INDEX.__getitem__, gone))
