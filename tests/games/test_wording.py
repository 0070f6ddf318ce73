"""Words for a person at the table: what games share, and the words of a game that has none of its own."""

import pytest

from arena.games import cards, spanish
from arena.games.wording import LABELS, NAMES, all_of, any_of, card_label, card_name
from tests.games.high_card import HighCard
from tests.positions import position

VIEW = {"seat": 1, "phase": "play", "legal": ["QH"], "hand": ["2S", "QH"]}


@pytest.mark.parametrize(
    ("deck", "token", "name", "label"),
    [
        ("french", "QH", "queen of hearts", "Q♥"),
        ("french", "TC", "ten of clubs", "10♣"),
        ("french", "X2", "joker", "Joker 2"),
        ("spanish", "KO", "rey of coins", "Rey of coins"),
        ("ranks", "T", "ten", "10"),
        ("ranks", "A", "ace", "A"),
    ],
)
def test_cards_have_names_and_labels(deck: str, token: str, name: str, label: str) -> None:
    """Names stand in sentences, labels on buttons."""
    assert (NAMES[deck][token], LABELS[deck][token]) == (name, label)
    assert (card_name(token, deck), card_label(token, deck)) == (name, label)


def test_every_card_of_a_deck_has_words() -> None:
    """The decks are complete, and no two labels of a deck are alike."""
    for deck, tokens in (("french", cards.TOKENS), ("spanish", spanish.TOKENS), ("ranks", cards.RANKS)):
        assert {*NAMES[deck]} == {*LABELS[deck]} == {*tokens}
        assert len({*LABELS[deck].values()}) == len(tokens)


@pytest.mark.parametrize(("words", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")])
def test_words_are_joined(words: list[str], text: str) -> None:
    """Commas separate all but the last two."""
    assert any_of(words) == text
    assert all_of(words) == text.replace("or", "and")


def test_small_game_needs_no_words_of_its_own() -> None:
    """The defaults suit a game whose actions are cards."""
    game = HighCard()
    view = position(game, 1, 4).view(1)

    assert game.question(view) == "Choose your move."
    assert {game.label(token, view): game.cards_of(token) for token in ("QH", "TS")} == {
        "Q♥": ("QH",), "10♠": ("TS",),
    }  # fmt: skip


def test_actions_that_are_only_said_move_no_cards() -> None:
    """A token names cards, separated by commas, or something else, which is its own label."""
    game = HighCard()

    assert game.cards_of("2S,QH") == ("2S", "QH")
    assert game.cards_of("no trump") == game.cards_of("2S,pass") == game.cards_of("") == ()
    assert game.label("no trump", VIEW) == "no trump"


@pytest.mark.parametrize(
    ("card", "more", "text"),
    [
        ("AS", {}, "You do not hold the ace of spades."),
        ("pass", {}, "The rules do not allow that now."),
        ("2S", {}, "The rules do not allow that now."),
        ("2S", {"legal": []}, "It is not your turn."),
        ("2S", {"legal": [], "chosen": None}, "It is not your turn."),
        ("2S", {"legal": [], "chosen": "QH"}, "You have chosen: wait for the others."),
    ],
)
def test_refusals_that_need_no_rule(card: str, more: dict[str, object], text: str) -> None:
    """Names of cards are the same in every game."""
    assert HighCard().refusal({**VIEW, **more}, card) == text


def test_refusal_needs_no_hand() -> None:
    """A game may call its cards something else."""
    assert HighCard().refusal({"legal": ["QH"]}, "2S") == "The rules do not allow that now."
