"""Words for a person at the table that several games share: names of cards, turns, following suit.

All words follow from the view of one seat, so they tell nothing that the seat may not know. In a sentence ``{0}``
stands for the name of seat 0, as in `arena.games.events`; the reader is "you". They are in the reader's language.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from arena.games import cards, spanish
from arena.games.cards import RANK_LABELS, RANK_NAMES, SUIT_NAMES, SUIT_SIGNS
from arena.games.events import Json, listed, named
from arena.words import N_, _

NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "french": {
        **{rank + suit: f"{name} of {of}" for suit, of in SUIT_NAMES.items() for rank, name in RANK_NAMES.items()},
        **dict.fromkeys(cards.TOKENS[52:], "joker"),
    },
    "spanish": {
        rank + suit: f"{name} of {of}"
        for suit, of in spanish.SUIT_NAMES.items()
        for rank, name in spanish.RANK_NAMES.items()
    },
    "ranks": RANK_NAMES,
}
"""English names of cards in sentences, by deck (`Game.deck`) and token: ``queen of hearts``."""
LABELS: Final[Mapping[str, Mapping[str, str]]] = {
    "french": {
        **{rank + suit: label + sign for suit, sign in SUIT_SIGNS.items() for rank, label in RANK_LABELS.items()},
        **{token: f"Joker {token[1]}" for token in cards.TOKENS[52:]},
    },
    "spanish": {token: name.capitalize() for token, name in NAMES["spanish"].items()},
    "ranks": RANK_LABELS,
}
"""Cards as English buttons show them, by deck and token: ``Q♥``."""

NOT_NOW: Final = N_("The rules do not allow that now.")
CHOSEN: Final = N_("You have chosen: wait for the others.")
NO_TURN: Final = N_("It is not your turn.")


def suit_name(letter: str) -> str:
    """Return the name of a French suit: ``hearts``."""
    return _(SUIT_NAMES[letter])


def rank_name(letter: str) -> str:
    """Return the name of a French rank: ``queen``."""
    return _(RANK_NAMES[letter])


def card_name(token: str, deck: str) -> str:
    """Return the name of a card for sentences: ``queen of hearts``."""
    if deck == "ranks":
        return rank_name(token)
    if deck == "spanish":
        return spanish.card_name(token)
    if token[0] == "X":
        return _("joker")
    return _("%(rank)s of %(suit)s", rank=rank_name(token[0]), suit=suit_name(token[1]))


def card_label(token: str, deck: str) -> str:
    """Return a card as buttons show it: ``Q♥``."""
    if deck == "spanish":
        return capital(spanish.card_name(token))
    if token[0] == "X":
        return _("Joker %(number)s", number=token[1])
    return LABELS[deck][token]


def cards_of(token: str, deck: str) -> tuple[str, ...]:
    """Return the cards that a token names, separated by commas; none if it names anything else."""
    found = tuple(token.split(","))
    return found if NAMES[deck].keys() >= {*found} else ()


def any_of(words: Sequence[str]) -> str:
    """Return words as a choice: ``clubs, hearts or spades``."""
    *most, last = words
    return _("%(most)s or %(last)s", most=listed(most), last=last) if most else last


def all_of(words: Sequence[str]) -> str:
    """Return words together: ``clubs, hearts and spades``."""
    *most, last = words
    return _("%(most)s and %(last)s", most=listed(most), last=last) if most else last


def lead(view: Mapping[str, Json]) -> str:
    """Return the question to a seat that leads any card."""
    if view["tricks"]:
        return _("You won the last trick: lead any card to the next.")
    return _("Lead any card to the first trick.")


def follow(view: Mapping[str, Json], levels: Mapping[str, str], joker: bool = False) -> str:
    """Return the question to a seat that follows a French card.

    `levels` are the suits by name that the seat must play if it can, the suit led first. With a `joker`, the seat may
    play that as well.
    """
    level, missing = _duty(view["hand"], levels)
    card = view["trick"][0]
    values = {"suit": suit_name(card[1]), "rank": rank_name(card[0]), "name": named(view["leader"])}
    if not missing:
        if joker:
            return _("Follow %(suit)s or play a joker: %(name)s led the %(rank)s.", **values)
        return _("Follow %(suit)s: %(name)s led the %(rank)s.", **values)
    values = {"name": values["name"], "card": card_name(card, "french"), "missing": any_of(missing)}
    if not level:
        return _("Play any card: %(name)s led the %(card)s and you hold no %(missing)s.", **values)
    return _(
        "Play %(suit)s, the %(level)s suit: %(name)s led the %(card)s and you hold no %(missing)s.",
        suit=suit_name(levels[level]), level=_(level), **values,
    )  # fmt: skip


def must_follow(view: Mapping[str, Json], levels: Mapping[str, str], joker: bool = False) -> str:
    """Return the refusal of a held card of another suit than the one that must be played; see `follow`."""
    level, missing = _duty(view["hand"], levels)
    if not level:
        return _(NOT_NOW)
    suit = suit_name(levels[level])
    if missing:
        return _(
            "You hold %(suit)s, the %(level)s suit, and no %(missing)s, so you must play %(suit)s.",
            suit=suit, level=_(level), missing=any_of(missing),
        )  # fmt: skip
    if joker:
        return _("You hold %(suit)s, so you must follow %(suit)s or play a joker.", suit=suit)
    return _("You hold %(suit)s, so you must follow %(suit)s.", suit=suit)


def _duty(hand: Collection[str], levels: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the level whose suit must be played, if any, and the suits of the levels before it, by name."""
    held = {card[1] for card in hand}
    missing: list[str] = []
    for level, suit in levels.items():
        if suit in held:
            return level, missing
        missing.append(suit_name(suit))
    return "", missing


def hindrance(view: Mapping[str, Json], card: str, held: Collection[str], deck: str) -> str:
    """Return why a seat with these cards cannot choose one, whatever the game's rules; empty if only they are left."""
    if not view["legal"]:
        return _(CHOSEN) if view.get("chosen") else _(NO_TURN)
    if card not in NAMES[deck]:
        return _(NOT_NOW)
    return "" if card in held else _("You do not hold the %(card)s.", card=card_name(card, deck))


def capital(words: str) -> str:
    """Return words with a capital letter first, for the beginning of a sentence or a label."""
    return words[:1].upper() + words[1:]
