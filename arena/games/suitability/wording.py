"""Words for a person who plays Suitability."""

from collections.abc import Mapping, Sequence

from arena.games.cards import SUIT_NAMES, Card
from arena.games.events import Json, named
from arena.games.suitability.rules import CLAIMS, DECLINE, ROLES
from arena.games.wording import any_of, capital, card_label, follow, hindrance, lead, must_follow, suit_name
from arena.words import _, pgettext


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
        return _("Play any card: %(name)s led a joker, which wins the trick.", name=named(view["leader"]))
    return follow(view, levels, _has_joker(view))


def label(token: str, view: Mapping[str, Json]) -> str:
    """Return the label of an action."""
    if token in CLAIMS:
        return pgettext("privilege", "Decline") if token == DECLINE else _("Claim %(privilege)s", privilege=_(token))
    if ":" not in token:
        return card_label(token, "french")
    role, suit = token.split(":")
    return _("%(suit)s %(role)s", suit=capital(suit_name(suit)), role=_(role))


def refusal(view: Mapping[str, Json], card: str) -> str:
    """Return the rule against a card."""
    return hindrance(view, card, view["hand"], "french") or _rule(view)


def _rule(view: Mapping[str, Json]) -> str:
    if view["phase"] == "nominate":
        return _("No card is led before the suits have their roles.")
    if view["phase"] == "privilege":
        return _("No card is led before you claim a privilege or decline.")
    return must_follow(view, _levels(view["trick"]), _has_joker(view))


def _which_role(roles: Mapping[str, str | None]) -> str:
    given = {role: suit for role, suit in roles.items() if suit}
    suits = [suit for suit in SUIT_NAMES if suit not in given.values()]
    values = {
        "suits": any_of([suit_name(suit) for suit in suits]),
        "roles": any_of([_(role) for role in ROLES if role not in given]),
    }
    if not given:
        return _("Make %(suits)s the %(roles)s suit.", **values)
    first, *second = (_("%(suit)s are %(role)s", suit=suit_name(suit), role=_(role)) for role, suit in given.items())
    known = pgettext("roles of suits", "%(one)s and %(other)s", one=first, other=second[0]) if second else first
    if len(suits) == 2:
        return _("Make %(suits)s the %(roles)s suit and the other one plain: %(known)s.", known=known, **values)
    return _("Make %(suits)s the %(roles)s suit: %(known)s.", known=known, **values)


def _which_privilege(claims: Sequence[str | None]) -> str:
    if DECLINE in claims:
        return _(
            "Claim immunity (5 points a trick), warranty (25 points) or poverty (points for tricks below five), "
            "or decline, as %(name)s did.",
            name=named(claims.index(DECLINE)),
        )
    return _(
        "Claim immunity (5 points a trick), warranty (25 points) or poverty (points for tricks below five), or decline."
    )


def _levels(trick: Sequence[str]) -> dict[str, str]:
    """Return the suit that must be followed; none if no card or a joker is led."""
    suit = Card(trick[0]).suit if trick else ""
    return {"led": suit} if suit else {}


def _has_joker(view: Mapping[str, Json]) -> bool:
    return any(Card(card).is_joker for card in view["hand"])
