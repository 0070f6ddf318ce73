"""Hidden information in every game, judged by its events: a view may not show more than the seat was shown.

A match is a list of steps: boards, and moves of seats. If a change of hidden parts (the places of two cards, a choice
of another seat) leaves every event unchanged as one seat sees it, then that seat's view must not change either.
"""

import json
import re
from random import Random
from typing import NamedTuple

import pytest

from arena.games.base import CHANCE, OVER, Game, State
from arena.games.errors import BoardError, IllegalAction
from arena.games.events import Event, Json
from tests.contract.cases import CASES
from tests.contract.test_games import as_sent, every_game

pytestmark = pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow

Step = tuple[int, Json]
"""CHANCE and a board, or a seat and a token."""


class Replayed(NamedTuple):
    """Result of a list of steps."""

    state: State
    events: list[Event]

    def shown_to(self, seat: int) -> list[dict[str, Json]]:
        """Return all events as a seat sees them."""
        return [event.for_seat(seat) for event in self.events]


def random_steps(rules: Game, rng: Random) -> list[Step]:
    """Return the steps of a random match."""
    state, steps = rules.start(), list[Step]()
    while state.seat != OVER:
        if state.seat == CHANCE:
            board = rules.draw_board(state.boards, rng)
            steps.append((CHANCE, json.loads(json.dumps(rules.board_to_json(board)))))
            state.deal(board)
        else:
            action = rng.choice(state.legal(state.seat))
            steps.append((state.seat, rules.token(action)))
            state.apply(action)
    return steps


def replayed(rules: Game, steps: list[Step]) -> Replayed | None:
    """Play the steps; None if the rules do not allow them."""
    events: list[Event] = []
    state = rules.start(events)
    try:
        for seat, value in steps:
            if seat != CHANCE:
                state.move(seat, value)
            elif state.seat == CHANCE:
                state.deal(rules.board_from_json(state.boards, value))
            else:
                return None
    except (BoardError, IllegalAction):
        return None
    return Replayed(state, events)


def with_cards_swapped(rules: Game, steps: list[Step], seat: int, rng: Random) -> list[Step]:
    """Swap two cards in the last board, and in all moves of other seats since."""
    start = max((number for number, (mover, _) in enumerate(steps) if mover == CHANCE), default=-1)
    tokens = re.findall(r'"(\w\w)"', json.dumps(steps[start][1])) if start >= 0 else []
    if not tokens:
        return steps
    one, two = rng.sample(tokens, 2)

    def swapped(text: str) -> str:
        return re.sub(rf"\b(?:{one}|{two})\b", lambda found: two if found[0] == one else one, text)

    after = [(mover, token if mover == seat else swapped(token)) for mover, token in steps[start + 1 :]]
    return [*steps[:start], (CHANCE, json.loads(swapped(json.dumps(steps[start][1])))), *after]


def with_another_choice(rules: Game, steps: list[Step], seat: int, rng: Random) -> list[Step]:
    """Replace one of the latest moves of another seat with a random legal one."""
    latest = range(max(0, len(steps) - 2 * rules.players), len(steps))
    others = [number for number in latest if steps[number][0] not in (CHANCE, seat)]
    if not others:
        return steps
    number = rng.choice(others)
    before = replayed(rules, steps[:number])
    assert before is not None
    action = rng.choice(before.state.legal(steps[number][0]))
    return [*steps[:number], (steps[number][0], rules.token(action)), *steps[number + 1 :]]


@every_game
def test_view_shows_no_more_than_events_did(rules: Game) -> None:
    """Changes that a seat has not been shown do not change its view."""
    rng, differed = Random(1), False
    steps = random_steps(rules, rng)[:100]
    for length in rng.sample(range(1, len(steps)), min(40, len(steps) - 1)):
        real = replayed(rules, steps[:length])
        assert real is not None
        for seat in range(rules.players):
            for change in (with_cards_swapped, with_another_choice):
                other = replayed(rules, change(rules, steps[:length], seat, rng))
                if other and other.shown_to(seat) == real.shown_to(seat):
                    assert as_sent(other.state, seat) == as_sent(real.state, seat)
                    differed = differed or any(
                        as_sent(other.state, each) != as_sent(real.state, each) for each in range(rules.players)
                    )
    assert differed == CASES[rules.id].hides(rules)
