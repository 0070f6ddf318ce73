"""The referee: which questions it asks, which events it sends, and whom it blames."""

from collections.abc import Mapping
from typing import Any

import pytest

from arena.games.base import ClockRule
from arena.games.errors import ArenaFault
from arena.games.suit_yourself import SuitYourself
from arena.games.suitability import Suitability
from arena.match.record import encode
from arena.match.referee import Judged
from arena.match.replay import trace, verify
from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import SeatReport
from tests.match.players import Scripted, failing, last, played

RULES = Suitability({"deals": 2})


def four(*players: Scripted) -> list[Scripted]:
    """Return these players, filled up to a table of four."""
    return [*players, *(Scripted() for _ in range(4 - len(players)))]


def test_match_record_verifies() -> None:
    """A match without failures gives a record that verifies."""
    result = played(RULES, four())
    verify(encode(result.record))

    assert result.record["faults"] == []
    assert result.failures == [None] * 4


def test_equal_play_gives_equal_bytes() -> None:
    """The record does not depend on thinking times."""
    slow = played(RULES, four(Scripted(cpu=0.05)))

    assert encode(slow.record) == encode(played(RULES, four()).record)


def test_forced_moves_are_recorded_but_not_asked() -> None:
    """The scripted player asserts that it is never given a single choice."""
    players = four()
    moves = list(trace(played(RULES, players).record))[1:-1]

    assert sum(len(move["legal"]) > 1 for move in moves) == sum(len(player.views) for player in players)


def test_ask_forced_gets_forced_moves_without_increment() -> None:
    """A bot with `ask_forced` is asked for forced moves, without an increment, and the record is the same."""
    player = Scripted(wants_forced=True, cpu=0.0)
    result = played(RULES, four(player), ClockRule(bank=9.0, increment=1.0))
    moves = [move for move in result.record["moves"] if move[0] == 0]
    forced = [len(view["legal"]) == 1 for view in player.views]

    assert len(player.views) == len(moves)
    assert any(forced)
    assert player.limits[-1] == 9.0 + forced.count(False)
    assert encode(result.record) == encode(played(RULES, four()).record)


def test_seats_get_setup_and_result() -> None:
    """Each seat gets its seat, the names and its own seed at the start, and scores and ranks at the end."""
    players = four()
    record = played(RULES, players).record
    setup = players[2].setup

    assert setup is not None
    assert (setup.seat, setup.seats, setup.seed) == (2, ["bot0", "bot1", "bot2", "bot3"], 2)
    assert players[2].result == (record["scores"], record["ranks"])


def test_listening_bot_gets_all_visible_events() -> None:
    """A listening bot gets every card played and, from the deal, only its own cards."""
    players = four(Scripted(listens=True))
    played(RULES, players)
    events = players[0].events

    assert sum(event["kind"] == "play" for event in events) == 104
    dealt = [event for event in events if event["kind"] == "deal" and "count" in event]
    assert [event["seat"] for event in dealt if "cards" in event] == [0, 0]
    assert [event["kind"] for event in events[:6]] == ["deal"] * 5 + ["nominate"]
    assert not players[1].events


@pytest.mark.parametrize("kind", KINDS)
def test_arena_plays_on_for_failed_bot(kind: str) -> None:
    """A failed bot is ranked last, the record names the move of the fault, and the match is finished."""
    result = played(RULES, four(Scripted(), Scripted(failing(kind, 3))))
    record = result.record
    verify(encode(record))
    failure = result.failures[1]

    assert failure is not None
    assert record["faults"] == [{"seat": 1, "move": failure.move, "kind": kind, "detail": KINDS[kind]}]
    assert record["ranks"][1] == 4
    assert failure.view is not None
    assert failure.view["legal"]


def test_bot_that_cannot_be_loaded_fails_at_first_move() -> None:
    """A bot that fails to load is never sent a view."""
    player = Scripted()

    def broken() -> None:
        raise Fault("error", "SyntaxError")

    player.ready = broken  # type: ignore[method-assign]
    result = played(RULES, four(player))
    verify(encode(result.record))

    assert result.record["faults"][0]["seat"] == 0
    assert result.failures[0] is not None
    assert result.failures[0].view is None
    assert player.views == []


def test_failure_to_send_a_question_is_a_fault() -> None:
    """A request that cannot be sent is a fault, like a missing answer."""
    player = Scripted()

    def gone(*_: Any) -> None:
        raise Fault("crash", "exit status 0")

    player.ask = gone  # type: ignore[assignment,method-assign]

    assert played(RULES, four(player)).record["faults"][0]["kind"] == "crash"


def test_illegal_action_is_a_fault() -> None:
    """The owner sees the returned action and the legal ones."""
    result = played(RULES, four(Scripted(lambda view: "XX")))

    assert result.failures[0] is not None
    assert "act returned 'XX'; legal were" in str(result.failures[0].fault)


def test_all_bots_may_fail() -> None:
    """If all bots fail, the arena plays the match alone and all share the first place."""
    result = played(RULES, [Scripted(failing("crash", 0)) for _ in range(4)])
    verify(encode(result.record))

    assert result.record["ranks"] == [1, 1, 1, 1]


def test_fault_ranks_partner_last() -> None:
    """The team of a faulted seat is ranked last."""
    rules = Suitability({"deals": 1, "partnership": True})
    record = played(rules, four(Scripted(failing("timeout", 0)))).record
    verify(encode(record))

    assert record["ranks"] == [2, 1, 2, 1]


def test_failure_after_last_move_is_no_fault() -> None:
    """The result stands if a bot fails after its last move."""
    player = Scripted()
    ended: list[Any] = []
    player.end = lambda *result: ended.append(result)  # type: ignore[method-assign]

    assert played(RULES, four(player)).record["faults"] == []
    assert ended


def test_result_is_sent_to_all_seats_before_awaiting_any() -> None:
    """Four bots that sleep in `on_end` take no longer than one."""
    calls: list[str] = []

    class Noting(Scripted):
        def end(self, *_: Any) -> None:
            calls.append("sent")

        def ended(self) -> None:
            calls.append("awaited")

    played(RULES, [Noting() for _ in range(4)])

    assert calls == ["sent"] * 4 + ["awaited"] * 4


def test_arena_fault_ends_match_without_result() -> None:
    """A failure of the machinery is raised, and every player is closed."""

    def broken(view: Mapping[str, Any]) -> str:
        raise ArenaFault("the zygote died")

    players = four(Scripted(broken))
    with pytest.raises(ArenaFault):
        played(RULES, players)
    assert [player.closed for player in players] == [1, 1, 1, 1]


def test_heartbeat_can_abandon_match() -> None:
    """An exception from the heartbeat ends the match at the next move and leaves no player open."""
    players = four()
    beats = iter(range(20))

    def heartbeat() -> None:
        if next(beats) == 10:
            raise ArenaFault("the lease is lost")

    with pytest.raises(ArenaFault):
        played(RULES, players, heartbeat=heartbeat)
    assert [player.closed for player in players] == [1, 1, 1, 1]


def test_time_limit_is_bank_plus_increments() -> None:
    """The time limit of an answer is the rest of the bank."""
    player = Scripted(cpu=0.25)
    played(RULES, four(player), ClockRule(bank=10.0, increment=0.125, allowance=1.0))

    assert player.limits[:3] == [10.125, 10.0, 9.875]


def test_an_overdrawn_bank_is_a_timeout() -> None:
    """A bank overdrawn by pondering and answers together is a timeout."""
    result = played(RULES, four(Scripted(cpu=0.6, off_turn=0.6)), ClockRule(1.0, 0.0, 9.0))

    assert result.record["faults"][0]["kind"] == "timeout"


def test_sleep_beyond_bank_is_a_timeout() -> None:
    """The sleep of all answers adds up, and the message names the total."""
    sleeper = Scripted(sleeps=0.25)
    result = played(RULES, four(sleeper), ClockRule(10.0, idle=1.0))

    assert [(fault["seat"], fault["kind"]) for fault in result.record["faults"]] == [(0, "timeout")]
    assert result.failures[0] is not None
    assert "it slept for 1.2 s in this match; 1 s a match are allowed" in str(result.failures[0].fault)
    assert result.walls[0] >= 1.0 > result.walls[1]


def test_endless_sleep_is_noticed_while_the_seat_is_awaited() -> None:
    """A bot that does not wake up is stopped by the referee's watch, before any reply."""
    sleeper = Scripted()
    sleeper.slept = lambda: 99.0  # type: ignore[method-assign]
    result = played(RULES, four(sleeper), ClockRule(10.0, idle=1.0))

    assert [(fault["seat"], fault["kind"]) for fault in result.record["faults"]] == [(0, "timeout")]
    assert result.times[0] == []


def test_pondering_beyond_allowance_is_a_fault() -> None:
    """CPU time used out of turn is limited to the allowance."""
    result = played(RULES, four(Scripted(off_turn=0.2)), ClockRule(10.0, 0.0, 0.5))

    assert result.record["faults"][0]["kind"] == "ponder"


def test_pondering_is_noticed_while_another_seat_is_awaited() -> None:
    """A pondering bot fails during another seat's turn, not only when it is asked next."""
    ponderer = Scripted()

    def think(view: Mapping[str, Any]) -> str:
        ponderer.off_turn = 9.0
        return last(view)

    def heartbeat() -> None:
        ponderer.off_turn = 0.0

    result = played(RULES, four(ponderer, Scripted(think)), heartbeat=heartbeat)
    verify(encode(result.record))

    assert [(fault["seat"], fault["kind"]) for fault in result.record["faults"]] == [(0, "ponder")]


def test_simultaneous_seat_is_watched_while_another_is_awaited() -> None:
    """Every seat of a simultaneous step thinks on its own clock."""
    rules = SuitYourself()
    endless = Scripted()

    def think(view: Mapping[str, Any]) -> str:
        endless.thinking = 99.0
        return last(view)

    result = played(rules, four(Scripted(think), endless))
    verify(encode(result.record))

    assert [(fault["seat"], fault["kind"]) for fault in result.record["faults"]] == [(1, "timeout")]


def test_measurements_are_not_in_the_record() -> None:
    """CPU times and reports are returned by seat and are not part of the record."""
    player = Scripted(cpu=0.25, answer=last)
    result = played(RULES, four(player))

    assert result.times[0] == [0.25] * len(player.views)
    assert len(result.reports) == 4
    assert b"cpu" not in encode(result.record)


def test_first_failure_of_judged_seat_ends_match() -> None:
    """The exception names the fault and the move, no bot is asked after it, and every player is closed."""
    players = four(Scripted(), Scripted(failing("crash", 0)), Scripted(failing("timeout", 2)), Scripted())
    with pytest.raises(Judged) as judged:
        played(RULES, players, judged=[0, 2])

    verdict = judged.value
    assert (verdict.fault.kind, verdict.view) == ("timeout", players[2].views[-1])
    assert str(verdict) == str(verdict.fault) == "timeout: as the script says"
    assert verdict.report == SeatReport("", 0.001, 0)
    assert verdict.move is not None
    assert [player.closed for player in players] == [1, 1, 1, 1]
    assert [player.result for player in players] == [None] * 4


def test_judged_seat_can_fail_before_first_move() -> None:
    """A judged seat that fails to load has no move and no view."""
    player = Scripted()

    def broken() -> None:
        raise Fault("error", "SyntaxError")

    player.ready = broken  # type: ignore[method-assign]
    with pytest.raises(Judged) as judged:
        played(RULES, four(player), judged=[0])

    assert (judged.value.move, judged.value.view, player.views) == (None, None, [])
