"""Matches as text: the deal in a diagram, a line for each trick, the result."""

import doctest
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli.random_records import random_match
from arena.games.errors import RecordError
from arena.games.registry import VARIANTS, rules_of
from arena.games.suits_steere import SuitsSteere
from arena.games.wording import LABELS, NAMES
from arena.match import record, text
from arena.match.replay import replay
from tests import golden
from tests.match.players import Scripted, failing
from tests.match.players import played as match_of

DOCS = Path(__file__).parents[2] / "docs/data.md"


def written(variant: str) -> tuple[dict[str, Any], list[str]]:
    """Return the golden record of a variant, and the lines of its text."""
    kept = record.parse(golden.path(variant).read_bytes())
    return kept, text.text_of(kept).splitlines()


def spelled(deck: str) -> dict[str, str]:
    """Return the words for the cards of a deck, by token."""
    return dict(NAMES[deck] if deck == "spanish" else LABELS[deck])


def cards_in(line: str, deck: str) -> list[str]:
    """Return the tokens of the cards that a line names, in order."""
    tokens = {words: token for token, words in spelled(deck).items()}
    longest_first = "|".join(map(re.escape, sorted(tokens, key=len, reverse=True)))
    return [tokens[found] for found in re.findall(rf"(?<![\w(])(?:{longest_first})(?![\w)])", line)]


def in_diagrams(lines: list[str], deck: str) -> Iterator[str]:
    """Yield the tokens of the cards in diagrams, whose lines have no punctuation."""
    tokens = {tuple(text.hand([token], deck)[0].rsplit(" ", 1)): token for token in spelled(deck)}
    suits = sorted({suit[0] for suit in tokens if len(suit) > 1} | {"Joker"})
    ranks = sorted({suit[-1] for suit in tokens}, key=len, reverse=True)
    row = (
        rf"(?:(?<!\S)({'|'.join(suits)}) )?((?:\b(?:{'|'.join(ranks)})(?: |$))+)"
        if deck != "ranks"
        else r"()(A K.*? 2)"
    )
    for line in (line for line in lines if not re.search(r"[.:]|^Players", line)):
        for suit, held in re.findall(row, line):
            yield from (tokens[(suit, rank) if suit else (rank,)] for rank in held.split())


@pytest.mark.parametrize("variant", VARIANTS)
def test_tricks_have_the_cards_of_the_record(variant: str) -> None:
    """Each trick is a line with all its cards in the order in which they were played, and numbers start at 1."""
    kept, lines = written(variant)
    events = [event for step in replay(kept)["steps"] for event in step["events"]]
    cards = [event["cards"][0] for event in events if event["kind"] in text.PLAYS]
    tricks = [line for line in lines if line.startswith("Trick ")]
    deck = rules_of(variant).deck
    plays = [re.sub(r"^Trick \d+(, attempt \d+)?[.:]", "", line) for line in tricks]
    before = [re.split(r"\. [^.]* wins the trick|\. Equal cards|\. No card", line)[0] for line in plays]

    assert [card for line in before for card in cards_in(line, deck)] == cards
    assert tricks[0].startswith(("Trick 1: ", "Trick 1. "))
    assert len(tricks) == sum(event["kind"] in ("trick", "void") for event in events) + len(
        [event for event in events if event["kind"] == "replay" and not event["cards"]]
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_diagrams_have_the_cards_of_the_deals(variant: str) -> None:
    """Every dealt card is in a diagram, or in a line below it if it belongs to no seat."""
    kept, lines = written(variant)
    deck, steps = rules_of(variant).deck, replay(kept)["steps"]
    deals = [step["events"] for step in steps if step["events"][0]["kind"] == "deal"]
    given = Counter(card for events in deals for event in events if event["kind"] == "deal" for card in event["cards"])
    other = [line for line in lines if re.search(r"is turned up|is shuffled", line)]
    beside = Counter(card for line in other for card in cards_in(line, deck))

    assert Counter(in_diagrams(lines, deck)) + beside == given


@pytest.mark.parametrize("variant", VARIANTS)
def test_text_names_designer_players_and_result(variant: str) -> None:
    """The first line has the game's designer, the last one everybody's score."""
    kept, lines = written(variant)
    game = rules_of(variant)

    assert lines[0] == f"{game.title}, designed by {game.designer} ({game.source})"
    assert lines[2].startswith("Players, clockwise: random")
    assert lines[-1].startswith("Result: 1. ")
    assert sorted(map(int, re.findall(r" (-?\d+)(?:,|$)", lines[-1]))) == sorted(kept["scores"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_text_of_other_matches(variant: str) -> None:
    """Every match has a text without marks of names and cards."""
    for seed in range(3):
        written = text.text_of(random_match(rules_of(variant), bytes([seed]) * 32))

        assert not set(written) & set("{}[]")
        assert "\n\n\n" not in written


def test_deals_by_seat() -> None:
    """Seat 0 sits at the bottom and the others clockwise; a seat without cards leaves its place empty."""
    blocks = {seat: [f"<{seat}>"] for seat in range(6)}
    rows = {count: [line.split() for line in text.diagram(blocks, count)] for count in range(1, 7)}

    assert rows[1] == [["<0>"]]
    assert rows[2] == [["<1>"], [], ["<0>"]]
    assert rows[3] == [["<1>", "<2>"], ["<0>"]]
    assert rows[5] == [["<2>", "<3>"], ["<1>", "<4>"], ["<0>"]]
    assert rows[6] == [["<3>"], ["<2>", "<4>"], ["<1>", "<5>"], ["<0>"]]
    assert [*text.diagram({2: ["<2>"]}, 3)] == ["<2>"]


def test_names_are_printable_and_distinct() -> None:
    """A name from a record cannot end a line or move the cursor."""
    assert text.seat_names([{"name": "a\n\x1b[2J"}, {"name": "a"}, {"name": "a"}]) == [
        "a\ufffd\ufffd[2J",
        "a (1)",
        "a (2)",
    ]


def test_fault_is_told() -> None:
    """The last line names the seat for which the arena played, the verdict and the move."""
    players = [Scripted(), Scripted(failing("timeout", 2))]
    kept = match_of(rules_of("suitability-2"), players).record

    move = kept["faults"][0]["move"]
    assert text.text_of(kept).splitlines()[-1] == f"bot1 failed (timeout) at move {move}; the arena played on for it."


def test_tie_break_is_told() -> None:
    """Cards that are dealt to the middle have a line each and no diagram."""
    written = text.text_of(random_match(SuitsSteere({"hands": 2}), bytes([11]) * 32))

    assert (
        "are tied for first: random (1) deals a card to each player.\n\nrandom (2) is dealt nine of coins.\n" in written
    )


def test_wrong_record_has_no_text() -> None:
    """The error is that of `arena verify`."""
    kept, _ = written("suitability-4")
    kept["scores"][0] += 1

    with pytest.raises(RecordError, match="scores must be"):
        text.text_of(kept)


def test_examples_of_the_module() -> None:
    """The examples in docstrings are right."""
    assert doctest.testmod(text).attempted == 5
    assert doctest.testmod(text).failed == 0


def test_example_of_the_docs() -> None:
    """The page shows the text of a golden record."""
    example = re.search(r"```text\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert example

    head, *parts = example[1].split("…\n")
    whole = text.text_of(record.parse(golden.path("suits-steere-3").read_bytes()))
    assert whole.startswith(head)
    assert [part for part in parts if part not in whole] == []
