"""The rules page of Suits agrees with the engine."""

import re
from itertools import permutations

from arena.games.base import OVER
from arena.games.rules import page
from arena.games.spanish import INDEX, RANK_NAMES, SUIT_NAMES, SUITS
from arena.games.suits_steere import SuitsSteereView, TieBreak
from tests.games.test_suits_steere import after_tie_break, ended, started

NAMES = ["Ana", "Ben", "Cleo"]
RANK = {name: letter for letter, name in RANK_NAMES.items()}
SUIT = {name: letter for letter, name in SUIT_NAMES.items()}


def table(heading: str) -> list[list[str]]:
    """Return the rows of the page's table with this first heading."""
    rows = re.search(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", page("suits_steere"), re.MULTILINE)
    assert rows
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[1].splitlines()]


def cards(*words: str) -> list[str]:
    """Return the tokens of cards such as "two of cups"."""
    parts = [name.split(" of ") for name in words]
    return [RANK[rank] + SUIT[suit] for rank, suit in parts]


def test_circle_is_the_cycle_of_the_suits() -> None:
    """Each suit beats the next; the last beats the first."""
    assert [(SUIT[beats], SUIT[beaten]) for beats, beaten, _ in table("Suit")] == [
        (suit, (SUITS + SUITS)[place + 1]) for place, suit in enumerate(SUITS)
    ]


def test_valued_tricks_are_right_in_any_order_of_play() -> None:
    """Each row of the table of examples agrees with the engine."""
    rows = table("In the trick")

    assert len(rows) == 8
    for trick, *chain, _ in rows:
        for played in permutations(cards(*trick.split(", "))):
            assert SuitsSteereView.order(played) == cards(*chain)


def test_worked_hand_can_be_played() -> None:
    """Dealt to the three players, the cards may be played so, and those players win and lead."""
    rows = table("Leader")
    shown = [cards(*row[1:4]) for row in rows]
    used = {card for trick in shown for card in trick}
    rest = iter(sorted({rank + suit for rank in RANK_NAMES for suit in SUITS} - used))
    state = started(hands=[[*seats, *(next(rest) for _ in range(13))] for seats in zip(*shown, strict=True)])
    for (leader, *_, winner), trick in zip(rows, shown, strict=True):
        assert state.seat == NAMES.index(leader)
        for _ in range(3):
            state.move(state.seat, trick[state.seat])
        assert state.seat == NAMES.index(winner)


def test_tie_breaks_are_right() -> None:
    """Each row of the table of tie-breaks agrees with the engine."""
    rows = table("Tied")

    assert len(rows) == 4
    for tied, *dealt, winner in rows:
        totals = [8 if name in tied else 0 for name in NAMES]
        assert after_tie_break(totals, " ".join(cards(*dealt))).winner == NAMES.index(winner)


def test_places_are_right() -> None:
    """Each row of the table of places agrees with the engine."""
    rows = table("Tricks")

    assert len(rows) == 4
    for tricks, winner, places in rows:
        assert ranks([int(count) for count in tricks.split(", ")], winner) == [int(p) for p in places.split(", ")]


def ranks(totals: list[int], winner: str) -> list[int]:
    """Return the ranks of a match with these tricks, and a tie-break won by this player if one is needed."""
    state = ended(totals)
    if winner != "nobody":
        state.deal(TieBreak(tuple(INDEX["KC"] if name == winner else seat for seat, name in enumerate(NAMES))))
    assert state.seat == OVER
    return state.game.ranks(state.keys())
