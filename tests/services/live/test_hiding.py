"""Hidden information at live tables: a page shows a seat no more than its views did, and a spectator what is open."""

import json
from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from arena.db.models import Bot, LiveBoards, LiveSeat, LiveTable, Version
from arena.games.base import CHANCE, Board, Game
from arena.games.registry import VARIANTS
from arena.match.again import Logged
from arena.match.live import Position
from arena.match.position import PUBLIC
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live.followed import Following
from arena.services.live.positions import position
from arena.services.live.tables import Wish, look, rules_for, view_of
from tests.contract.test_hiding import Step, random_steps, replayed, with_cards_swapped
from tests.services.live.people import ANN, BEN, seated

every_variant = pytest.mark.parametrize("variant", VARIANTS)


def drawing(rules: Game, steps: list[Step]) -> Callable[[int], Board]:
    """Return the function that draws the boards of these steps and, after the last move, the next one."""
    boards = [value for mover, value in steps if mover == CHANCE]

    def draw(index: int) -> Board:
        known = index < len(boards)
        return rules.board_from_json(index, boards[index]) if known else rules.draw_board(index, Random(index))

    return draw


def moves_of(steps: list[Step]) -> list[tuple[int, Logged]]:
    """Return the log of these steps."""
    return [*enumerate(Logged(mover, value) for mover, value in steps if mover != CHANCE)]


def log(steps: list[Step], absent: Collection[int] = ()) -> list[tuple[int, Logged]]:
    """Return the log of these steps; moves with the numbers `absent` are not made yet."""
    return [move for move in moves_of(steps) if move[0] not in absent]


def placed(rules: Game, steps: list[Step], absent: Collection[int] = ()) -> Position:
    """Return the position of a table with these boards and moves, without the absent ones."""
    return position(rules, drawing(rules, steps), log(steps, absent))


def shown(variant: str, viewer: int, steps: list[Step], absent: Collection[int] = ()) -> bytes:
    """Return everything that a page has of a table: for a person, with remarks, or for a spectator."""
    rules = rules_for(Wish(variant))
    one = Following(rules, drawing(rules, steps), viewer)
    one.advance(log(steps, absent))
    return drawn(variant, viewer, one)


def drawn(variant: str, viewer: int, one: Following) -> bytes:
    """Return everything that a page has of a table as a viewer has followed it."""
    table = LiveTable(code="code", state=LiveState.PLAYING, boards=LiveBoards(variant=variant))
    bot = Version(id=1, bot=Bot(name="bot"))
    table.seats = [LiveSeat(seat=seat, version_id=1, version=bot) for seat in range(one.at.rules.players)]
    if viewer != PUBLIC:
        table.seats[viewer] = LiveSeat(seat=viewer, guest="me")
    return msgspec.json.encode(view_of(table, None if viewer == PUBLIC else viewer, one, 0.0))


def told(rules: Game, steps: list[Step], viewer: int) -> list[Any] | None:
    """Return all views of a seat, or the events as a spectator knows them; None if the rules forbid a step."""
    played = replayed(rules, steps)
    if played is None:
        return None
    if viewer == PUBLIC:
        return played.shown_to(PUBLIC)
    state, views = rules.start(), []
    for mover, value in steps:
        if mover == CHANCE:
            state.deal(rules.board_from_json(state.boards, value))
        else:
            state.move(mover, value)
        views.append(json.dumps(state.view(viewer)))
    return views


def with_another_choice(rules: Game, steps: list[Step], seat: int, rng: Random) -> list[Step]:
    """Replace a move of another seat since the last board with a random legal one."""
    start = max((number for number, (mover, _) in enumerate(steps) if mover == CHANCE), default=-1)
    others = [number for number in range(start + 1, len(steps)) if steps[number][0] != seat]
    if not others:
        return steps
    number = rng.choice(others)
    before = replayed(rules, steps[:number])
    assert before is not None
    mover = before.state.seat
    return [*steps[:number], (mover, rules.token(rng.choice(before.state.legal(mover)))), *steps[number + 1 :]]


def twins(rules: Game, rng: Random) -> Iterator[tuple[list[Step], list[Step], int]]:
    """Yield steps, others that differ in cards or choices that a viewer was not told of, and the viewer."""
    steps = random_steps(rules, rng)[:120]
    for length in rng.sample(range(1, len(steps) + 1), min(20, len(steps))):
        real = steps[:length]
        for viewer in (*range(rules.players), PUBLIC):
            for change in (with_cards_swapped, with_another_choice):
                other = change(rules, real, viewer, rng)
                if other != real and told(rules, other, viewer) == told(rules, real, viewer):
                    yield real, other, viewer


@every_variant
def test_page_shows_only_what_a_seat_was_told(variant: str) -> None:
    """Matches that a viewer cannot tell apart give it the same page, byte for byte, although others can."""
    rules, differed = rules_for(Wish(variant)), False
    for real, other, viewer in twins(rules, Random(1)):
        assert shown(variant, viewer, other) == shown(variant, viewer, real)
        differed = differed or any(told(rules, other, seat) != told(rules, real, seat) for seat in range(rules.players))
    assert differed


@every_variant
def test_choice_is_secret_until_all_have_chosen(variant: str) -> None:
    """A page is the same whether others have chosen in the step at hand; who has chosen is not asked again."""
    rules, rng = rules_for(Wish(variant)), Random(2)
    steps = random_steps(rules, rng)[:60]
    for length in range(1, len(steps) - rules.players):
        at, now = placed(rules, steps[:length]), replayed(rules, steps[:length])
        assert now is not None
        actors = () if at.chosen else now.state.actors()
        for late in range(1, len(actors)):
            absent = rng.sample(range(len(actors)), late)
            numbers = [at.moves + place for place in absent]
            whole = steps[: length + len(actors)]
            partly = placed(rules, whole, numbers)
            waiting = {actors[place] for place in absent}
            assert {*partly.chosen} == {*actors} - waiting
            assert all(partly.number(seat) is None for seat in partly.chosen)
            for viewer in (*waiting, PUBLIC):
                assert shown(variant, viewer, whole, numbers) == shown(variant, viewer, steps[:length])


@every_variant
def test_table_that_was_followed_is_the_same_as_a_new_one(variant: str) -> None:
    """A view does not depend on the answers before it, however many moves were new in each."""
    rules, rng = rules_for(Wish(variant)), Random(3)
    steps = random_steps(rules, rng)[:80]
    for viewer in (*range(rules.players), PUBLIC):
        one, made = Following(rules, drawing(rules, steps), viewer), 0
        while made < len(steps):
            made = min(len(steps), made + rng.choice((1, 2, 5, 20)))
            one.advance(log(steps[:made]))
            assert drawn(variant, viewer, one) == shown(variant, viewer, steps[:made])


def test_table_that_waits_for_people_shows_no_cards(arena: Arena) -> None:
    """Nobody can choose a seat by its cards: they are dealt when the match starts."""
    code = seated(arena, "suitability-2", state=LiveState.WAITING)

    for person in (ANN, BEN, None):
        table = look(arena, person, code)
        assert (table.question, table.replay["steps"], table.replay["cards"]) == (None, [], [])
