"""The clock of a seat, and how much time every variant gives."""

from random import Random

import pytest

from arena.games.base import CHANCE, OVER, Game
from arena.games.registry import VARIANTS, game, variant
from arena.match.clock import CLOCKS, Clock, ClockRule, clock_of
from arena.sdk.faults import Fault


def rules_of(id: str) -> Game:
    """The game of a variant."""
    return game(variant(id).game, variant(id).options)


def decisions(rules: Game, seed: int) -> int:
    """How often a seat is asked in one match of random players, on average over the seats."""
    rng = Random(seed)
    state, asked = rules.start(), 0
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(rules.draw_board(state.boards, rng))
            continue
        legal = {seat: state.legal(seat) for seat in state.actors()}
        asked += sum(len(actions) > 1 for actions in legal.values())
        for actions in legal.values():
            state.apply(rng.choice(actions))
    return asked // rules.players


def test_every_variant_has_a_clock_and_no_other() -> None:
    """A variant that is new in the registry needs one."""
    assert set(CLOCKS) == set(VARIANTS)


@pytest.mark.parametrize("id", VARIANTS)
def test_a_clock_fits_the_length_of_its_match(id: str) -> None:
    """A decision may take about as long in every variant, and no match takes more than three minutes of computing."""
    rules, clock = rules_of(id), clock_of(rules_of(id))
    asked = sum(decisions(rules, seed) for seed in range(4)) / 4
    time = clock.bank + asked * clock.increment

    assert 0.15 <= time / asked <= 0.4
    assert time * rules.players <= 180


def test_options_of_no_variant_take_the_clock_of_the_games_first() -> None:
    """Anything can be played at home."""
    assert clock_of(game("suitability", {"deals": 9})) == CLOCKS["suitability-4"]
    assert clock_of(rules_of("separate-suits-8")) == CLOCKS["separate-suits-8"]


def test_a_bank_with_an_increment() -> None:
    """Every question adds to what is left, every answer takes its cost."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25))

    assert clock.begin(0.0) == 1.25
    clock.charge(0.5)
    assert clock.begin(0.0) == 1.0
    assert sum(clock.times) == 0.5


def test_pondering_is_charged_before_the_next_question() -> None:
    """Up to the allowance it only costs time: the bot is told what is left without it."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25, allowance=0.5))

    assert clock.begin(0.25) == 1.0
    assert clock.begin(0.25) == 1.0
    assert clock.times == []
    with pytest.raises(Fault, match=r"^ponder: it computed for 0\.51 s out of turn; 0\.5 s are allowed"):
        clock.begin(0.01)


def test_pondering_may_empty_the_bank() -> None:
    """Then there is nothing left to be asked with."""
    clock = Clock(ClockRule(bank=1.0, increment=0.0, allowance=2.0))
    with pytest.raises(Fault, match=r"^timeout"):
        clock.begin(1.0)


def test_an_overdrawn_bank() -> None:
    """It names the bank and the increment."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25))
    clock.begin(0.0)
    with pytest.raises(Fault, match=r"^timeout: its bank of 1 s and 0\.25 s per move"):
        clock.charge(1.3)


def test_a_look_at_who_is_not_awaited() -> None:
    """Nothing is charged by looking, and what is too much is a fault at once."""
    clock = Clock(ClockRule(bank=1.0, increment=0.0, allowance=0.5))
    clock.look(1.0, asked=True)
    clock.look(0.5, asked=False)

    assert clock.begin(0.0) == 1.0
    with pytest.raises(Fault, match=r"^timeout"):
        clock.look(1.1, asked=True)
    with pytest.raises(Fault, match=r"^ponder"):
        clock.look(0.6, asked=False)
