"""Boards: shuffle a pack, and read the hands of a record."""

from collections.abc import Mapping, Sequence
from random import Random

from arena.games.errors import BoardError, shown
from arena.games.events import Json


def shuffled(pack: Sequence[int], rng: Random) -> list[int]:
    """Return the cards in random order, each order equally likely."""
    random = rng.random
    # Sorting by random keys takes half the time of `rng.shuffle`.
    return sorted(pack, key=lambda _: random())


def hands_of(pack: Sequence[int], players: int, each: int, rng: Random) -> list[list[int]]:
    """Deal hands of `each` cards from a shuffled pack, by seat."""
    cards = shuffled(pack, rng)
    return [cards[first : first + each] for first in range(0, players * each, each)]


def read_hands(data: Json, players: int, each: int, pack: Mapping[str, int], *others: Json) -> list[list[int]]:
    """Read the ``hands`` of a board, by seat. `pack` maps tokens to cards; `others` are further tokens of the board.

    Raises `BoardError` unless each hand has `each` cards and all tokens are distinct cards of the pack.
    """
    hands = data.get("hands") if isinstance(data, dict) else None
    if not isinstance(hands, list) or len(hands) != players:
        raise BoardError(f"hands must be a list of {players} hands")
    for seat, hand in enumerate(hands):
        if not isinstance(hand, list) or len(hand) != each:
            raise BoardError(f"seat {seat} must have {each} cards")
    check_cards([*(card for hand in hands for card in hand), *others], pack)
    return [[pack[card] for card in hand] for hand in hands]


def check_cards(dealt: Sequence[Json], pack: Mapping[str, int]) -> None:
    """Check that all tokens are distinct cards of the pack. Raises `BoardError`."""
    left = set(pack)
    for card in dealt:
        if not isinstance(card, str) or card not in left:
            raise BoardError(f"{shown(card)} is not a card of this pack, or is dealt twice")
        left.remove(card)
