"""The referee: what is asked, what is told, and who is at fault."""

from collections.abc import Mapping
from typing import Any

import pytest

from arena.games.errors import ArenaFault
from arena.games.suit_yourself import SuitYourself
from arena.games.suitability import Suitability
from arena.match.clock import ClockRule
from arena.match.record import encode
from arena.match.referee import Judged
from arena.match.replay import trace, verify
from arena.sdk.faults import KINDS, Fault
from tests.match.players import Scripted, failing, last, played

RULES = Suitability({"deals": 2})


def four(*players: Scripted) -> list[Scripted]:
    """These players, and as many more as a table needs."""
    return [*players, *(Scripted() for _ in range(4 - len(players)))]


def test_a_match_makes_a_record_that_verifies() -> None:
    """And nobody has failed."""
    result = played(RULES, four())
    verify(encode(result.record))

    assert result.record["faults"] == []
    assert result.failures == [None] * 4


def test_equal_play_gives_equal_bytes() -> None:
    """However long the bots thought."""
    slow = played(RULES, four(Scripted(cpu=0.05)))

    assert encode(slow.record) == encode(played(RULES, four()).record)


def test_forced_moves_are_recorded_and_not_asked() -> None:
    """The scripted player asserts that it never sees a single choice."""
    players = four()
    moves = list(trace(played(RULES, players).record))[1:-1]

    assert sum(len(move["legal"]) > 1 for move in moves) == sum(len(player.views) for player in players)


def test_each_seat_is_told_its_setup_and_the_result() -> None:
    """Seat, names, options and its own seed at the start; scores and ranks at the end."""
    players = four()
    record = played(RULES, players).record
    setup = players[2].setup

    assert setup is not None
    assert (setup.seat, setup.seats, setup.seed) == (2, ["bot0", "bot1", "bot2", "bot3"], 2)
    assert players[2].result == (record["scores"], record["ranks"])


def test_who_listens_is_told_everything_that_its_seat_may_know() -> None:
    """Every card played, and only its own cards of the deal."""
    players = four(Scripted(listens=True))
    played(RULES, players)
    told = players[0].events

    assert sum(event["kind"] == "play" for event in told) == 104
    dealt = [event for event in told if event["kind"] == "deal" and "count" in event]
    assert [event["seat"] for event in dealt if "cards" in event] == [0, 0]
    assert not players[1].events


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_that_fails_is_played_on_by_the_arena(kind: str) -> None:
    """It shares the last place, the record says from which move on, and the match is finished."""
    result = played(RULES, four(Scripted(), Scripted(failing(kind, 3))))
    record = result.record
    verify(encode(record))
    failure = result.failures[1]

    assert failure is not None
    assert record["faults"] == [{"seat": 1, "move": failure.move, "kind": kind, "detail": KINDS[kind]}]
    assert record["ranks"][1] == 4
    assert failure.view is not None
    assert failure.view["legal"]


def test_a_bot_that_cannot_be_loaded_fails_at_its_first_move() -> None:
    """Nobody waits for it, and no view was sent."""
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


def test_a_bot_that_is_gone_when_it_is_asked_has_failed() -> None:
    """A request that cannot be sent is a fault like an answer that does not come."""
    player = Scripted()

    def gone(*told: Any) -> None:
        raise Fault("crash", "exit status 0")

    player.ask = gone  # type: ignore[assignment,method-assign]

    assert played(RULES, four(player)).record["faults"][0]["kind"] == "crash"


def test_an_action_that_is_not_legal_is_a_fault() -> None:
    """The owner is told what was returned and what was legal."""
    result = played(RULES, four(Scripted(lambda view: "XX")))

    assert result.failures[0] is not None
    assert "act returned 'XX'; legal were" in str(result.failures[0].fault)


def test_all_four_may_fail() -> None:
    """The arena plays the match alone; all share the first place, which is also the last."""
    result = played(RULES, [Scripted(failing("crash", 0)) for _ in range(4)])
    verify(encode(result.record))

    assert result.record["ranks"] == [1, 1, 1, 1]


def test_a_partner_shares_the_fault() -> None:
    """In a partnership the faulted seat's team is last."""
    rules = Suitability({"deals": 1, "partnership": True})
    record = played(rules, four(Scripted(failing("timeout", 0)))).record
    verify(encode(record))

    assert record["ranks"] == [2, 1, 2, 1]


def test_a_bot_that_fails_after_its_last_move_has_no_fault() -> None:
    """The result stands."""
    player = Scripted()
    ended: list[Any] = []
    player.end = lambda *told: ended.append(told)  # type: ignore[method-assign]

    assert played(RULES, four(player)).record["faults"] == []
    assert ended


def test_a_fault_of_the_machinery_ends_the_match_without_a_result() -> None:
    """It is raised, and every player is closed."""

    def broken(view: Mapping[str, Any]) -> str:
        raise ArenaFault("the zygote died")

    players = four(Scripted(broken))
    with pytest.raises(ArenaFault):
        played(RULES, players)
    assert [player.closed for player in players] == [1, 1, 1, 1]


def test_the_heartbeat_may_abandon_the_match() -> None:
    """Whoever lost its lease stops at the next move, and leaves no player open."""
    players = four()
    beats = iter(range(20))

    def heartbeat() -> None:
        if next(beats) == 10:
            raise ArenaFault("the lease is lost")

    with pytest.raises(ArenaFault):
        played(RULES, players, heartbeat=heartbeat)
    assert [player.closed for player in players] == [1, 1, 1, 1]


def test_the_clock_is_a_bank_with_an_increment() -> None:
    """What an answer may cost is what is left."""
    player = Scripted(cpu=0.25)
    played(RULES, four(player), ClockRule(bank=10.0, increment=0.125, allowance=1.0))

    assert player.limits[:3] == [10.125, 10.0, 9.875]


def test_an_overdrawn_bank_is_a_timeout() -> None:
    """Even when the single answer was in time."""
    result = played(RULES, four(Scripted(cpu=0.6, off_turn=0.6)), ClockRule(1.0, 0.0, 9.0))

    assert result.record["faults"][0]["kind"] == "timeout"


def test_pondering_beyond_the_allowance_is_a_fault() -> None:
    """Off-turn time is charged, and counted."""
    result = played(RULES, four(Scripted(off_turn=0.2)), ClockRule(10.0, 0.0, 0.5))

    assert result.record["faults"][0]["kind"] == "ponder"


def test_who_computes_too_much_while_another_is_awaited_fails_at_once() -> None:
    """Not only when it is asked next, which is after the other's long thought."""
    ponderer = Scripted()

    def think(view: Mapping[str, Any]) -> str:
        ponderer.off_turn = 9.0
        return last(view)

    def heartbeat() -> None:
        ponderer.off_turn = 0.0

    result = played(RULES, four(ponderer, Scripted(think)), heartbeat=heartbeat)
    verify(encode(result.record))

    assert [(fault["seat"], fault["kind"]) for fault in result.record["faults"]] == [(0, "ponder")]


def test_who_was_asked_too_is_seen_while_another_is_awaited() -> None:
    """In a simultaneous step everybody thinks at once, and each on its own clock."""
    rules = SuitYourself()
    endless = Scripted()

    def think(view: Mapping[str, Any]) -> str:
        endless.thinking = 99.0
        return last(view)

    result = played(rules, four(Scripted(think), endless))
    verify(encode(result.record))

    assert [(fault["seat"], fault["kind"]) for fault in result.record["faults"]] == [(1, "timeout")]


def test_what_was_measured_stays_beside_the_record() -> None:
    """CPU time by seat, and a report of each player."""
    player = Scripted(cpu=0.25, answer=last)
    result = played(RULES, four(player))

    assert result.times[0] == [0.25] * len(player.views)
    assert len(result.reports) == 4
    assert b"cpu" not in encode(result.record)


def test_the_first_failure_of_a_judged_seat_ends_the_match() -> None:
    """Who failed at which move; nobody is asked after that, and every player is closed."""
    players = four(Scripted(), Scripted(failing("crash", 0)), Scripted(failing("timeout", 2)), Scripted())
    with pytest.raises(Judged) as judged:
        played(RULES, players, judged=[0, 2])

    verdict = judged.value
    assert (verdict.fault.kind, verdict.view) == ("timeout", players[2].views[-1])
    assert verdict.move is not None
    assert [player.closed for player in players] == [1, 1, 1, 1]
    assert [player.result for player in players] == [None] * 4


def test_a_judged_seat_may_fail_before_it_is_asked() -> None:
    """Then there is no move and no view."""
    player = Scripted()

    def broken() -> None:
        raise Fault("error", "SyntaxError")

    player.ready = broken  # type: ignore[method-assign]
    with pytest.raises(Judged) as judged:
        played(RULES, four(player), judged=[0])

    assert (judged.value.move, judged.value.view, player.views) == (None, None, [])
