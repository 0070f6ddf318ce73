"""A match continues from its log as if it had never stopped."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.chance import board_rng
from arena.games.registry import VARIANTS, rules_of
from arena.match.again import Again, Logged
from arena.match.referee import Played, play
from arena.sdk.faults import Fault
from arena.sdk.player import Player, Quiet, Reply, Setup

SEED = bytes(32)


class Asked(Exception):
    """The host dies."""


class Recorder(Quiet):
    """A player with a memory: its choice depends on everything that it was asked and told."""

    wants_events = True

    def __init__(self, fails_at: int = -1) -> None:
        self.heard: list[Any] = []
        self.fails_at = fails_at

    def start(self, setup: Setup) -> None:
        self.rng = random.Random(setup.seed)

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self.heard.append((dict(view), [*events]))

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        if len(self.heard) == self.fails_at:
            raise Fault("error", "it raised an exception")
        return Reply(self.rng.choice(self.heard[-1][0]["legal"]), 0.01, 0.01)

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        self.heard.append([*events])


def played(variant: str, players: Sequence[Player], stop: int | None = None) -> tuple[list[Logged], Played | None]:
    """Play one deal, up to this number of moves. Returns the log, and the match if it ended."""
    rules = rules_of(variant).shortest()
    log: list[Logged] = []

    def note(moves: Sequence[tuple[int, str]], failures: Sequence[Any]) -> None:
        for seat, token in moves:
            failure = failures[seat]
            log.append(Logged(seat, token, failure.fault.kind if failure and failure.move == len(log) else None))
        if stop is not None and len(log) >= stop:
            raise Asked

    try:
        match = play(
            rules, players, ["bot"] * rules.players, lambda index: rules.draw_board(index, board_rng(SEED, index)),
            range(rules.players), note=note,
        )  # fmt: skip
    except Asked:
        return log, None
    return log, match


@pytest.mark.parametrize("variant", VARIANTS)
@given(cut=st.floats(0, 1), fails=st.integers(1, 12))
@settings(max_examples=4, deadline=None)
def test_continued_match_equals_one_that_was_never_stopped(variant: str, cut: float, fails: int) -> None:
    """Every bot hears the same, the moves and the result are equal, and a fault comes back at its move."""
    seats = VARIANTS[variant].options["players"]

    def players() -> list[Recorder]:
        return [Recorder(fails if seat == 0 else -1) for seat in range(seats)]

    first, again = players(), players()
    log, match = played(variant, first)
    known, _ = played(variant, players(), stop=max(1, int(cut * len(log))))

    continued = [Again(one, [move for move in known if move.seat == seat]) for seat, one in enumerate(again)]
    second, resumed = played(variant, continued)

    assert match is not None
    assert resumed is not None
    assert second == log
    assert resumed.record == match.record
    assert [one.heard for one in again[1:]] == [one.heard for one in first[1:]]


def test_new_fault_counts_from_the_first_new_question() -> None:
    """A bot that fails while it is asked again keeps the moves that it made."""
    log, _ = played("separate-suits-2", [Recorder(), Recorder()])
    moves = [move for move in log[:8] if move.seat == 0]

    second, match = played("separate-suits-2", [Again(Recorder(fails_at=2), moves), Recorder()])

    assert match is not None
    assert second[:8] == log[:8]
    (failure,) = [one for one in match.failures if one]
    assert failure.move == 8
