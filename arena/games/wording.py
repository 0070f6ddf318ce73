"""Words for a person at the table that several games share: names of cards, turns, following suit.

All words follow from the view of one seat, so they tell nothing that the seat may not know. In a sentence ``{0}``
stands for the name of seat 0, as in `arena.games.events`; the reader is "you".
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from arena.games import cards, spanish
from arena.games.cards import RANK_LABELS, RANK_NAMES, SUIT_NAMES, SUIT_SIGNS
from arena.games.events import Json

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
"""Names of cards in sentences, by deck (`Game.deck`) and token: ``queen of hearts``."""
LABELS: Final[Mapping[str, Mapping[str, str]]] = {
    "french": {
        **{rank + suit: label + sign for suit, sign in SUIT_SIGNS.items() for rank, label in RANK_LABELS.items()},
        **{token: f"Joker {token[1]}" for token in cards.TOKENS[52:]},
    },
    "spanish": {token: name.capitalize() for token, name in NAMES["spanish"].items()},
    "ranks": RANK_LABELS,
}
"""Cards as buttons show them, by deck and token: ``Q♥``."""

NOT_NOW: Final = "The rules do not allow that now."
CHOSEN: Final = "You have chosen: wait for the others."
NO_TURN: Final = "It is not your turn."


def cards_of(token: str, deck: str) -> tuple[str, ...]:
    """Return the cards that a token names, separated by commas; none if it names anything else."""
    named = tuple(token.split(","))
    return named if NAMES[deck].keys() >= {*named} else ()


def joined(words: Sequence[str], word: str) -> str:
    """Return words with commas, and `word` before the last: ``clubs, hearts or spades``."""
    return f" {word} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def lead(view: Mapping[str, Json]) -> str:
    """Return the question to a seat that leads any card."""
    if view["tricks"]:
        return "You won the last trick: lead any card to the next."
    return "Lead any card to the first trick."


def follow(view: Mapping[str, Json], levels: Mapping[str, str], instead: str = "") -> str:
    """Return the question to a seat that follows a French card.

    `levels` are the suits by name that the seat must play if it can, the suit led first. `instead` names other cards
    that it may play.
    """
    level, missing = _duty(view["hand"], levels)
    card, leader = view["trick"][0], view["leader"]
    if not missing:
        return f"Follow {SUIT_NAMES[card[1]]}{instead}: {{{leader}}} led the {RANK_NAMES[card[0]]}."
    task = f"Play {SUIT_NAMES[levels[level]]}, the {level} suit" if level else "Play any card"
    return f"{task}: {{{leader}}} led the {NAMES['french'][card]} and you hold no {joined(missing, 'or')}."


def must_follow(view: Mapping[str, Json], levels: Mapping[str, str], instead: str = "") -> str:
    """Return the refusal of a held card of another suit than the one that must be played; see `follow`."""
    level, missing = _duty(view["hand"], levels)
    if not level:
        return NOT_NOW
    suit = SUIT_NAMES[levels[level]]
    if not missing:
        return f"You hold {suit}, so you must follow {suit}{instead}."
    return f"You hold {suit}, the {level} suit, and no {joined(missing, 'or')}, so you must play {suit}."


def _duty(hand: Collection[str], levels: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the level whose suit must be played, if any, and the suits of the levels before it, by name."""
    held = {card[1] for card in hand}
    missing: list[str] = []
    for level, suit in levels.items():
        if suit in held:
            return level, missing
        missing.append(SUIT_NAMES[suit])
    return "", missing


def hindrance(view: Mapping[str, Json], card: str, held: Collection[str], deck: str) -> str:
    """Return why a seat with these cards cannot choose one, whatever the game's rules; empty if only they are left."""
    if not view["legal"]:
        return CHOSEN if view.get("chosen") else NO_TURN
    if card not in NAMES[deck]:
        return NOT_NOW
    return "" if card in held else f"You do not hold the {NAMES[deck][card]}."
