"""Words for a person who plays Suitability."""

from collections.abc import Mapping, Sequence

from arena.games.cards import SUIT_NAMES, Card
from arena.games.events import Json
from arena.games.suitability.rules import CLAIMS, DECLINE, ROLES
from arena.games.wording import LABELS, follow, hindrance, joined, lead, must_follow


def question(view: Mapping[str, Json]) -> str:
    """Return the question of the phase."""
    if view["phase"] == "nominate":
        return _which_role(view["roles"])
    if view["phase"] == "privilege":
        return _which_privilege(view["claims"])
    if not view["trick"]:
        return lead(view)
    levels = _levels(view["trick"])
    if not levels:
        return f"Play any card: {{{view['leader']}}} led a joker, which wins the trick."
    return follow(view, levels, _instead(view))


def label(token: str) -> str:
    """Return the label of an action."""
    if token in CLAIMS:
        return "Decline" if token == DECLINE else f"Claim {token}"
    role, _, suit = token.partition(":")
    return f"{SUIT_NAMES[suit].capitalize()} {role}" if suit else LABELS["french"][token]


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    return hindrance(view, card, view["hand"], "french") or _rule(view)


def _rule(view: Mapping[str, Json]) -> str:
    if view["phase"] == "nominate":
        return "No card is led before the suits have their roles."
    if view["phase"] == "privilege":
        return "No card is led before you claim a privilege or decline."
    return must_follow(view, _levels(view["trick"]), _instead(view))


def _which_role(roles: Mapping[str, str | None]) -> str:
    given = {role: SUIT_NAMES[suit] for role, suit in roles.items() if suit}
    suits = [suit for suit in SUIT_NAMES.values() if suit not in given.values()]
    task = f"Make {joined(suits, 'or')} the {joined([role for role in ROLES if role not in given], 'or')} suit"
    rest = " and the other one plain" if len(suits) == 2 else ""
    known = joined([f"{suit} are {role}" for role, suit in given.items()], "and")
    return f"{task}{rest}{known and f': {known}'}."


def _which_privilege(claims: Sequence[str | None]) -> str:
    declined = f", as {{{claims.index(DECLINE)}}} did" if DECLINE in claims else ""
    offer = "immunity (5 points a trick), warranty (25 points) or poverty (points for tricks below five)"
    return f"Claim {offer}, or decline{declined}."


def _levels(trick: Sequence[str]) -> dict[str, str]:
    """Return the suit that must be followed; none if no card or a joker is led."""
    suit = Card(trick[0]).suit if trick else ""
    return {"led": suit} if suit else {}


def _instead(view: Mapping[str, Json]) -> str:
    return " or play a joker" if any(Card(card).is_joker for card in view["hand"]) else ""
