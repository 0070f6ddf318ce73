"""`make bench ARGS=response`: what a seat gains that knows more than the bots in the others."""

import pytest

from arena.games.base import Game, State
from arena.games.registry import rules_of
from benchmarks import response
from benchmarks.bots import Everywhere
from benchmarks.response import Response, Seats, clearly_best, lead
from tests.positions import position


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make bots compare little."""
    little = {"search": {"WORLDS": 2, "FEWER": 1, "PLAYOUTS": 1, "OPEN": 2}, "regret": {"STEPS": 3, "CHOICES": 10}}
    for name, value in {"DEALS": 2, "WORLDS": 4, "LOOK": 2, "LONGER": little, "BRIEF": little}.items():
        monkeypatch.setattr(response, name, value)


def brief_bots(name: str, rules: Game, _: object = None) -> Everywhere:
    """Return bots that compare little, whatever they are for."""
    return Everywhere(name, rules, response.BRIEF[name])


@pytest.mark.parametrize("variant", ["suitability-2", "suits-barnhart-solitaire", "separate-suits-2"])
def test_responses_of_a_variant_are_measured(monkeypatch: pytest.MonkeyPatch, variant: str) -> None:
    """Games in turn, without opponents, and with choices at the same time."""
    monkeypatch.setattr(response, "Everywhere", brief_bots)

    (table,) = response.run(1, [variant])

    ((name, bot, *gains, own, best),) = table.rows
    assert (name, bot) == (variant, "regret" if "separate" in variant else "search")
    assert all("±" in gain for gain in gains)
    assert own.endswith(" s")
    assert best.endswith(" s")


def test_seat_in_place_of_an_equal_bot_gains_nothing() -> None:
    """All matches of a seed have the same cards and the same luck."""
    seats = Seats(rules_of("separate-suits-2").shortest(), "regret")

    assert seats._play(bytes(32), 1, seats.bots) == seats._play(bytes(32), None, seats.bots)
    assert sum(seats._play(bytes(32), None, seats.bots)) == 0


def test_only_a_clearly_better_action_replaces_the_choice() -> None:
    """An action must be better by two standard errors; of several the best one is taken."""
    points = {1: [0.0, 1.0, 2.0, 3.0], 2: [1.0, 2.1, 3.0, 4.0], 3: [2.0, 3.1, 4.0, 5.0], 4: [9.0, -9.0, 30.0, -9.0]}

    assert clearly_best(points, 1) == 3
    assert clearly_best({one: points[one] for one in (1, 4)}, 1) == 1
    assert clearly_best(points, 3) == 3


def test_seat_that_sees_all_cards_tries_actions_in_the_true_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise worlds are drawn from its view."""
    rules = rules_of("suits-steere-3")
    state, worlds = position(rules, 1, 20), list[State]()
    bots = Everywhere("search", rules, response.BRIEF["search"])

    def points(_: Response, world: State, action: int) -> float:
        worlds.append(world)
        return -action

    monkeypatch.setattr(Response, "_points", points)

    for sees in (True, False):
        worlds.clear()
        Response(bots, bots, state.seat, sees=sees).choose(state)
        assert all((world == state) == sees for world in worlds)
        assert worlds


def test_lead_is_over_the_average_of_the_others() -> None:
    """Points of partners are added."""
    assert lead(rules_of("suitability-3"), 1, [3, 9, 5]) == 5
    assert lead(rules_of("suitability-4-partners"), 0, [1, 2, 3, 5]) == -3
    assert lead(rules_of("suits-barnhart-solitaire"), 0, [7]) == 7
