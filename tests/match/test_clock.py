"""Clocks: accounting for one seat, and the time that every variant gives."""

from random import Random

import pytest

from arena.games.base import CHANCE, OVER, ClockRule, Game
from arena.games.registry import VARIANTS, game, variant
from arena.match.clock import MOST_COMPUTING, MOST_IDLE, Clock, clock_of
from arena.sdk.faults import Fault
from arena.sdk.player import Reply
from tests.match.players import Scripted, played


def rules_of(id: str) -> Game:
    """Return the game of a variant."""
    return game(variant(id).game, variant(id).options)


def decisions(rules: Game, seed: int) -> list[int]:
    """Return the number of decisions of each seat in one match of random players."""
    rng = Random(seed)
    state, asked = rules.start(), [0] * rules.players
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(rules.draw_board(state.boards, rng))
            continue
        legal = {seat: state.legal(seat) for seat in state.actors()}
        for seat, actions in legal.items():
            asked[seat] += len(actions) > 1
        for actions in legal.values():
            state.apply(rng.choice(actions))
    return asked


@pytest.mark.parametrize("id", VARIANTS)
def test_clock_fits_match_length(id: str) -> None:
    """Variants give similar time per decision, and random play stays well within the paid decisions."""
    rules, clock = rules_of(id), clock_of(rules_of(id))
    asked = [seat for seed in range(4) for seat in decisions(rules, seed)]
    mean = sum(asked) / len(asked)

    assert 0.15 <= (clock.bank + mean * clock.increment) / mean <= 0.4
    assert max(asked) <= 0.8 * clock.paid


@pytest.mark.parametrize("id", VARIANTS)
def test_match_time_is_bounded_for_any_length(id: str) -> None:
    """By the rule alone, all seats together compute for at most three minutes and sleep for at most two."""
    rules, clock = rules_of(id), clock_of(rules_of(id))

    assert clock.computing * rules.players <= MOST_COMPUTING == 180
    assert clock.idle * rules.players <= MOST_IDLE == 120
    assert most_computing(clock, 10**5) == pytest.approx(clock.computing)


def most_computing(rule: ClockRule, asked: int) -> float:
    """Return the CPU seconds of a bot that uses up its bank at the first question and every increment afterwards."""
    clock = Clock(rule)
    try:
        for _ in range(asked):
            clock.charge(clock.begin(0.0))
    except Fault:
        pass
    return sum(clock.times)


class Spender(Scripted):
    """Player that plays the first legal action and computes for as long as it may."""

    def reply(self, watch: object = None) -> Reply:
        self.asked = False
        return Reply(self.views[-1]["legal"][0], self.limits[-1], self.limits[-1])


@pytest.mark.parametrize("id", ["separate-suits-2", "separate-suits-4"])
def test_mirrored_match_stays_within_time_bound(id: str) -> None:
    """Mirrored bots play forty hands of ninety-one attempts each and time out when their clocks are empty."""
    rules = rules_of(id)
    result = played(rules, [Spender(wants_forced=True) for _ in range(rules.players)])

    assert sum(map(sum, result.times)) <= MOST_COMPUTING
    assert {fault["kind"] for fault in result.record["faults"]} == {"timeout"}


def test_mirrored_match_has_maximum_length() -> None:
    """Two bots that mirror each other make 3,640 moves each, the maximum in Separate Suits."""
    rules = rules_of("separate-suits-2")
    result = played(rules, [Scripted(lambda view: view["legal"][0], cpu=0.001) for _ in range(2)])

    assert len(result.record["moves"]) == 2 * 40 * 91
    assert result.record["faults"] == []


def test_custom_options_use_clock_of_first_variant() -> None:
    """Options without a variant of their own get the clock of the game's first variant."""
    assert clock_of(game("suitability", {"deals": 9})) == VARIANTS["suitability-4"].clock
    assert clock_of(rules_of("separate-suits-8")) == VARIANTS["separate-suits-8"].clock


def test_bank_and_increment() -> None:
    """Every question adds the increment to the bank, and every answer is charged to it."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25))

    assert clock.begin(0.0) == 1.25
    clock.charge(0.5)
    assert clock.begin(0.0) == 1.0
    assert clock.times == [0.5]
    assert (clock.slept, clock.wall) == (0.0, 0.0)


def test_increments_end_after_paid_decisions() -> None:
    """Later decisions and forced moves get no increment."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25, paid=2))

    assert [clock.begin(0.0, forced) for forced in (False, True, False, False, True)] == [1.25, 1.25, 1.5, 1.5, 1.5]


def test_forced_move_pays_no_increment() -> None:
    """With an empty bank a forced move is a timeout, and a decision has its increment."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25))
    clock.charge(1.0)

    with pytest.raises(Fault, match=r"^timeout"):
        clock.begin(0.0, forced=True)
    assert clock.begin(0.0) == 0.25


def test_sleep_has_its_own_bank() -> None:
    """Sleep and real time add up over the answers of a match, and sleep beyond the bank is a timeout."""
    clock = Clock(ClockRule(bank=1.0, increment=0.0, idle=5.0))
    clock.charge(0.0, slept=3.0, wall=4.0)
    clock.check_sleep(2.0)
    clock.charge(0.5, slept=2.0, wall=2.5)

    assert (clock.left, clock.slept, clock.wall) == (0.5, 5.0, 6.5)
    with pytest.raises(Fault, match=r"^timeout: it slept for 5\.1 s in this match; 5 s a match are allowed$"):
        clock.check_sleep(0.1)
    with pytest.raises(Fault, match=r"^timeout: it slept"):
        clock.charge(0.0, slept=0.1)


def test_pondering_is_charged_before_next_question() -> None:
    """Pondering within the allowance only costs time; beyond it, it is a fault."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25, allowance=0.5))

    assert clock.begin(0.25) == 1.0
    assert clock.begin(0.25) == 1.0
    assert clock.times == []
    with pytest.raises(Fault, match=r"^ponder: it computed for 0\.51 s out of turn; 0\.5 s are allowed"):
        clock.begin(0.01)


def test_pondering_can_empty_the_bank() -> None:
    """A bot that has used up its bank by pondering times out at the next question."""
    clock = Clock(ClockRule(bank=1.0, increment=0.0, allowance=2.0))
    with pytest.raises(Fault, match=r"^timeout"):
        clock.begin(1.0)


def test_overdrawn_bank_is_a_timeout() -> None:
    """The message names the bank and the increments."""
    clock = Clock(ClockRule(bank=1.0, increment=0.25))
    clock.begin(0.0)
    with pytest.raises(Fault, match=r"^timeout: its bank of 1 s, and 0\.25 s for each of its first 150 decisions, is"):
        clock.charge(1.3)


def test_checking_charges_nothing() -> None:
    """Checking CPU time charges nothing, and raises a fault as soon as it is too much."""
    clock = Clock(ClockRule(bank=1.0, increment=0.0, allowance=0.5))
    clock.check_computing(1.0, asked=True)
    clock.check_computing(0.5, asked=False)

    assert clock.begin(0.0) == 1.0
    with pytest.raises(Fault, match=r"^timeout"):
        clock.check_computing(1.1, asked=True)
    with pytest.raises(Fault, match=r"^ponder"):
        clock.check_computing(0.6, asked=False)
