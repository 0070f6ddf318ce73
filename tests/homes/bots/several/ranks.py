"""Ranks of cards."""

from arena.sdk import Card


def high(card: Card) -> bool:
    """Return whether a card is a joker, a heart or an honour."""
    return len(card) == 2 and (card.is_joker or card.suit == "H" or card.rank in "TJQKA")
