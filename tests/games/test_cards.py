"""The tables between cards inside and cards outside."""

from hypothesis import given
from hypothesis import strategies as st

from arena.games.cards import CARDS, INDEX, Card, cards_in, mask_of, tokens

hands = st.sets(st.integers(0, 54))


@given(hands)
def test_a_hand_lists_its_cards_in_canonical_order(cards: set[int]) -> None:
    """A mask gives back exactly the cards that went in, ascending."""
    assert list(cards_in(mask_of(cards))) == sorted(cards)


@given(hands)
def test_tokens_name_the_cards_of_a_hand(cards: set[int]) -> None:
    """Tokens and integers stand for one another."""
    assert [INDEX[token] for token in tokens(mask_of(cards))] == sorted(cards)


def test_a_card_knows_its_rank_and_suit() -> None:
    """A card is its token, and can be asked for its parts."""
    card = Card("TS")

    assert (card.rank, card.suit, card.is_joker, card == "TS") == ("T", "S", False, True)


def test_a_joker_has_a_number_and_no_suit() -> None:
    """Jokers are X1, X2 and X3."""
    assert [(card.rank, card.suit, card.is_joker) for card in CARDS[52:]] == [(n, "", True) for n in "123"]


def test_canonical_order_is_by_suit_then_rank() -> None:
    """C D H S, each from the two to the ace, then jokers."""
    assert " ".join(CARDS[:14]) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D"
    assert CARDS[-1] == "X3"
