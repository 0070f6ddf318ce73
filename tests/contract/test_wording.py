"""Words for a person at the table, at every position of random matches."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from arena.games.base import Game
from tests.contract.test_games import every_game
from tests.positions import positions


def views(rules: Game) -> Iterator[dict[str, Any]]:
    """Yield the views, as sent, of all seats that choose in a random match."""
    for state in positions(rules, 0):
        for seat in state.actors():
            yield json.loads(json.dumps(state.view(seat)))


def own_cards(view: dict[str, Any]) -> list[str]:
    """Return the cards that a seat may touch."""
    cards: list[str] = view["hand"] if "hand" in view else view["drawn"]
    return cards


def is_sentence(text: str, rules: Game, seat: int) -> bool:
    """Return whether this is one sentence that can have names put in, and calls its reader you."""
    names = [f"bot-{each}" for each in range(rules.players)]
    plain = text.format(*names)
    words = plain[:1].isupper() and plain.endswith((".", "?")) and ". " not in plain
    return words and names[seat] not in plain and not set(plain) & set("{}[]_")


@every_game
def test_seat_that_chooses_is_asked_in_a_sentence(rules: Game) -> None:
    """The question is one sentence."""
    for view in views(rules):
        question = rules.question(view)
        assert is_sentence(question, rules, view["seat"]), question


@every_game
def test_buttons_of_legal_actions_are_unlike(rules: Game) -> None:
    """Each legal action has a short label of its own."""
    for view in views(rules):
        labels = [rules.label(token, view) for token in view["legal"]]
        assert len(set(labels)) == len(labels)
        assert all(0 < len(label) <= 24 for label in labels)


@every_game
def test_actions_move_own_cards(rules: Game) -> None:
    """The cards of an action are in the hand; no two actions move the same cards in the same order."""
    for view in views(rules):
        moved = [cards for cards in map(rules.cards_of, view["legal"]) if cards]
        assert len(set(moved)) == len(moved)
        assert {card for cards in moved for card in cards} <= {*own_cards(view)}


@every_game
def test_each_unusable_card_has_a_refusal(rules: Game) -> None:
    """So has a card of another seat, a word that is no action, and each card when it is not the seat's turn."""
    rng = Random(0)
    for view in views(rules):
        usable = {card for token in view["legal"] for card in rules.cards_of(token)}
        hand = own_cards(view)
        waiting = {**view, "legal": []}
        refusals = [rules.refusal(view, card) for card in hand if card not in usable]
        refusals += [rules.refusal(view, "nonsense"), rules.refusal(waiting, rng.choice(hand))]
        for text in refusals:
            assert is_sentence(text, rules, view["seat"]), text


@every_game
def test_words_are_the_same_for_views_in_memory(rules: Game) -> None:
    """Views need not have been sent: tuples do as well as lists."""
    for state in positions(rules, 0):
        view = state.view(state.seat)
        sent = json.loads(json.dumps(view))
        assert rules.question(view) == rules.question(sent)
        assert rules.refusal(view, own_cards(view)[0]) == rules.refusal(sent, own_cards(sent)[0])
