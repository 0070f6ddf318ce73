"""Tables between integers and tokens of cards."""

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import cards as cards_module
from arena.games.cards import CARD_ROWS, CARDS, INDEX, TOKEN_ROWS, Card, cards_in, mask_of, tokens
from arena.games.registry import game

hands = st.sets(st.integers(0, 54))


@given(hands)
def test_hand_lists_its_cards_in_canonical_order(cards: set[int]) -> None:
    """A mask yields exactly the cards that went in, ascending."""
    assert list(cards_in(mask_of(cards))) == sorted(cards)


@given(hands)
def test_tokens_name_the_cards_of_a_hand(cards: set[int]) -> None:
    """Tokens and integers correspond."""
    assert [INDEX[token] for token in tokens(mask_of(cards))] == sorted(cards)


@pytest.mark.parametrize("id", ["suitability", "suit_yourself"])
def test_tables_are_made_on_first_use(id: str) -> None:
    """A process that plays no game does not carry them; the first deal finds them complete."""
    for cards, tokens_of_cards in zip(CARD_ROWS, TOKEN_ROWS, strict=True):
        cards.clear()
        tokens_of_cards.clear()
    rules = game(id)
    state = rules.start()
    state.deal(rules.draw_board(0, Random(1)))
    view = state.view(0)

    assert [len(rows) for rows in CARD_ROWS] == [len(rows) for rows in TOKEN_ROWS] == [8192] * 4 + [8]
    assert len(view["hand"]) == 13
    assert CARD_ROWS[3][0b101] == (39, 41)
    assert TOKEN_ROWS[3][0b101] == ("2S", "4S")


@pytest.mark.parametrize("id", ["suitability", "suit_yourself"])
def test_tables_half_made_by_another_thread_are_not_read(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a thread is interrupted while it makes the tables, another one sees the right hand."""
    rules, make = game(id), cards_module._rows
    board = rules.draw_board(0, Random(1))

    def hand() -> object:
        state = rules.start()
        state.deal(board)
        return state.view(0)["hand"]

    right = hand()
    for moment in range(2 * len(CARD_ROWS)):
        for numbers, names in zip(CARD_ROWS, TOKEN_ROWS, strict=True):
            numbers.clear()
            names.clear()
        calls = count()
        seen: list[object] = []

        def interrupted(items: Sequence[Any], moment: int = moment, calls: Any = calls, seen: Any = seen) -> Any:
            if next(calls) == moment:
                seen.append(hand())
            return make(items)

        monkeypatch.setattr(cards_module, "_rows", interrupted)
        assert [hand(), *seen] == [right, right]


def test_card_knows_its_rank_and_suit() -> None:
    """A card is its token, with its parts as properties."""
    card = Card("TS")

    assert (card.rank, card.suit, card.is_joker, card == "TS") == ("T", "S", False, True)


def test_joker_has_a_number_and_no_suit() -> None:
    """Jokers are X1, X2 and X3."""
    assert [(card.rank, card.suit, card.is_joker) for card in CARDS[52:]] == [(n, "", True) for n in "123"]


def test_canonical_order_is_by_suit_then_rank() -> None:
    """Suits are C D H S, each from two to ace; jokers follow."""
    assert " ".join(CARDS[:14]) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D"
    assert CARDS[-1] == "X3"
